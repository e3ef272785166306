import { backoffMs, sleep } from "@tintype/client/core";

/** Whether the server answers, within seconds. */
export const isServerThere = (): Promise<boolean> =>
  fetch("/favicon.svg", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(8000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Whether the browser says that it is offline and the server does not answer either: on a machine without a network a browser is "offline"
 * and still reaches a server on that machine.
 */
export const isOffline = async (): Promise<boolean> => navigator.onLine === false && !(await isServerThere());

/** Resolves after `ms`; while the page is offline, waits on until it is not. Rejects with the signal's reason. */
export async function waitForNetwork(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal);
  while (await isOffline()) {
    const online = new AbortController();
    const onOnline = () => online.abort();
    window.addEventListener("online", onOnline);
    try {
      await sleep(probeEveryMs, AbortSignal.any([signal, online.signal]));
    } catch {
      signal.throwIfAborted();
      return;
    } finally {
      window.removeEventListener("online", onOnline);
    }
  }
}

/** While the browser says that it is offline the server is asked for this often. */
export const probeEveryMs = 4000;

/** Before try number `attempt` (from 1): 0.5, 1, 2, 4, 8, 8, ... seconds, or what the server asked for, at most a minute. */
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
