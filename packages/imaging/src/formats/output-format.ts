import { formats, type InputFormat, type OutputFormat } from "@tintype/contract";

/** The tasks whose result keeps the source's format wherever that can be written. */
type KeepingTask = "compress" | "resize" | "upscale";

/** Compress has a way of its own for SVG: the text made shorter, the drawing untouched. */
type WrittenFormat<Name extends KeepingTask> = Name extends "compress" ? OutputFormat | "svg" : OutputFormat;

type Unwritable = Exclude<InputFormat, OutputFormat>;

/** HEIC has no free encoder, and SVG holds no pixels. */
const isUnwritable = (format: InputFormat): format is Unwritable => format === "heic" || format === "svg";

/**
 * The format a source's result is written in. `note` says so where it is another one than the source's.
 *
 * HEIC: compress writes AVIF, the only writable format that is not larger at the same look; resize and upscale write
 * JPEG, which opens everywhere, and PNG where there is alpha. SVG: compress keeps it SVG, all else draws it as PNG.
 */
export function writtenAs<Name extends KeepingTask>(
  source: { format: InputFormat; hasAlpha: boolean },
  task: Name,
): { format: WrittenFormat<Name>; note?: string } {
  if (!isUnwritable(source.format)) return { format: source.format };
  const format = replacement(source.format, { task, hasAlpha: source.hasAlpha }) as WrittenFormat<Name>; // only compress gets "svg"
  if (format === source.format) return { format };
  return { format, note: `${formats[source.format].label} cannot be written; the result is ${formats[format].label}.` };
}

function replacement(
  format: Unwritable,
  { task, hasAlpha }: { task: KeepingTask; hasAlpha: boolean },
): OutputFormat | "svg" {
  if (format === "svg") return task === "compress" ? "svg" : "png";
  if (task === "compress") return "avif";
  return hasAlpha ? "png" : "jpeg";
}
