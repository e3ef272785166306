import { formats, type OutputFormat, type TaskOptions, text } from "@tintype/contract";
import type { Sharp } from "sharp";
import { fitToFormat } from "../formats/fit-to-format.ts";
import { openSource, type Source } from "../formats/open-source.ts";
import { defaultQuality, type Written, writePicture, writeStandIn, writeWhole } from "../formats/write-picture.ts";
import { encodeWithin } from "../formats/write-within.ts";
import type { Task } from "../task.ts";
import type { Operation } from "./operation.ts";
import { shrinkStill } from "./resize/shrink-still.ts";

/** Lossless formats stay lossless: a person who turns a photograph into a PNG wants its pixels, not a palette. */
export const losslessFormats: readonly OutputFormat[] = ["png", "tiff", "bmp"];

/** The same picture in another format; moving pictures keep moving between GIF and WebP. */
export const convert: Operation = async (task, { signal }) => {
  const { target_format: target } = optionsOf(task);
  const source = await openSource(task.inputPath, task.limits, task.standsFor);
  const { format, width, height, sizeBytes } = source;
  const facts = { format, width, height, sizeBytes };
  // The file of a stand-in has another format: only for a further step is it as good as the target's.
  const isOfTarget = format === target && (task.standsFor === undefined || writesStandIn(task));
  if (isOfTarget) return { kind: "unchanged", source: facts, reason: text.sameFormat };
  const { image, notes: dropped } = fitToFormat(source, target);
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

const optionsOf = (task: Task) => task.options as TaskOptions<"convert">; // parsed by the contract

/** A limit of bytes is met by the very file that the next step then reads. */
const writesStandIn = (task: Task) => task.isIntermediate === true && optionsOf(task).max_bytes === undefined;

type Writing = { source: Source; target: OutputFormat; task: Task; signal: AbortSignal };

async function write(image: Sharp, { source, target: format, task, signal }: Writing): Promise<Written> {
  const { quality: wanted, max_bytes: maxBytes, min_quality: minQuality, allow_resize: allowResize } = optionsOf(task);
  const path = task.outputPath;
  const isMoving = source.isAnimated && formats[format].holds.animation;
  if (writesStandIn(task)) return writeStandIn(image, { format, path, isMoving, signal });
  if (maxBytes === undefined) {
    const quality = wanted ?? (losslessFormats.includes(format) ? 100 : defaultQuality);
    // PNG, TIFF and GIF lose something only where they are asked for fewer bytes.
    const minimizeBytes = wanted !== undefined && wanted < 100;
    return writePicture(image, { format, path, quality, signal, minimizeBytes });
  }
  const { bytes, width, height, notes } = await encodeWithin(image, {
    ...{ format, maxBytes, minQuality: Math.min(minQuality, wanted ?? 100), bestQuality: wanted ?? 100 },
    ...{ allowResize, isMoving, signal },
    hasHalvedColour: source.hasHalvedColour ?? false,
    shrink: isMoving ? undefined : (scale) => shrinkStill(source, { scale, format, task, signal }),
  });
  await writeWhole(path, bytes);
  return { format, width, height, sizeBytes: bytes.length, notes };
}
