import { Suspense } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { Tabs, tabId } from "../../ui/tabs.tsx";
import { Announcer } from "./announcer.tsx";
import { useArrivals } from "./arrivals/use-arrivals.ts";
import { OfflineNotice } from "./offline-notice.tsx";
import { OptionsPanel } from "./options/options-panel.tsx";
import { useRecipeInAddress } from "./recipe/use-recipe-in-address.ts";
import { EmptyPlate } from "./stage/empty-plate.tsx";
import { useStudio, useStudioState } from "./studio-context.tsx";
import { panelId, tools } from "./tools.ts";
import { useIntake } from "./use-intake.ts";
import { chooseTool, useToolInAddress } from "./use-tool-in-address.ts";

const Workbench = lazyPart(() => import("./stage/workbench.tsx"));
const ResultList = lazyPart(() => import("./results/result-list.tsx"));

const Refusals = lazyPart(() => import("./stage/refusals.tsx"));
const Removals = lazyPart(() => import("./stage/removals.tsx"));
const RecentResults = lazyPart(() => import("./kept/recent-results.tsx"));

/** The studio: choose a tool, drop pictures, get them back. */
export function StudioSection() {
  const tool = useStudioState((state) => state.tool);
  const hasPictures = useStudioState((state) => state.pictures.length > 0);
  const hasRefusals = useStudioState(({ refusals }) => refusals.length > 0);
  const hasRemovals = useStudioState((state) => state.removals.length > 0);
  const hasRecent = useStudioState((state) => state.recent.length > 0);
  const studio = useStudio();
  useToolInAddress();
  useRecipeInAddress();
  useArrivals();
  const isHeldOver = useIntake();

  return (
    <section aria-label="Studio" className="rounded-lg border border-line bg-surface shadow-card">
      <OfflineNotice />
      <div className="border-b border-line px-1 sm:px-3">
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
        className="grid grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_17.5rem] lg:grid-cols-[minmax(0,1fr)_20.5rem]"
      >
        <div className="flex min-w-0 flex-col p-2 sm:p-3">
          {hasPictures ? (
            <Suspense fallback={<EmptyPlate isHeldOver />}>
              <Workbench isHeldOver={isHeldOver} />
            </Suspense>
          ) : (
            <EmptyPlate isHeldOver={isHeldOver} />
          )}
          {!hasPictures && hasRefusals && (
            <Suspense fallback={null}>
              <Refusals />
            </Suspense>
          )}
          {hasRemovals && (
            <Suspense fallback={null}>
              <Removals />
            </Suspense>
          )}
        </div>
        {hasPictures && (
          <Suspense fallback={null}>
            <ResultList />
          </Suspense>
        )}
        <OptionsPanel />
      </div>
      {hasRecent && (
        <Suspense fallback={null}>
          <RecentResults />
        </Suspense>
      )}
      <Announcer />
    </section>
  );
}
