import { DomainError } from "@tintype/contract";
import { type RetryPolicy, withRetries } from "../../platform/retry-policy.ts";

/** Of a database or blob store that does not answer. */
const retries: RetryPolicy = { delaysMs: [250, 1_000, 2_000, 4_000, 8_000] };

/** Retries what did not answer. A refusal is an answer. */
export const retrying = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
  withRetries(retries, ask, (problem) => !(problem instanceof DomainError) || problem.code === "unavailable");
