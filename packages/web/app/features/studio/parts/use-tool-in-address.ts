import type { OperationName } from "@tintype/contract";
import { useEffect } from "react";
import { useLocation } from "react-router";
import type { Studio } from "../work/studio.ts";
import { useStudio } from "../work/studio-context.tsx";
import { toolOfHash, tools } from "../work/tools.ts";

/** In the history entry of a tab that was clicked: the person is looking at the studio, it need not be scrolled to. */
const inPlace = { isInPlace: true };

/** Chooses a tool and names it in the address. */
export function chooseTool(studio: Studio, tool: OperationName): void {
  studio.dispatch({ type: "tool-chosen", tool });
  const hash = tools.find(({ value }) => value === tool)?.anchor ?? "";
  // Not by the router: it scrolls to the section of that id, whatever it is told. `usr` is its name for `state`.
  window.history.replaceState({ ...window.history.state, usr: inPlace }, "", `#${hash}`);
}

/**
 * An address that names a tool, as `/#resize`, shows the studio with it, from the page's headline on: the section of the
 * introduction that bears the same id is where a browser without script goes.
 */
export function useToolInAddress(): void {
  const studio = useStudio();
  const location = useLocation();

  useEffect(() => {
    const tool = toolOfHash(location.hash);
    if (!tool) return;
    studio.dispatch({ type: "tool-chosen", tool });
    if (location.state?.isInPlace) return;
    const show = () => window.scrollTo({ top: 0 });
    // The browser itself goes to the section of that id, while the page loads or right after a change of the hash:
    // ours is the last word.
    if (document.readyState === "complete") {
      const frame = requestAnimationFrame(show);
      return () => cancelAnimationFrame(frame);
    }
    window.addEventListener("load", show, { once: true });
    return () => window.removeEventListener("load", show);
  }, [location, studio]);
}
