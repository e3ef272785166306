import { copyFile } from "node:fs/promises";
import type { OutputFormat, TaskOptions } from "@tintype/contract";
import { openSource } from "../decode.ts";
import { writePicture } from "../encode/index.ts";
import type { Operation } from "../task.ts";

/** Fewer bytes at the same format and size in pixels; never more bytes than came in. */
export const compress: Operation = async (task) => {
  const { quality } = task.options as TaskOptions<"compress">; // parsed by the contract before the task was made
  const source = await openSource(task.inputPath, task.limits);
  const { format, width, height, sizeBytes } = source;
  const image = source.read({ frames: "all" });
  const { notes, ...result } = await writePicture(image, {
    format: format as OutputFormat,
    path: task.outputPath,
    quality,
  });
  if (result.sizeBytes >= sizeBytes) await copyFile(source.path, task.outputPath);
  return {
    kind: "done",
    source: { format, width, height, sizeBytes },
    result: { ...result, sizeBytes: Math.min(result.sizeBytes, sizeBytes) },
    notes: [...source.notes, ...notes],
  };
};
