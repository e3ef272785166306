import { compressForm } from "./compress.ts";
import { convertForm } from "./convert.ts";
import { type TaskName, tasks } from "./index.ts";
import type { OperationForm, OperationManifest, OptionsOf } from "./manifest.ts";
import { previewForm } from "./preview.ts";
import { removeBackgroundForm } from "./remove-background.ts";
import { resizeForm } from "./resize.ts";
import { uploadForm } from "./upload.ts";
import { upscaleForm } from "./upscale.ts";

/** The form of each task; a task without one does not compile. */
export const taskForms = {
  compress: compressForm,
  resize: resizeForm,
  upscale: upscaleForm,
  "remove-background": removeBackgroundForm,
  convert: convertForm,
  upload: uploadForm,
  preview: previewForm,
} as const satisfies Record<TaskName, OperationForm>;

export type TaskOptions<Name extends TaskName> = OptionsOf<(typeof taskForms)[Name]["fields"]>;

/** A task's facts and form without the precision of their own types, for code that treats all tasks alike. */
export const manifestOf = (name: TaskName): OperationManifest => ({ ...tasks[name], ...taskForms[name] });
