import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useToasts } from "../../../ui/toast-area.tsx";
import { useStudio } from "../studio-context.tsx";

/** Puts the steps of a shared link into the studio, and takes them out of the address: steps that are changed later stay. */
export function useRecipeInAddress(): void {
  const studio = useStudio();
  const notify = useToasts();
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!hash.startsWith("#recipe=")) return;
    let isGone = false;
    void import("./recipe-link.ts").then(
      ({ readLink }) => {
        if (isGone) return;
        const chosen = readLink(hash);
        if (chosen) studio.dispatch({ type: "steps-chosen", ...chosen });
        else notify.error("This link holds no recipe that the studio knows.");
        void navigate({ hash: "" }, { replace: true, preventScrollReset: true });
      },
      () => notify.error("The recipe of this link could not be loaded. Please try again."),
    );
    return () => {
      isGone = true;
    };
  }, [hash, studio, notify, navigate]);
}
