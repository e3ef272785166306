import { type ComponentType, lazy } from "react";
import { retryDelayMs, waitForNetwork } from "./wait.ts";

/**
 * React's `lazy`, for a part of a page. A `lazy` that fails takes the whole page away, and the pictures on it: while the server
 * cannot be reached the part is asked for again, and `Suspense` shows its fallback.
 * @throws the failure of `load` when the server answers and the part still does not come: another build has taken its place
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    for (let attempt = 1, wasThere = false; ; attempt += 1)
      try {
        return await load();
      } catch (problem) {
        const isThere = await isServerThere();
        if (isThere && wasThere) throw problem;
        wasThere = isThere;
        await waitForNetwork(retryDelayMs({ attempt }), new AbortController().signal);
      }
  });

const isServerThere = () =>
  fetch("/favicon.svg", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
