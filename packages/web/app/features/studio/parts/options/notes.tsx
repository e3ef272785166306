import { tasks } from "@tintype/contract";
import { countOf } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { hasCustomOptions } from "../../state/order.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { useFreeSteps } from "./use-free-steps.ts";

/** Notes on what the form does not show: that results are the input, and that pictures have custom options. */
export function Notes() {
  return (
    <>
      <ChainNote />
      <CustomOptionsNote />
    </>
  );
}

/** Says that the results are the input, and offers the originals instead. */
function ChainNote() {
  const studio = useStudio();
  useFreeSteps();
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

/** Says that some pictures have custom options instead of the form's. */
function CustomOptionsNote() {
  const studio = useStudio();
  const tool = useStudioState((state) => state.tool);
  const pictures = useStudioState((state) => state.pictures);
  const customised = pictures.filter((picture) => hasCustomOptions(picture, tool));
  const [first] = customised;
  if (!first) return null;
  const reset = () => {
    studio.dispatch({ type: "custom-options-set", ids: customised.map(({ id }) => id), tool, settings: undefined });
  };
  return (
    <div role="status" className="flex items-center gap-2 rounded-md bg-sunken py-1.5 pr-1.5 pl-4 text-sm">
      <p className="mr-auto min-w-0 wrap-anywhere">
        {customised.length === 1
          ? `${first.name} has its own options.`
          : `${countOf(customised.length, "image")} have their own options.`}
      </p>
      <Button kind="quiet" size="sm" aria-label="Reset: use the same options for all images" onClick={reset}>
        Reset
      </Button>
    </div>
  );
}
