import type { EngineTask } from "../task.ts";
import { compress } from "./compress.ts";
import { convert } from "./convert.ts";
import { crop } from "./crop.ts";
import { edit } from "./edit.ts";
import type { NeuralOperation } from "./operation.ts";
import { preview } from "./preview.ts";
import { removeBackground } from "./remove-background.ts";
import { resize } from "./resize.ts";
import { markAsTest } from "./test-mark.ts";
import { turn } from "./turn.ts";
import { upload } from "./upload.ts";
import { upscale } from "./upscale.ts";
import { watermark } from "./watermark.ts";
import { webSet } from "./web-set.ts";

/** The registry: a task without an operation does not compile. */
export const operations = {
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
  "test-mark": markAsTest,
} as const satisfies Record<EngineTask, NeuralOperation>;
