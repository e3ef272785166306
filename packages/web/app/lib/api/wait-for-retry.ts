import { ApiProblem, isRetryable } from "@tintype/contract/api";
import { retryDelayMs, waitForNetwork } from "../wait.ts";

/**
 * Waits after a failure that can pass, while the page is offline too, unless `retries` are used up.
 * @throws what was thrown, the signal's reason
 */
export const waitForRetry =
  ({
    retries,
    signal,
    onDelay,
  }: {
    retries: number;
    signal: AbortSignal;
    onDelay?(problem: unknown, delayMs: number): void;
  }) =>
  async (problem: unknown, failures: number): Promise<void> => {
    signal.throwIfAborted();
    if (!isRetryable(problem) || failures > retries) throw problem;
    const retryAfterSeconds = problem instanceof ApiProblem ? problem.retryAfterSeconds : undefined;
    const delayMs = retryDelayMs({ attempt: failures, retryAfterSeconds });
    onDelay?.(problem, delayMs);
    await waitForNetwork(delayMs, signal);
  };
