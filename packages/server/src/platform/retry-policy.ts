import { setTimeout as wait } from "node:timers/promises";

/** `delaysMs`: before the second attempt, the third, and so on. After the last delay a failure is final. */
export type RetryPolicy = { delaysMs: readonly number[] };

/** Each delay is twice the one before, up to `maxDelayMs`. */
export const exponentialBackoff = ({
  firstDelayMs,
  maxDelayMs,
  retries,
}: {
  firstDelayMs: number;
  maxDelayMs: number;
  retries: number;
}) =>
  ({
    delaysMs: Array.from({ length: retries }, (_, i) => Math.min(maxDelayMs, firstDelayMs * 2 ** i)),
  }) satisfies RetryPolicy;

/** The delay after this many attempts, ms; undefined once they are used up. */
export const delayAfter = ({ delaysMs }: RetryPolicy, attempts: number): number | undefined => delaysMs[attempts - 1];

/** Retries a failing call. @throws what the last attempt threw, or the first error that is not retryable */
export async function withRetries<Answer>(
  { delaysMs }: RetryPolicy,
  call: () => Promise<Answer>,
  isRetryable: (problem: unknown) => boolean,
): Promise<Answer> {
  for (const delayMs of delaysMs) {
    try {
      return await call();
    } catch (problem) {
      if (!isRetryable(problem)) throw problem;
      await wait(delayMs);
    }
  }
  return call();
}
