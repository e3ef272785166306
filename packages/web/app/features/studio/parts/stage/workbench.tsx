import { useEffect, useRef } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { scrollBehavior } from "../../../../lib/scroll-behavior.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { PictureGrid } from "./picture-grid.tsx";
import { PictureStrip } from "./picture-strip.tsx";
import { Stage } from "./stage.tsx";
import { StageToolbar } from "./stage-toolbar.tsx";

/** The plate with pictures: a toolbar, the selected picture or the grid, and the strip of thumbnails. */
export function Workbench({ isHeldOver }: { isHeldOver: boolean }) {
  const count = useStudioState((state) => state.pictures.length);
  const batch = useStudioState(({ run }) => run?.reusedIds);
  const seenBatch = useRef(batch);
  const bench = useRef<HTMLDivElement>(null);
  const isGrid = useStudioState(({ grid }) => grid.isOpen) && count > 1;
  // The studio begins at the top of the window, however far down the page its first picture was added.
  useEffect(() => {
    document.documentElement.scrollTop = 0;
  }, []);
  // On a phone the options are below the plate, which shows the progress or a reused result, so scroll to it.
  useEffect(() => {
    if (batch && batch !== seenBatch.current)
      bench.current?.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
    seenBatch.current = batch;
  }, [batch]);
  return (
    <div ref={bench} className="bench flex min-h-0 min-w-0 flex-1 scroll-my-20 flex-col">
      {/* Focusable, so that a click on the picture enables the key F. */}
      <div
        data-plate
        tabIndex={-1}
        className={joinClasses(
          "plate relative outline-none flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-md",
          isHeldOver && "plate-lit",
        )}
      >
        <StageToolbar isGrid={isGrid} />
        {isGrid && <PictureGrid />}
        {/* Stays mounted, because it holds the strokes of an edit and pending choices. */}
        <div className={isGrid ? "hidden" : "contents"}>
          <Stage isSeen={!isGrid} />
        </div>
        {count > 1 && !isGrid && <PictureStrip />}
      </div>
    </div>
  );
}
