import { Suspense } from "react";
import { lazyChunk } from "../../lib/load-chunk.ts";
import { Tabs, tabId } from "../../ui/tabs.tsx";
import { OfflineNotice } from "./parts/offline-notice.tsx";
import { OptionsPanel } from "./parts/options/options-panel.tsx";
import { useRecipeInAddress } from "./parts/recipe/use-recipe-in-address.ts";
import { DropZone } from "./parts/stage/drop-zone.tsx";
import { useArrivals } from "./parts/stage/use-arrivals.ts";
import { useIntake } from "./parts/stage/use-intake.ts";
import { chooseTool, useToolInAddress } from "./parts/use-tool-in-address.ts";
import { useHasPictures, useStudio, useStudioState } from "./work/studio-context.tsx";
import { panelId, tools } from "./work/tools.ts";

// Shown once a picture has been added, in one chunk.
const loadWorkspace = () => import("./parts/workspace.ts");
const Workbench = lazyChunk(async () => ({ default: (await loadWorkspace()).Workbench }));
const Outcome = lazyChunk(async () => ({ default: (await loadWorkspace()).Outcome }));
const Notices = lazyChunk(async () => ({ default: (await loadWorkspace()).Notices }));
const SharedPictures = lazyChunk(async () => ({ default: (await loadWorkspace()).SharedPictures }));

/** The studio: choose a tool, add pictures, download the results. */
export function StudioSection() {
  const tool = useStudioState((state) => state.tool);
  const isEmpty = useStudioState(({ pictures }) => pictures.length === 0);
  const hasPictures = useHasPictures();
  const hasNotices = useStudioState(({ refusals, removals }) => refusals.length + removals.length > 0);
  const studio = useStudio();
  useToolInAddress();
  useRecipeInAddress();
  const { shared, dismissShared } = useArrivals();
  const isHeldOver = useIntake();

  return (
    <section
      aria-label="Studio"
      data-workspace={hasPictures ? true : undefined}
      className="rounded-lg border border-line bg-surface shadow-card"
      // Loads the code ahead of the first click.
      onPointerOver={studio.begin}
      onFocus={studio.begin}
    >
      <OfflineNotice />
      <div className="studio-tools border-b border-line px-1 sm:px-3">
        <Tabs
          label="Tools"
          tabs={tools}
          value={tool}
          onChoose={(chosen) => chooseTool(studio, chosen)}
          panelId={panelId}
        />
      </div>
      <div
        role="tabpanel"
        id={panelId}
        aria-labelledby={tabId(panelId, tool)}
        className="studio-panel grid grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_17.5rem] lg:grid-cols-[minmax(0,1fr)_20.5rem]"
      >
        <div className="flex min-h-0 min-w-0 flex-col p-2 sm:p-3">
          <Suspense fallback={<DropZone isHeldOver />}>{hasPictures && <Workbench isHeldOver={isHeldOver} />}</Suspense>
          {!hasPictures && <DropZone isHeldOver={isHeldOver || !isEmpty} />}
          {isEmpty && hasNotices && (
            <Suspense fallback={null}>
              <Notices />
            </Suspense>
          )}
        </div>
        <div className="inspector flex min-w-0 flex-col">
          {hasPictures && (
            <Suspense fallback={null}>
              <Outcome />
            </Suspense>
          )}
          <OptionsPanel />
        </div>
      </div>
      {shared.length > 0 && (
        <Suspense fallback={null}>
          <SharedPictures files={shared} onDone={dismissShared} />
        </Suspense>
      )}
      <Announcer />
    </section>
  );
}

/** The studio's live region for screen readers. */
function Announcer() {
  const announcements = useStudioState((state) => state.announcements);
  return (
    <div role="log" aria-live="polite" aria-relevant="additions" aria-label="Progress" className="sr-only">
      {announcements.map(({ id, sentence }) => (
        <p key={id}>{sentence}</p>
      ))}
    </div>
  );
}
