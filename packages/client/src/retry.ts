/** Resolves after `ms`. @throws the signal's reason */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });

/** The delay after this many consecutive failures, from 1: half a second, doubled each time. */
export const backoffMs = (failures: number, longestMs: number): number =>
  Math.min(longestMs, 500 * 2 ** (failures - 1));

/** Waits for the next attempt, or throws to give up. `failures` counts consecutive failures, from 1. */
export type OnFailure = (thrown: unknown, failures: number) => Promise<void>;

/** Retries until it succeeds or `onFailure` throws. */
export async function retry<T>(attempt: () => Promise<T>, onFailure: OnFailure): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (thrown) {
      await onFailure(thrown, failures);
    }
  }
}
