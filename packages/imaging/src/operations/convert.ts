import { bestQualityWithin, formats, keepsFormat, type OutputFormat, type TaskOptions } from "@tintype/contract";
import type { Sharp } from "sharp";
import { fitToFormat } from "../formats/fit-to-format.ts";
import type { Source } from "../formats/open-source.ts";
import { checkSides } from "../formats/output-format.ts";
import { factsOf } from "../formats/source.ts";
import { writeWhole } from "../formats/write-picture.ts";
import { encodeWithin } from "../formats/write-within.ts";
import type { RunContext } from "../task.ts";
import { compress } from "./compress.ts";
import { openInput } from "./open-input.ts";
import type { OpenedTask, Operation } from "./operation.ts";
import { shrinkStill } from "./resize/shrink-still.ts";
import { writeStripped } from "./upload.ts";
import { type WrittenResult, writeResult } from "./write-result.ts";

/** The same picture in another format; animations are kept between GIF and WebP. */
export const convert: Operation = async (task, context) => {
  const { signal } = context;
  const { target_format: target, background = "transparent" } = optionsOf(task);
  const source = await openInput(task);
  // A stand-in is not in the format that it stands for, so it must be written.
  if (source.format === target && task.standsFor === undefined && background === "transparent") {
    if (!keepsFormat(optionsOf(task), source.format)) return compressLike(task, context);
    const written = await writeStripped(source, task);
    return { kind: "unchanged", source: factsOf(source), ...written, reason: { code: "same-format" } };
  }
  checkSides(target, source);
  const { image, notes: dropped } = await fitToFormat(source, target, background);
  const { notes, ...written } = await write(image, { source, target, task, signal });
  return { kind: "done", source: factsOf(source), ...written, notes: [...source.notes, ...dropped, ...notes] };
};

function compressLike(task: OpenedTask, context: RunContext) {
  const { source_format: _, target_format: __, background: ___, ...options } = optionsOf(task);
  return compress({ ...task, options }, context);
}

const optionsOf = (task: OpenedTask) => task.options as TaskOptions<"convert">; // parsed by the contract

type WriteOptions = { source: Source; target: OutputFormat; task: OpenedTask; signal: AbortSignal };

async function write(image: Sharp, { source, target: format, task, signal }: WriteOptions): Promise<WrittenResult> {
  const { quality: wanted, max_bytes: maxBytes, min_quality: minQuality, allow_resize: allowResize } = optionsOf(task);
  const { background } = optionsOf(task);
  const bestQuality = bestQualityWithin(optionsOf(task));
  const isAnimated = source.isAnimated && formats[format].holds.animation;
  if (maxBytes === undefined) return writeResult(image, task, { format, quality: wanted, isAnimated, signal });
  // No stand-in is written within a limit of bytes: the next step reads the actual file.
  const { bytes, width, height, notes } = await encodeWithin(image, {
    format,
    maxBytes,
    minQuality: Math.min(minQuality, bestQuality),
    bestQuality,
    allowResize,
    isAnimated,
    signal,
    hasHalvedColour: source.hasHalvedColour ?? false,
    shrink: isAnimated ? undefined : (scale) => shrinkStill(source, { scale, format, background, task, signal }),
  });
  await writeWhole(task.outputPath, bytes);
  return { result: { format, width, height, sizeBytes: bytes.length }, notes };
}
