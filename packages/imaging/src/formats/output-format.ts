import type { Size } from "@tintype/codecs/raster";
import { DomainError, type InputFormat, type Note, type OutputFormat, outputFormats } from "@tintype/contract";
import { longestSidePx } from "./limits.ts";

/** The tasks whose result has the source's format if that can be written. */
type KeepingTask = "compress" | "resize" | "upscale";

/** Compress minifies an SVG and does not rasterize it. */
type WrittenFormat<Name extends KeepingTask> = Name extends "compress" ? OutputFormat | "svg" : OutputFormat;

/** Formats that are not written, such as HEIC (no free encoder) and SVG (vectors); and ICO, whose sizes are fixed. */
type Replaced = Exclude<InputFormat, OutputFormat> | "ico";
const isReplaced = (format: InputFormat, task: KeepingTask): format is Replaced =>
  format === "ico" ? task !== "compress" : !outputFormats.some((one) => one === format);

/**
 * The output format for a source. `note`: set if it differs from the source's format.
 *
 * HEIC: compress writes AVIF, the only writable format that is not larger at the same likeness. SVG: compress keeps
 * SVG, other tasks rasterize to PNG. ICO: compress keeps all its sizes, other tasks write one of them as PNG. Other
 * formats that cannot be written: compress refuses them, because the caller named no other format. In all other cases
 * the output is JPEG, which all programs read, or PNG with alpha.
 * @throws cannot-process
 */
export function outputFormat<Name extends KeepingTask>(
  source: { format: InputFormat; hasAlpha: boolean },
  task: Name,
): { format: WrittenFormat<Name>; note?: Note } {
  if (!isReplaced(source.format, task)) return { format: source.format as WrittenFormat<Name> }; // a writable format
  // `replacement` returns "svg" only for compress.
  const format = replacement(source.format, { task, hasAlpha: source.hasAlpha }) as WrittenFormat<Name>;
  if (format === source.format) return { format };
  if (source.format === "ico") return { format, note: { code: "icon-not-written" } };
  return { format, note: { code: "format-not-written", from: source.format, to: format } };
}

/** The output format of resize: the caller's choice, or by default `outputFormat`. */
export const chosenFormat = (
  source: { format: InputFormat; hasAlpha: boolean },
  { target_format: target }: { target_format?: OutputFormat | undefined },
): { format: OutputFormat; note?: Note } => (target ? { format: target } : outputFormat(source, "resize"));

function replacement(
  format: Replaced,
  { task, hasAlpha }: { task: KeepingTask; hasAlpha: boolean },
): OutputFormat | "svg" {
  if (format === "svg") return task === "compress" ? "svg" : "png";
  if (format === "ico") return "png";
  if (format === "heic" && task === "compress") return "avif";
  if (task === "compress") throw new DomainError("cannot-process", { reason: { code: "format-not-kept", format } });
  return hasAlpha ? "png" : "jpeg";
}

/** The format's longest side, px, if a picture of this size exceeds it. */
function exceededBy(format: OutputFormat, { width, height }: Size): number | undefined {
  const most = (longestSidePx as Partial<Record<OutputFormat, number>>)[format]; // formats without a limit have no entry
  return most !== undefined && Math.max(width, height) > most ? most : undefined;
}

/** The format, or PNG if a side exceeds the format's limit. */
export function formatForSize(format: OutputFormat, size: Size): { format: OutputFormat; note?: Note } {
  const longest = exceededBy(format, size);
  return longest === undefined ? { format } : { format: "png", note: { code: "too-long-for-format", format, longest } };
}

/** @throws cannot-process if a side exceeds the limit of the format that the caller chose */
export function checkSides(format: OutputFormat, size: Size, field = "target_format"): void {
  const longest = exceededBy(format, size);
  if (longest === undefined) return;
  const { width, height } = size;
  throw new DomainError("cannot-process", {
    field,
    reason: { code: "format-too-long", format, longest, width, height },
  });
}
