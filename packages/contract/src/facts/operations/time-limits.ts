import type { ResultFormat } from "../format.ts";
import { manifestOf, type TaskName } from "./index.ts";
import type { OperationManifest } from "./manifest.ts";

/** The cost of rendering an SVG is unknown until it is rendered. */
const drawingLimitMs = 10_000;

type TimeLimits = {
  /** Time limit for the file, ms. */
  timeLimitMs: number;
  /** Time limit for the engine's first progress report, ms. */
  firstProgressLimitMs?: number;
};

/**
 * A task's time limits for a file of this format. Tasks that run a neural network or write several sizes report progress once the SVG
 * is rendered, so only the rendering gets the short limit. All other tasks on an SVG are mostly rendering.
 */
export function timeLimitsOf(name: TaskName, format: ResultFormat | undefined): TimeLimits {
  const { timeLimitMs, work, maxSizes } = manifestOf(name);
  if (format !== "svg") return { timeLimitMs };
  if (work === "model" || maxSizes !== undefined) return { timeLimitMs, firstProgressLimitMs: drawingLimitMs };
  return { timeLimitMs: Math.min(timeLimitMs, drawingLimitMs) };
}

/** CPU time limit of a file: a base, plus an amount per megapixel over all its frames. Ten times the typical cost. */
const timeByPixels = {
  picture: { baseMs: 30_000, perMegapixelMs: 5_000 },
  model: { baseMs: 120_000, perMegapixelMs: 30_000 },
} as const satisfies Record<OperationManifest["work"], object>;

/**
 * A task's time limit for a picture of this size, ms. Never more than `timeLimitsOf` returns. A small picture that keeps an
 * engine busy for minutes was crafted to do so.
 */
export function timeLimitForSize(name: TaskName, megapixels: number): number {
  const { timeLimitMs, work, maxSizes = 1 } = manifestOf(name);
  const { baseMs, perMegapixelMs } = timeByPixels[work];
  return Math.min(timeLimitMs, baseMs + perMegapixelMs * megapixels * maxSizes);
}
