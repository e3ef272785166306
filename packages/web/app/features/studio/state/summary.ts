import type { OperationName } from "@tintype/contract";
import { isBusy, type Picture } from "./picture.ts";
import type { StudioState } from "./studio-state.ts";

export type Summary = {
  done: number;
  failed: number;
  unchanged: number;
  cancelled: number;
  unsaved: number;
  /** Of those that are done. */
  beforeBytes: number;
  afterBytes: number;
};

/** Counts of a list of pictures by what became of them, and the bytes of those that are done. */
export function summarise(pictures: readonly Picture[]): Summary {
  const summary: Summary = {
    ...{ done: 0, failed: 0, unchanged: 0, cancelled: 0, unsaved: 0 },
    ...{ beforeBytes: 0, afterBytes: 0 },
  };
  for (const { outcome, sizeBytes } of pictures) {
    if (outcome.kind === "failed" || outcome.kind === "unchanged" || outcome.kind === "cancelled")
      summary[outcome.kind] += 1;
    if (outcome.kind !== "done") continue;
    summary.done += 1;
    if (!outcome.result.isSaved) summary.unsaved += 1;
    summary.beforeBytes += sizeBytes;
    summary.afterBytes += outcome.result.sizeBytes;
  }
  return summary;
}

/** How far a picture is with the stage that it is in, 0..1. Nothing is done to one that waits. */
export function stageProgress({ outcome }: Picture): number {
  switch (outcome.kind) {
    case "none":
    case "waiting":
      return 0;
    case "uploading":
      return outcome.share;
    case "working":
      return outcome.progress;
    default:
      return 1;
  }
}

/** How far a picture is with the upload, and after it with the work up to its result being here, 0..1. */
function progressOf(picture: Picture): number {
  switch (picture.outcome.kind) {
    case "working":
      return stageProgress(picture) * 0.95;
    case "fetching":
      return 0.95;
    default:
      return stageProgress(picture);
  }
}

/** How far the present run is, 0..1: first with its upload, then with its work. A batch in the queue has an empty bar. */
export function runProgress({ run, pictures }: StudioState): number {
  if (!run) return 0;
  const ids = new Set(run.ids);
  const inRun = pictures.filter(({ id }) => ids.has(id));
  return inRun.reduce((sum, picture) => sum + progressOf(picture), 0) / Math.max(1, inRun.length);
}

/** Below this a cut-out is worth a look before it is used. */
export const doubtfulBelow = 0.8;

/** In order of showing: of a batch of cut-outs the most doubtful come first, all else stays as it was dropped. */
export function shownOrder(pictures: readonly Picture[], tool: OperationName | undefined): readonly Picture[] {
  if (tool !== "remove-background" || pictures.some(isBusy)) return pictures;
  const doubt = ({ outcome }: Picture) => (outcome.kind === "done" ? (outcome.confidence ?? 1) : 1);
  return pictures.toSorted((one, other) => doubt(one) - doubt(other));
}
