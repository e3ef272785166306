import { backoffMs, sleep } from "@tintype/client/core";

/** Whether the server answers, within 8 seconds. */
export const isServerReachable = (): Promise<boolean> =>
  fetch("/favicon.svg", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(8000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Whether the browser reports offline and the server does not answer either: a machine without a network counts as
 * offline and can still reach a server on itself.
 */
export const isOffline = async (): Promise<boolean> => navigator.onLine === false && !(await isServerReachable());

/** Resolves after `ms` and once the page is online. Rejects with the signal's reason. */
export async function waitForNetwork(ms: number, signal = new AbortController().signal): Promise<void> {
  await sleep(ms, signal);
  while (await isOffline()) {
    const online = new AbortController();
    const onOnline = () => online.abort();
    window.addEventListener("online", onOnline);
    try {
      await sleep(probeIntervalMs, AbortSignal.any([signal, online.signal]));
    } catch {
      signal.throwIfAborted();
      return;
    } finally {
      window.removeEventListener("online", onOnline);
    }
  }
}

/** How often to probe the server while the browser reports offline. ms */
export const probeIntervalMs = 4000;

/** The delay before attempt number `attempt` (from 1): 0.5, 1, 2, 4, 8, 8, ... seconds, or what the server asked for, at most a minute. */
export function retryDelayMs({
  attempt,
  retryAfterSeconds,
}: {
  attempt: number;
  retryAfterSeconds?: number | undefined;
}): number {
  if (retryAfterSeconds !== undefined) return Math.min(60, Math.max(0.5, retryAfterSeconds)) * 1000;
  return backoffMs(attempt, 8000);
}
