import type { ResultFormat } from "../format.ts";
import { manifestOf, type TaskName } from "./index.ts";
import type { OperationManifest } from "./manifest.ts";

/** Nothing but the time it takes tells for sure how dear an SVG is to draw. */
const drawingLimitMs = 10_000;

type TimeLimits = {
  /** The longest that the file may take, ms. */
  timeLimitMs: number;
  /** The longest until the engine tells its first progress, ms. */
  firstProgressLimitMs?: number;
};

/**
 * The time that a task may take for a file of this format. Networks and the writing of several sizes begin once an SVG is drawn,
 * and their progress is told from then on; all else that is done to an SVG is drawing it.
 */
export function timeLimitsOf(name: TaskName, format: ResultFormat | undefined): TimeLimits {
  const { timeLimitMs, work, mostSizes } = manifestOf(name);
  if (format !== "svg") return { timeLimitMs };
  if (work === "model" || mostSizes !== undefined) return { timeLimitMs, firstProgressLimitMs: drawingLimitMs };
  return { timeLimitMs: Math.min(timeLimitMs, drawingLimitMs) };
}

/** Processor time of a file: so much, and so much more for each megapixel of all its frames. Ten times the usual need. */
const timeByPixels = {
  picture: { baseMs: 30_000, perMegapixelMs: 5_000 },
  model: { baseMs: 120_000, perMegapixelMs: 30_000 },
} as const satisfies Record<OperationManifest["work"], object>;

/**
 * The time that a task may take for a picture of this size, ms; never more than `timeLimitsOf` gives. A small picture
 * that keeps an engine for minutes was made to do that.
 */
export function timeLimitForSize(name: TaskName, megapixels: number): number {
  const { timeLimitMs, work, mostSizes = 1 } = manifestOf(name);
  const { baseMs, perMegapixelMs } = timeByPixels[work];
  return Math.min(timeLimitMs, baseMs + perMegapixelMs * megapixels * mostSizes);
}
