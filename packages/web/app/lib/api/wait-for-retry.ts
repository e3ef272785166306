import { ApiProblem, isRetryable } from "@tintype/contract/api";
import { retryDelayMs, waitForNetwork } from "../wait.ts";

/**
 * Waits after a retryable failure, and for as long as the page is offline, until `retries` are used up.
 * @throws the original error, or the signal's reason
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
