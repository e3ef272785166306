import type { Deadline } from "./deadline.ts";
import { networkError, TintypeError } from "./error.ts";
import { backoffMs, type OnFailure, retry, sleep } from "./retry.ts";

const maxWaitMs = 20_000;

/** The thrown value as a TintypeError, if it is one or a failure of fetch, which throws TypeError. */
function asTintypeError(thrown: unknown): TintypeError | undefined {
  if (thrown instanceof TintypeError) return thrown;
  return thrown instanceof TypeError ? networkError(thrown) : undefined;
}

/** Called before each wait for a retry. */
export type OnWait = ((wait: { waitMs: number; problem: TintypeError }) => void) | undefined;
type RetryLimits = { signal: AbortSignal | undefined; endsAt?: number; retries: number; onWait?: OnWait };

/**
 * Waits after a retryable failure, unless `retries` are used up or the wait would end after `endsAt`. Jitter of up to
 * a quarter keeps callers that failed together from retrying together.
 * @throws TintypeError, the signal's reason
 */
export const waitForRetry =
  ({ signal, endsAt = Number.POSITIVE_INFINITY, retries, onWait }: RetryLimits): OnFailure =>
  async (thrown, failures) => {
    signal?.throwIfAborted();
    const problem = asTintypeError(thrown);
    if (!problem) throw thrown;
    const waitMs = problem.retryAfterMs ?? backoffMs(failures, maxWaitMs) * (1 - Math.random() / 4);
    if (!problem.retryable || failures > retries || Date.now() + waitMs > endsAt) throw problem;
    onWait?.({ waitMs, problem });
    await sleep(waitMs, signal);
  };

/** @throws TintypeError, the deadline's reason */
export const retrying = <T>(
  attempt: () => Promise<T>,
  { deadline, ...limits }: { deadline: Deadline; retries: number; onWait?: OnWait },
): Promise<T> => retry(attempt, waitForRetry({ ...deadline, ...limits }));
