import type { OperationName } from "@tintype/contract";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useStudio } from "./studio-context.tsx";
import { toolOfHash, tools } from "./tools.ts";

/** In the history entry of a tab that was clicked: the person is looking at the studio, it need not be scrolled to. */
const inPlace = { isInPlace: true };

/**
 * Keeps `/#resize` and the tool in step, both ways. An address that names a tool shows the studio with it, from the
 * page's headline on: the section of the introduction that bears the same id is where a browser without script goes.
 */
export function useToolInAddress(): { choose(tool: OperationName): void } {
  const studio = useStudio();
  const location = useLocation();
  const navigate = useNavigate();

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

  function choose(tool: OperationName) {
    studio.dispatch({ type: "tool-chosen", tool });
    const hash = tools.find(({ value }) => value === tool)?.anchor ?? "";
    void navigate({ hash }, { replace: true, preventScrollReset: true, state: inPlace });
  }
  return { choose };
}
