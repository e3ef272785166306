import { DomainError } from "@tintype/contract";
import { isDiskFull } from "../../../platform/disk.ts";
import { type RetryPolicy, withRetries } from "../../../platform/retry-policy.ts";

/** For a database or blob store that does not respond. */
const retries: RetryPolicy = { delaysMs: [250, 1_000, 2_000, 4_000, 8_000] };

/** Retries calls that got no response. A refusal is a response, and a full disk has no room a moment later either. */
export const retrying = <Answer>(call: () => Promise<Answer>): Promise<Answer> =>
  withRetries(
    retries,
    call,
    (problem) => !isDiskFull(problem) && (!(problem instanceof DomainError) || problem.code === "unavailable"),
  );
