import { type OutputFormat, type TaskOptions, text } from "@tintype/contract";
import { fitToFormat } from "../formats/fit-to-format.ts";
import { openSource } from "../formats/open-source.ts";
import { defaultQuality, writePicture } from "../formats/write-picture.ts";
import type { Operation } from "./operation.ts";

/** Lossless formats stay lossless: a person who turns a photograph into a PNG wants its pixels, not a palette. */
const losslessFormats: readonly OutputFormat[] = ["png", "tiff", "bmp"];

/** The same picture in another format; moving pictures keep moving between GIF and WebP. */
export const convert: Operation = async (task, { signal }) => {
  const { target_format: target } = task.options as TaskOptions<"convert">; // parsed by the contract
  const source = await openSource(task.inputPath, task.limits);
  const { format, width, height, sizeBytes } = source;
  const facts = { format, width, height, sizeBytes };
  if (format === target) return { kind: "unchanged", source: facts, reason: text.sameFormat };
  const { image, notes: dropped } = fitToFormat(source, target);
  const { notes, ...result } = await writePicture(image, {
    format: target,
    path: task.outputPath,
    quality: losslessFormats.includes(target) ? 100 : defaultQuality,
    signal,
  });
  return { kind: "done", source: facts, result, notes: [...source.notes, ...dropped, ...notes] };
};
