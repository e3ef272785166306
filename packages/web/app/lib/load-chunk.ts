import { type ComponentType, lazy } from "react";
import { createValue } from "./store.ts";
import { isServerReachable, retryDelayMs, waitForNetwork } from "./wait.ts";

/**
 * `updated`: another build has replaced the page's own. `incomplete`: a chunk failed to load, and the browser does
 * not request it again.
 */
export type ReloadReason = "updated" | "incomplete";

/** Whether the page must be reloaded, and why. */
export const reload = createValue<ReloadReason | undefined>(undefined);

/**
 * Loads a chunk when it is needed, and retries while the server cannot be reached. If the server answers but the
 * chunk still fails, the page asks for a reload and the promise stays pending: an error would unmount the whole page,
 * and the pictures on it.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  // Offline, only the service worker has chunks. Some browsers remember a failed module import for as long as the page is open.
  if (navigator.onLine === false && !navigator.serviceWorker?.controller) await waitForNetwork(0);
  for (let attempt = 1, wasReachable = false; ; attempt += 1)
    try {
      return await load();
    } catch (problem) {
      const isReachable = await isServerReachable();
      if (isReachable && wasReachable) {
        reportError(problem);
        reload.set((await isReplaced()) ? "updated" : "incomplete");
        return new Promise(() => undefined);
      }
      wasReachable = isReachable;
      await waitForNetwork(retryDelayMs({ attempt }));
    }
}

/** Like `load`, and fails as it does. If the server answers but the chunk can no longer load, the page asks for a reload. */
export function tryChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  const part = load();
  part.catch(() => loadChunk(load));
  return part;
}

/** The router's manifest of this build, whose file name contains its content hash. */
declare global {
  interface Window {
    __reactRouterManifest?: { url: string };
  }
}

/** Whether the server has another build. False when it does not answer. */
export const isReplaced = (): Promise<boolean> =>
  fetch(window.__reactRouterManifest?.url ?? "/", { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status === 404,
    () => false,
  );

/** React's `lazy` on `loadChunk`: `Suspense` shows its fallback until the chunk has loaded. */
export const lazyChunk = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) => lazy(() => loadChunk(load));
