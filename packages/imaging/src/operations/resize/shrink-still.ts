import { rm } from "node:fs/promises";
import type { OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { Source } from "../../formats/open-source.ts";
import { decodePicture } from "../../raster/decoded-picture.ts";
import type { OpenedTask } from "../operation.ts";
import { resizeDrawing, resizeGeometry } from "./geometry.ts";
import { resizeStill } from "./still.ts";

type ShrinkStillOptions = {
  scale: number;
  format: OutputFormat;
  background?: string | undefined;
  task: OpenedTask;
  signal: AbortSignal;
};

/** The picture with its sides times `scale`, resized as by resize, for the format. In memory: no file remains. */
export async function shrinkStill(
  source: Source,
  { scale, format, background, task, signal }: ShrinkStillOptions,
): Promise<Sharp> {
  const width = Math.max(1, Math.round(source.width * scale));
  const geometry = resizeGeometry(source, { width, method: "fit" });
  if (source.format === "svg") return resizeDrawing(source, { geometry, method: "fit", limits: task.limits });
  const { outputPath } = task;
  const temporaryPaths = { source: `${outputPath}.source.tif`, result: `${outputPath}.result.tif` };
  try {
    const context = { signal, progress: () => {} };
    const { image, decoded } = await resizeStill(source, { geometry, format, background, temporaryPaths, context });
    return (decoded ?? (await decodePicture(image))).open();
  } finally {
    await Promise.all(Object.values(temporaryPaths).map((path) => rm(path, { force: true })));
  }
}
