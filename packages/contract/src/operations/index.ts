import type { InputFormat } from "../format.ts";
import { compress } from "./compress.ts";
import { convert } from "./convert.ts";
import type { OperationManifest, OptionsOf } from "./manifest.ts";
import { preview } from "./preview.ts";
import { removeBackground } from "./remove-background.ts";
import { resize } from "./resize.ts";
import { upload } from "./upload.ts";
import { upscale } from "./upscale.ts";

/** The registry. A new operation is a line here, a line in `imaging/src/operations/index.ts`, and a file beside each. */
export const tasks = {
  compress,
  resize,
  upscale,
  "remove-background": removeBackground,
  convert,
  upload,
  preview,
} as const satisfies Record<string, OperationManifest>;

export type TaskName = keyof typeof tasks;
/** A task that costs credits. */
export type OperationName = {
  [Name in TaskName]: (typeof tasks)[Name]["creditsPerFile"] extends 0 ? never : Name;
}[TaskName];
export type TaskOptions<Name extends TaskName> = OptionsOf<(typeof tasks)[Name]["fields"]>;

export const isTask = (name: string): name is TaskName => Object.hasOwn(tasks, name);
export const costsCredits = (name: TaskName): name is OperationName => tasks[name].creditsPerFile > 0;

export const taskNames = Object.keys(tasks) as readonly TaskName[] as readonly [TaskName, ...TaskName[]]; // not empty
export const operationNames = taskNames.filter(costsCredits) as readonly OperationName[] as readonly [
  OperationName,
  ...OperationName[],
]; // not empty

/** A task's row without the precision of its own type, for code that treats all tasks alike. */
export const manifestOf = (name: TaskName): OperationManifest => tasks[name];

/** Nothing but the time it takes tells for sure how dear an SVG is to draw. */
const drawingLimitMs = 10_000;

type TimeLimits = {
  /** The longest that the file may take, ms. */
  timeLimitMs: number;
  /** The longest until the engine tells its first progress, ms. */
  firstProgressLimitMs?: number;
};

/**
 * The time that a task may take for a file of this format. Networks begin once an SVG is drawn, and their progress is told
 * from then on; all else that is done to an SVG is drawing it.
 */
export function timeLimitsOf(name: TaskName, format: InputFormat | undefined): TimeLimits {
  const { timeLimitMs, work } = manifestOf(name);
  if (format !== "svg") return { timeLimitMs };
  if (work === "model") return { timeLimitMs, firstProgressLimitMs: drawingLimitMs };
  return { timeLimitMs: Math.min(timeLimitMs, drawingLimitMs) };
}
