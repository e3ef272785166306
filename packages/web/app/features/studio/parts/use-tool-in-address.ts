import type { OperationName } from "@tintype/contract";
import { useEffect } from "react";
import { useLocation } from "react-router";
import type { Studio } from "../work/studio.ts";
import { useStudio } from "../work/studio-context.tsx";
import { anchorOf, toolOfHash } from "../work/tools.ts";

/** Marks the history entry of a clicked tab: the user already sees the studio, so do not scroll. */
const inPlace = { isInPlace: true };

/** Selects a tool and puts it into the URL. */
export function chooseTool(studio: Studio, tool: OperationName): void {
  studio.dispatch({ type: "tool-chosen", tool });
  // Bypasses the router, which would always scroll to the section with that id. `usr` is its key for `state`.
  window.history.replaceState({ ...window.history.state, usr: inPlace }, "", `#${anchorOf(tool)}`);
}

/**
 * A URL that names a tool, such as `/#resize`, selects it in the studio and scrolls to the top of the page. The introduction with
 * the same id is the target without JavaScript.
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
    // The browser scrolls to the element with that id while the page loads or right after a hash change, so scroll
    // after it.
    if (document.readyState === "complete") {
      const frame = requestAnimationFrame(show);
      return () => cancelAnimationFrame(frame);
    }
    window.addEventListener("load", show, { once: true });
    return () => window.removeEventListener("load", show);
  }, [location, studio]);
}
