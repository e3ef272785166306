import type { ResultFormat } from "../format.ts";
import { compressForm } from "./compress-form.ts";
import { convertForm } from "./convert-form.ts";
import { cropForm } from "./crop-form.ts";
import { editForm } from "./edit-form.ts";
import { type TaskName, tasks } from "./index.ts";
import type { OperationForm, OperationManifest, OptionsOf } from "./manifest.ts";
import { previewForm } from "./preview-form.ts";
import { removeBackgroundForm } from "./remove-background-form.ts";
import { resizeForm } from "./resize-form.ts";
import { turnForm } from "./turn-form.ts";
import { uploadForm } from "./upload-form.ts";
import { upscaleForm } from "./upscale-form.ts";
import { webSetForm } from "./web-set-form.ts";

/** The form of each task; a task without one does not compile. */
export const taskForms = {
  compress: compressForm,
  resize: resizeForm,
  upscale: upscaleForm,
  "remove-background": removeBackgroundForm,
  convert: convertForm,
  "web-set": webSetForm,
  crop: cropForm,
  turn: turnForm,
  upload: uploadForm,
  preview: previewForm,
  edit: editForm,
} as const satisfies Record<TaskName, OperationForm>;

export type TaskOptions<Name extends TaskName> = OptionsOf<(typeof taskForms)[Name]["fields"]>;

/** A task's facts and form without the precision of their own types, for code that treats all tasks alike. */
export const manifestOf = (name: TaskName): OperationManifest => ({ ...tasks[name], ...taskForms[name] });

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
  const { timeLimitMs, work, mostSizes }: OperationForm = taskForms[name];
  if (format !== "svg") return { timeLimitMs };
  if (work === "model" || mostSizes !== undefined) return { timeLimitMs, firstProgressLimitMs: drawingLimitMs };
  return { timeLimitMs: Math.min(timeLimitMs, drawingLimitMs) };
}

/** Processor time of a file: so much, and so much more for each megapixel of all its frames. Ten times the usual need. */
const timeByPixels = {
  picture: { baseMs: 30_000, perMegapixelMs: 5_000 },
  model: { baseMs: 120_000, perMegapixelMs: 30_000 },
} as const satisfies Record<OperationForm["work"], object>;

/**
 * The time that a task may take for a picture of this size, ms; never more than `timeLimitsOf` gives. A small picture
 * that keeps an engine for minutes was made to do that.
 */
export function timeLimitForSize(name: TaskName, megapixels: number): number {
  const { timeLimitMs, work, mostSizes = 1 }: OperationForm = taskForms[name];
  const { baseMs, perMegapixelMs } = timeByPixels[work];
  return Math.min(timeLimitMs, baseMs + perMegapixelMs * megapixels * mostSizes);
}
