import { useEffect, useState, useSyncExternalStore } from "react";
import { useBlocker } from "react-router";
import { brand } from "../../lib/brand.ts";
import { isReplaced, type ReloadReason, reload } from "../../lib/load-chunk.ts";
import { Button } from "../../ui/button.tsx";
import { useStudio, useStudioState } from "./work/studio-context.tsx";

const reasons: Record<ReloadReason, string> = {
  updated: `${brand.name} has been updated.`,
  incomplete: "Part of this page could not be loaded.",
};

/** Says that the page must be reloaded, which keeps the pictures. */
export function ReloadNotice() {
  const studio = useStudio();
  const hasPictures = useStudioState((state) => state.pictures.length > 0);
  const due = useSyncExternalStore(reload.subscribe, reload.read, () => undefined);
  const [isRefused, setIsRefused] = useState(false);
  useBuildBeforeLeaving(hasPictures);
  const go = () => {
    if (hasPictures) studio.reload().catch(() => setIsRefused(true));
    else window.location.reload();
  };
  return (
    <div role="alert">
      {due && (
        <div className="fixed inset-x-0 bottom-0 z-40 border-t border-line bg-surface text-sm shadow-card">
          <div className="page-width flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <p>
              {isRefused
                ? "This browser cannot keep your images when the page reloads. Save what you need, then reload and add them again."
                : `${reasons[due]} Please reload the page to continue.${hasPictures ? " Your images stay." : ""}`}
            </p>
            {!isRefused && (
              <Button kind="primary" onClick={go}>
                Reload
              </Button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** The router reloads the page if another page's script fails to load, which would lose the pictures. So check the build first. */
function useBuildBeforeLeaving(hasPictures: boolean): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasPictures && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    let isOver = false;
    isReplaced()
      .then((isGone) => {
        if (isOver) return;
        if (!isGone) return blocker.proceed();
        reload.set("updated");
        blocker.reset();
      })
      .catch(() => undefined); // another navigation has taken its place: the blocker throws then
    return () => {
      isOver = true;
    };
  }, [blocker]);
}
