import { type ComponentType, lazy } from "react";
import { isServerThere, retryDelayMs, waitForNetwork } from "./wait.ts";

const never = new AbortController().signal;
let isReloadDue = false;
const listeners = new Set<() => void>();

/** Whether the page must be loaded again: a part of it did not come. Another build has taken the place of the page's own. */
export const reload = {
  isDue: () => isReloadDue,
  askFor() {
    isReloadDue = true;
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
        reload.askFor();
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

/** React's `lazy`, for a part of a page: `Suspense` shows its fallback until the part has come. */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) => lazy(() => loadPart(load));
