import { useCallback, useEffect, useRef, useState } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { scrollBehavior } from "../../../../lib/scroll-behavior.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { RunEnd } from "../results/run-end.tsx";
import { RunUnderWay } from "../results/run-under-way.tsx";
import { Judgement } from "./judgement.tsx";
import { Notices } from "./notices.tsx";
import { PictureGrid } from "./picture-grid.tsx";
import { PictureStrip } from "./picture-strip.tsx";
import { Stage } from "./stage.tsx";
import { StageToolbar } from "./stage-toolbar.tsx";

/** The plate with pictures, and the state of their batch. */
export function Workbench({ isHeldOver }: { isHeldOver: boolean }) {
  const count = useStudioState((state) => state.pictures.length);
  const batch = useStudioState(({ run }) => run?.reusedIds);
  const seenBatch = useRef(batch);
  const bench = useRef<HTMLDivElement>(null);
  const [isGridChosen, setIsGridChosen] = useState(false);
  const isGrid = isGridChosen && count > 1;
  const closeGrid = useCallback(() => setIsGridChosen(false), []);
  // On a phone Submit is a screen below the plate, which shows the progress or a reused result, so scroll to it.
  useEffect(() => {
    if (batch && batch !== seenBatch.current)
      bench.current?.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
    seenBatch.current = batch;
  }, [batch]);
  return (
    <div ref={bench} className="flex min-w-0 flex-1 scroll-my-20 flex-col">
      {/* Focusable, so that a click on the picture enables the key F. */}
      <div
        data-plate
        tabIndex={-1}
        className={joinClasses(
          "plate relative outline-none flex min-h-80 min-w-0 flex-1 flex-col overflow-hidden rounded-md md:min-h-104",
          isHeldOver && "plate-lit",
        )}
      >
        <StageToolbar isGrid={isGrid} onGrid={count > 1 ? setIsGridChosen : undefined} />
        {isGrid && <PictureGrid onOpen={closeGrid} />}
        {/* Stays mounted, because it holds the strokes of an edit and pending choices. */}
        <div className={isGrid ? "hidden" : "contents"}>
          <Stage isSeen={!isGrid} />
        </div>
        {count > 1 && !isGrid && <PictureStrip />}
      </div>
      <Notices />
      <Judgement />
      <RunBar />
    </div>
  );
}

/** Below the plate: the progress of a running batch, then its outcome. */
function RunBar() {
  const phase = useStudioState(({ run }) => run?.phase);
  const isRefused = useStudioState(({ run }) => run?.phase === "ended" && run.ending === "failed");
  if (phase === undefined || isRefused) return null; // the reason is shown beside Submit
  return <div className="px-2 pt-4 pb-2 sm:px-3">{phase === "ended" ? <RunEnd /> : <RunUnderWay />}</div>;
}
