import { type ComponentType, lazy } from "react";
import { isServerThere, retryDelayMs, waitForNetwork } from "./wait.ts";

const never = new AbortController().signal;
/** `updated`: another build has taken the place of the page's own; `incomplete`: a part did not come, and the browser does not ask again. */
export type ReloadReason = "updated" | "incomplete";

let dueReload: ReloadReason | undefined;
const listeners = new Set<() => void>();

/** Whether the page must be loaded again, and why. */
export const reload = {
  due: () => dueReload,
  askFor(reason: ReloadReason) {
    dueReload = reason;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/**
 * A part of the page that loads when it is needed. While the server cannot be reached the part is asked for again. If the server
 * answers and the part still does not come, the page asks for a reload, and the promise stays open: an error would take the whole
 * page away, and the pictures on it.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  // Only the service worker has parts offline. Some browsers remember as long as the page is open that a script did not come.
  if (navigator.onLine === false && !navigator.serviceWorker?.controller) await waitForNetwork(0, never);
  for (let attempt = 1, wasThere = false; ; attempt += 1)
    try {
      return await load();
    } catch (problem) {
      const isThere = await isServerThere();
      if (isThere && wasThere) {
        reportError(problem);
        reload.askFor((await isReplaced()) ? "updated" : "incomplete");
        return new Promise(() => undefined);
      }
      wasThere = isThere;
      await waitForNetwork(retryDelayMs({ attempt }), never);
    }
}

/** As `load`, and fails as it does. If the server answers and the part cannot come any more, the page asks for a reload. */
export function tryPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const part = load();
  part.catch(() => loadPart(load));
  return part;
}

/** The router's list of the build's pages, which has the hash of its content in its name. */
declare global {
  interface Window {
    __reactRouterManifest?: { url: string };
  }
}

/** Whether the server has another build. Without an answer nothing is known. */
export const isReplaced = (): Promise<boolean> =>
  fetch(window.__reactRouterManifest?.url ?? "/", { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status === 404,
    () => false,
  );

/** React's `lazy`, for a part of a page: `Suspense` shows its fallback until the part has come. */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) => lazy(() => loadPart(load));
