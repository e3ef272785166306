import { formats, keepsFormat, type OutputFormat, type TaskOptions, text } from "@tintype/contract";
import type { Sharp } from "sharp";
import { fitToFormat } from "../formats/fit-to-format.ts";
import type { Source } from "../formats/open-source.ts";
import { checkSides } from "../formats/output-format.ts";
import {
  defaultQuality,
  losslessFormats,
  type Written,
  writePicture,
  writeStandIn,
  writeWhole,
} from "../formats/write-picture.ts";
import { encodeWithin } from "../formats/write-within.ts";
import type { RunContext, Task } from "../task.ts";
import { compress } from "./compress.ts";
import { openInput } from "./open-input.ts";
import type { Operation } from "./operation.ts";
import { shrinkStill } from "./resize/shrink-still.ts";
import { writeStripped } from "./upload.ts";

/** The same picture in another format; animations are kept between GIF and WebP. */
export const convert: Operation = async (task, context) => {
  const { signal } = context;
  const { target_format: target, background = "transparent" } = optionsOf(task);
  const source = await openInput(task);
  const { format, width, height, sizeBytes } = source;
  const facts = { format, width, height, sizeBytes };
  // A stand-in is not in the format that it stands for, so it must be written.
  if (format === target && task.standsFor === undefined && background === "transparent") {
    if (!keepsFormat(optionsOf(task), format)) return compressLike(task, context);
    return { kind: "unchanged", source: facts, ...(await writeStripped(source, task)), reason: text.sameFormat };
  }
  checkSides(target, source);
  const { image, notes: dropped } = fitToFormat(source, target, background);
  const { notes, ...result } = await write(image, { source, target, task, signal });
  const isStandIn = writesStandIn(task);
  return {
    kind: "done",
    source: facts,
    result,
    ...(isStandIn ? { isStandIn } : {}),
    notes: [...source.notes, ...dropped, ...notes],
  };
};

function compressLike(task: Task, context: RunContext) {
  const { source_format: _, target_format: __, background: ___, ...options } = optionsOf(task);
  return compress({ ...task, options }, context);
}

const optionsOf = (task: Task) => task.options as TaskOptions<"convert">; // parsed by the contract

/** With a byte limit, the next step reads the actual file. */
const writesStandIn = (task: Task) => task.isIntermediate === true && optionsOf(task).max_bytes === undefined;

type Writing = { source: Source; target: OutputFormat; task: Task; signal: AbortSignal };

async function write(image: Sharp, { source, target: format, task, signal }: Writing): Promise<Written> {
  const { quality: wanted, max_bytes: maxBytes, min_quality: minQuality, allow_resize: allowResize } = optionsOf(task);
  const { background } = optionsOf(task);
  const path = task.outputPath;
  const isMoving = source.isAnimated && formats[format].holds.animation;
  if (writesStandIn(task)) return writeStandIn(image, { format, path, isMoving, signal });
  if (maxBytes === undefined) {
    const quality = wanted ?? (losslessFormats.includes(format) ? 100 : defaultQuality);
    // PNG, TIFF and GIF are lossy only if fewer bytes are requested.
    const minimizeBytes = wanted !== undefined && wanted < 100;
    return writePicture(image, { format, path, quality, signal, minimizeBytes, isMoving });
  }
  const { bytes, width, height, notes } = await encodeWithin(image, {
    format,
    maxBytes,
    minQuality: Math.min(minQuality, wanted ?? 100),
    bestQuality: wanted ?? 100,
    allowResize,
    isMoving,
    signal,
    hasHalvedColour: source.hasHalvedColour ?? false,
    shrink: isMoving ? undefined : (scale) => shrinkStill(source, { scale, format, background, task, signal }),
  });
  await writeWhole(path, bytes);
  return { format, width, height, sizeBytes: bytes.length, notes };
}
