import { setTimeout as wait } from "node:timers/promises";
import { DomainError } from "@tintype/contract";

/** Delays before each retry of a database or blob store that does not answer, ms. */
const retryDelaysMs = [250, 1_000, 2_000, 4_000, 8_000];

/** Retries what did not answer. A refusal is an answer. */
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
