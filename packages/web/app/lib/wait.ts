/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** As `wait`; while the browser says that it is offline it waits on, until the network is back. */
export async function waitForNetwork(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, signal);
  if (navigator.onLine !== false) return;
  await new Promise<void>((resolve, reject) => {
    const settle = () => {
      window.removeEventListener("online", settle);
      signal.removeEventListener("abort", settle);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    window.addEventListener("online", settle);
    signal.addEventListener("abort", settle);
  });
}

/** Before try number `attempt` (from 1): 0.5, 1, 2, 4, 8, 8, ... seconds, or what the server asked for, at most a minute. */
export function retryDelayMs({
  attempt,
  retryAfterSeconds,
}: {
  attempt: number;
  retryAfterSeconds?: number | undefined;
}): number {
  if (retryAfterSeconds !== undefined) return Math.min(60, Math.max(0.5, retryAfterSeconds)) * 1000;
  return Math.min(8000, 500 * 2 ** (attempt - 1));
}
