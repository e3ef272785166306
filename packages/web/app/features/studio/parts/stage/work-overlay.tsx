import { formatNumber } from "../../../../lib/size.ts";
import { Progress } from "../../../../ui/progress.tsx";
import type { Picture } from "../../state/picture.ts";
import type { Run } from "../../state/studio-state.ts";
import { stageProgress } from "../../state/summary.ts";
import { useStudioState } from "../../work/studio-context.tsx";

/** Over the picture while it is worked on: what is being done, and how far it is. */
export function WorkOverlay({ picture }: { picture: Picture }) {
  const run = useStudioState((state) => state.run);
  return (
    <div className="absolute inset-0 flex items-end bg-black/35 p-4">
      <div className="w-full rounded-md bg-black/80 px-4 py-3">
        <p className="mb-2 text-sm">{stageOf(picture, run)}</p>
        <Progress label={picture.name} value={stageProgress(picture)} />
      </div>
    </div>
  );
}

/** `Uploading 34%`, `In the queue, 3 ahead of yours`, `Loading the model`. */
export function stageOf({ outcome }: Picture, run: Run | undefined): string {
  switch (outcome.kind) {
    case "uploading":
      return outcome.share === 1 ? "Uploaded" : `Uploading ${Math.round(outcome.share * 100)}%`;
    case "waiting":
      return run && "position" in run && run.position
        ? `In the queue, ${formatNumber(run.position)} ahead of yours`
        : "In the queue";
    case "working":
      return outcome.stage ?? "Working";
    case "fetching":
      return "Downloading result";
    default:
      return "";
  }
}
