import { formatNumber } from "../../../../lib/size.ts";
import { Progress } from "../../../../ui/progress.tsx";
import type { Picture } from "../../state/picture.ts";
import type { Run } from "../../state/studio-state.ts";
import { stageProgress } from "../../state/summary.ts";
import { useStudioState } from "../../work/studio-context.tsx";

/** Overlay on a picture that is being processed: its stage and progress. */
export function WorkOverlay({ picture }: { picture: Picture }) {
  const position = useStudioState(({ run }) => queuePosition(run));
  return (
    <div className="absolute inset-0 flex items-end bg-black/35 p-4">
      <div className="w-full rounded-md bg-black/80 px-4 py-3">
        <p className="mb-2 text-sm">{stageOf(picture, position)}</p>
        <Progress label={picture.name} value={stageProgress(picture)} />
      </div>
    </div>
  );
}

/** How many pictures are ahead of a batch in the queue. */
export const queuePosition = (run: Run | undefined): number | undefined =>
  run && "position" in run ? run.position : undefined;

/** `Uploading 34%`, `In the queue, 3 ahead of yours`, `Loading the model`. */
export function stageOf({ outcome }: Picture, position: number | undefined): string {
  switch (outcome.kind) {
    case "uploading":
      return outcome.share === 1 ? "Uploaded" : `Uploading ${Math.round(outcome.share * 100)}%`;
    case "waiting":
      return position ? `In the queue, ${formatNumber(position)} ahead of yours` : "In the queue";
    case "working":
      return outcome.stage ?? "Working";
    case "fetching":
      return "Downloading result";
    default:
      return "";
  }
}
