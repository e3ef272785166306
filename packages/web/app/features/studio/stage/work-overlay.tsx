import { Progress } from "../../../ui/progress.tsx";
import type { Picture } from "../state/picture.ts";
import { progressOf } from "../state/summary.ts";

/** Over the picture while it is worked on: what is being done, and how far it is. */
export function WorkOverlay({ picture }: { picture: Picture }) {
  return (
    <div className="absolute inset-0 flex items-end bg-black/35 p-4">
      <div className="w-full rounded-md bg-black/80 px-4 py-3">
        <p className="mb-2 text-sm">{stageOf(picture)}</p>
        <Progress label={picture.name} value={progressOf(picture)} />
      </div>
    </div>
  );
}

/** `Uploading 34%`, `Waiting its turn`, `Loading the model`. */
export function stageOf({ outcome }: Picture): string {
  switch (outcome.kind) {
    case "uploading":
      return outcome.share === 1 ? "Uploaded" : `Uploading ${Math.round(outcome.share * 100)}%`;
    case "waiting":
      return "Waiting its turn";
    case "working":
      return outcome.stage ?? "Working";
    case "fetching":
      return "Bringing the result over";
    default:
      return "";
  }
}
