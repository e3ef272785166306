import type { OperationName } from "@tintype/contract";
import type { Picture, Result } from "./picture.ts";
import type { StudioState } from "./studio-state.ts";

export type Summary = {
  done: number;
  failed: number;
  unchanged: number;
  cancelled: number;
  unsaved: number;
  /** Source bytes of the finished pictures. */
  beforeBytes: number;
  afterBytes: number;
};

/** Counts pictures by outcome and sums the bytes of the finished ones. */
export function summarise(pictures: readonly Picture[]): Summary {
  const summary: Summary = {
    done: 0,
    failed: 0,
    unchanged: 0,
    cancelled: 0,
    unsaved: 0,
    beforeBytes: 0,
    afterBytes: 0,
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

/** A picture's progress in its current stage, 0..1. A waiting picture is at 0. */
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

/** A picture's progress, 0..1: first in the upload, then in the work up to the download of its result. */
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

/** The current run's progress, 0..1: first its upload, then its work. A queued batch is at 0. */
export function runProgress({ run, pictures }: StudioState): number {
  if (!run) return 0;
  const ids = new Set(run.ids);
  const inRun = pictures.filter(({ id }) => ids.has(id));
  return inRun.reduce((sum, picture) => sum + progressOf(picture), 0) / Math.max(1, inRun.length);
}

/** The finished pictures, each with its result and the tool that made it. */
export const finishedOf = ({
  pictures,
  run,
  tool,
}: Pick<StudioState, "pictures" | "run" | "tool">): ReadonlyArray<{
  picture: Picture;
  result: Result;
  tool: OperationName;
}> =>
  pictures.flatMap((picture) =>
    picture.outcome.kind === "done" ? [{ picture, result: picture.outcome.result, tool: run?.tool ?? tool }] : [],
  );

/** Earlier than this, or below `minShare`, the pace is no basis for an estimate. */
const minElapsedMs = 4_000;
const minShare = 0.04;

/** `about 2 minutes left`, estimated from the pace so far; empty while there is too little to go by. */
export function timeLeft({ elapsedMs, share }: { elapsedMs: number; share: number }): string {
  if (elapsedMs < minElapsedMs || share < minShare || share >= 1) return "";
  const seconds = Math.ceil(((elapsedMs / share) * (1 - share)) / 1000);
  if (seconds < 10) return "a few seconds left";
  if (seconds < 55) return `about ${Math.round(seconds / 10) * 10} seconds left`;
  const minutes = Math.round(seconds / 60);
  return minutes <= 1 ? "about a minute left" : `about ${minutes} minutes left`;
}
