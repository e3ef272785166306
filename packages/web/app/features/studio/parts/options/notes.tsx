import { tasks } from "@tintype/contract";
import { countOf } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { hasOwn } from "../../state/order.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

/** Notes on what the form does not show: that results are the input, and that pictures have their own options. */
export function Notes() {
  return (
    <>
      <ChainNote />
      <OwnNote />
    </>
  );
}

/** Says that the results are the input, and offers the originals instead. */
function ChainNote() {
  const studio = useStudio();
  const run = useStudioState(({ earlierRuns }) => earlierRuns.at(-1));
  const isMany = useStudioState(({ pictures }) => pictures.length > 1);
  if (!run) return null;
  const [result, original] = isMany ? ["results", "originals"] : ["result", "original"];
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 rounded-md bg-sunken py-1.5 pr-1.5 pl-4 text-sm">
      <p className="mr-auto min-w-0">
        Using the {result} of {tasks[run.tool].label}.
      </p>
      <Button kind="quiet" size="sm" onClick={() => studio.dispatch({ type: "originals-chosen" })}>
        Use the {original}
      </Button>
    </div>
  );
}

/** Says that some pictures have their own options instead of the form's. */
function OwnNote() {
  const studio = useStudio();
  const tool = useStudioState((state) => state.tool);
  const pictures = useStudioState((state) => state.pictures);
  const mine = pictures.filter((picture) => hasOwn(picture, tool));
  const [first] = mine;
  if (!first) return null;
  const reset = () => {
    studio.dispatch({ type: "own-options-set", ids: mine.map(({ id }) => id), tool, settings: undefined });
  };
  return (
    <div role="status" className="flex items-center gap-2 rounded-md bg-sunken py-1.5 pr-1.5 pl-4 text-sm">
      <p className="mr-auto min-w-0 wrap-anywhere">
        {mine.length === 1
          ? `${first.name} has its own options.`
          : `${countOf(mine.length, "image")} have their own options.`}
      </p>
      <Button kind="quiet" size="sm" aria-label="Reset: use the same options for all images" onClick={reset}>
        Reset
      </Button>
    </div>
  );
}
