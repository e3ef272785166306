import { DomainError, formats, type InputFormat, type OutputFormat, outputFormats } from "@tintype/contract";

/** The tasks whose result keeps the source's format wherever that can be written. */
type KeepingTask = "compress" | "resize" | "upscale";

/** Compress shortens the text of an SVG, and leaves the drawing untouched. */
type WrittenFormat<Name extends KeepingTask> = Name extends "compress" ? OutputFormat | "svg" : OutputFormat;

/** HEIC has no free encoder, SVG has no pixels, and the sizes of an icon are fixed. */
type Replaced = Exclude<InputFormat, OutputFormat> | "ico";
const isReplaced = (format: InputFormat, task: KeepingTask): format is Replaced =>
  format === "ico" ? task !== "compress" : !outputFormats.some((one) => one === format);

/**
 * The format a source's result is written in. `note` says so where it is another one than the source's.
 *
 * HEIC: compress writes AVIF, the only writable format that is not larger at the same look. SVG: compress keeps it SVG, all else
 * draws it as PNG. ICO: compress keeps all its sizes, all else takes one of them. Other formats that are not written: compress
 * refuses them, since nobody named the format that they should become. All else writes JPEG, which opens everywhere, and PNG where
 * there is alpha.
 * @throws cannot-process
 */
export function outputFormat<Name extends KeepingTask>(
  source: { format: InputFormat; hasAlpha: boolean },
  task: Name,
): { format: WrittenFormat<Name>; note?: string } {
  if (!isReplaced(source.format, task)) return { format: source.format as WrittenFormat<Name> }; // one that can be written
  const format = replacement(source.format, { task, hasAlpha: source.hasAlpha }) as WrittenFormat<Name>; // only compress gets "svg"
  if (format === source.format) return { format };
  if (source.format === "ico")
    return { format, note: "The result is one picture, as PNG. Convert makes an icon of it." };
  return { format, note: `${formats[source.format].label} cannot be written; the result is ${formats[format].label}.` };
}

/** The format of a resized picture: the caller's choice, or the source's own. */
export const chosenFormat = (
  source: { format: InputFormat; hasAlpha: boolean },
  { target_format: target }: { target_format?: OutputFormat | undefined },
): { format: OutputFormat; note?: string } => (target ? { format: target } : outputFormat(source, "resize"));

function replacement(
  format: Replaced,
  { task, hasAlpha }: { task: KeepingTask; hasAlpha: boolean },
): OutputFormat | "svg" {
  if (format === "svg") return task === "compress" ? "svg" : "png";
  if (format === "ico") return "png";
  if (format === "heic" && task === "compress") return "avif";
  if (task === "compress") throw new DomainError("cannot-process", { detail: cannotKeep(format) });
  return hasAlpha ? "png" : "jpeg";
}

const cannotKeep = (format: Replaced) =>
  `${formats[format].label} is read but not written, so compress cannot keep the format. Please use convert, to WebP or AVIF for example.`;

type Size = { width: number; height: number };

/** The longest side that a format or its encoder can write, px: libwebp, libheif as sharp builds it, libjpeg, GIF89a. */
const longestSide: Partial<Record<OutputFormat, number>> = { webp: 16_383, avif: 16_384, jpeg: 65_500, gif: 65_535 };

/** The format itself, or PNG if a side is longer than the format allows. */
export function formatForSize(format: OutputFormat, { width, height }: Size): { format: OutputFormat; note?: string } {
  const longest = longestSide[format];
  if (longest === undefined || Math.max(width, height) <= longest) return { format };
  const { label } = formats[format];
  return {
    format: "png",
    note: `${label} holds up to ${longest.toLocaleString("en")} pixels a side; the result is PNG.`,
  };
}

/** @throws cannot-process where the format that a caller chose cannot hold a side so long */
export function checkSides(format: OutputFormat, size: Size, field = "target_format"): void {
  const longest = longestSide[format];
  if (longest === undefined || Math.max(size.width, size.height) <= longest) return;
  throw new DomainError("cannot-process", {
    field,
    detail: `${formats[format].label} holds up to ${longest.toLocaleString("en")} pixels a side; this picture has ${size.width} x ${size.height}.`,
  });
}
