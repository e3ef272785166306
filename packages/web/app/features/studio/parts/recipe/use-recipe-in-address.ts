import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { tryChunk } from "../../../../lib/load-chunk.ts";
import { useToasts } from "../../../../ui/toasts.tsx";
import { useStudio } from "../../work/studio-context.tsx";

/**
 * Loads the steps of a shared link into the studio. Elsewhere than on the page of shared recipes they are removed from the URL, so that
 * the link does not overwrite later changes.
 */
export function useRecipeInAddress(): void {
  const studio = useStudio();
  const notify = useToasts();
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!hash.startsWith("#recipe=")) return;
    let isGone = false;
    void tryChunk(() => import("./recipe-link.ts")).then(
      ({ readLink }) => {
        if (isGone) return;
        const chosen = readLink(hash);
        if (chosen) studio.dispatch({ type: "steps-chosen", ...chosen });
        else notify.error("This link does not contain a valid recipe.");
        if (pathname === "/") void navigate({ hash: "" }, { replace: true, preventScrollReset: true });
      },
      () => notify.error("The recipe in this link could not be loaded. Please try again."),
    );
    return () => {
      isGone = true;
    };
  }, [hash, pathname, studio, notify, navigate]);
}
