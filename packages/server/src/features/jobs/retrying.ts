import { setTimeout as wait } from "node:timers/promises";
import { DomainError } from "@tintype/contract";

/** A database or blobs that do not answer are asked again after so many ms each. */
const retryDelaysMs = [250, 1_000, 2_000, 4_000, 8_000];

/** Asks again where what is asked did not answer; a refusal is an answer. */
export async function retrying<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await ask();
    } catch (problem) {
      if (problem instanceof DomainError && problem.code !== "unavailable") throw problem;
      await wait(delayMs);
    }
  }
  return ask();
}
