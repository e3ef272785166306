import type { TaskName } from "@tintype/contract";
import { compress } from "./compress.ts";
import { convert } from "./convert.ts";
import type { NeuralOperation } from "./operation.ts";
import { preview } from "./preview.ts";
import { removeBackground } from "./remove-background.ts";
import { resize } from "./resize.ts";
import { upload } from "./upload.ts";
import { upscale } from "./upscale.ts";

/** The registry: a task of the contract without an operation here does not compile. */
export const operations = {
  compress,
  resize,
  upscale,
  "remove-background": removeBackground,
  convert,
  upload,
  preview,
} as const satisfies Record<TaskName, NeuralOperation>;
