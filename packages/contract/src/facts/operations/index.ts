import { compress } from "./compress.ts";
import { convert } from "./convert.ts";
import { crop } from "./crop.ts";
import { edit } from "./edit.ts";
import type { AuxiliaryFile, OperationManifest, OptionsOf } from "./manifest.ts";
import { preview } from "./preview.ts";
import { removeBackground } from "./remove-background.ts";
import { resize } from "./resize.ts";
import { turn } from "./turn.ts";
import { upload } from "./upload.ts";
import { upscale } from "./upscale.ts";
import { watermark } from "./watermark.ts";
import { webSet } from "./web-set.ts";

/** The manifest of each task. A new one needs a file and a line here, texts in `reference/`, and code in `imaging/src/operations`. */
export const tasks = {
  compress,
  resize,
  upscale,
  "remove-background": removeBackground,
  convert,
  "web-set": webSet,
  crop,
  turn,
  watermark,
  upload,
  preview,
  edit,
} as const satisfies Record<string, OperationManifest>;

export type TaskName = keyof typeof tasks;
export type TaskOptions<Name extends TaskName> = OptionsOf<(typeof tasks)[Name]["fields"]>;

/** A task's manifest, widened to the general type for code that treats all tasks alike. */
export const manifestOf = (name: TaskName): OperationManifest => tasks[name];
export const auxiliaryFilesOf = (name: TaskName): readonly AuxiliaryFile[] => manifestOf(name).auxiliaryFiles ?? [];

/** A task that costs credits. */
export type OperationName = {
  [Name in TaskName]: (typeof tasks)[Name]["creditsPerFile"] extends 0 ? never : Name;
}[TaskName];

export const isTask = (name: string): name is TaskName => Object.hasOwn(tasks, name);
export const costsCredits = (name: TaskName): name is OperationName => tasks[name].creditsPerFile > 0;

/** Whether it is a step before an operation, and not a separate tool in the studio. */
export const isStep = (name: TaskName): boolean => "isStep" in tasks[name];
/** Whether its result is a ZIP of several pictures, which no step can follow. */
export const isLastStep = (name: TaskName): boolean => "isLastStep" in tasks[name];

export const taskNames = Object.keys(tasks) as readonly TaskName[] as readonly [TaskName, ...TaskName[]]; // not empty
export const operationNames = taskNames.filter(costsCredits) as readonly OperationName[] as readonly [
  OperationName,
  ...OperationName[],
]; // not empty
