import { closeSync, openSync, writeFileSync } from "node:fs";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import type { Size } from "@tintype/codecs/raster";
import { defaultQualities, type Note, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { decodePicture } from "../raster/decoded-picture.ts";
import type { PictureFacts } from "../task.ts";
import type { Encoded, EncodeOptions, Timing } from "./encoder.ts";
import { isSmallPicture, orderedEncoder, qualityStep } from "./ordered-encoder.ts";
import { type PngRows, packRows } from "./png/pack-rows.ts";
import { formatModules } from "./registry.ts";
import { usualDensity } from "./tiff/write.ts";

/** Whether `orderedEncoder` is for this picture. */
export const needsOrder = (format: OutputFormat, size: Size): boolean =>
  formatModules[format].needsOrder === true && isSmallPicture(size);

/** The default quality: visually lossless for most viewers at normal distance. */
export const defaultQuality = defaultQualities.others;

/**
 * How to encode at the quality that a caller asks for, if any. PNG, TIFF and GIF are lossy only if fewer bytes are
 * requested: a caller who converts a photograph to PNG expects its pixels, not a palette.
 */
export const codingFor = (quality: number | undefined) => ({
  quality: quality ?? defaultQuality,
  minimizeBytes: quality !== undefined && quality < 100,
});

/**
 * Encodes the picture at the quality or, if it is small, at a higher one that takes fewer bytes: see `orderedEncoder`. A
 * PNG or GIF that no quality was asked for is just lossless.
 */
export async function encodePicture(
  image: Sharp,
  { format, ...options }: EncodeOptions & { format: OutputFormat },
): Promise<Encoded> {
  const { encode } = formatModules[format];
  const { quality, minimizeBytes = false, isAnimated = false, decoded } = options;
  const isPlain = (format === "png" || format === "gif") && !minimizeBytes && quality < 100;
  if (isPlain) return encode(image, options);
  const read = decoded ? { ...decoded, pages: 1 } : await image.metadata();
  if (!needsOrder(format, read)) return encode(image, options);
  const coding = { ...options, minimizeBytes: true };
  if (isAnimated || (read.pages ?? 1) > 1) {
    const encodeAt = (at: number) => encode(image.clone(), { ...coding, quality: at });
    return orderedEncoder(encodeAt, { format })(qualityStep(quality));
  }
  const picture = decoded ?? (await decodePicture(image));
  // Before it was resized or turned it may have been smaller.
  if (!needsOrder(format, picture)) return encode(picture.open(), { ...options, decoded: picture });
  const encodeAt = (at: number) => encode(picture.open(), { ...coding, quality: at, decoded: picture });
  return orderedEncoder(encodeAt, { format, picture })(qualityStep(quality));
}

type StandIn = {
  format: OutputFormat;
  path: string;
  isAnimated: boolean;
  isUrgent?: boolean | undefined;
  timing?: Timing | undefined;
  signal: AbortSignal;
};

export type WrittenPicture = PictureFacts & { notes: Note[] };

/** Encodes the picture and writes it to `path` atomically. */
export async function writePicture(
  image: Sharp,
  { format, path, ...options }: EncodeOptions & { format: OutputFormat; path: string },
): Promise<WrittenPicture> {
  const { bytes, width, height, notes } = await formatModules[format].encode(image, options);
  await writeWhole(path, bytes);
  return { format, width, height, sizeBytes: bytes.length, notes };
}

/**
 * Writes the pixels losslessly to `path` for the next step: as PNG, or as WebP if animated; as uncompressed TIFF if
 * urgent, in a tenth of the time. The facts report `format`, for which the file stands in.
 */
export async function writeStandIn(
  image: Sharp,
  { format, path, isAnimated, isUrgent = false, timing, signal }: StandIn,
): Promise<WrittenPicture> {
  if (isUrgent && !isAnimated) {
    const { width, height, size } = await image
      .tiff({ xres: usualDensity, yres: usualDensity, compression: "none" })
      .toFile(path);
    return { format, width, height, sizeBytes: size, notes: [] };
  }
  const standIn = isAnimated ? "webp" : "png";
  const written = await writePicture(image, { format: standIn, path, quality: 100, timing, signal });
  return { ...written, format };
}

/** Writes a file atomically, by a rename: a crash in between leaves no partial file at `path`. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, bytes);
  await rename(`${path}.part`, path);
}

/**
 * Streams rows to `path` as lossless PNG, in constant memory and atomically. File writes are synchronous: awaiting the
 * thread pool for each strip takes a fifth of the total time.
 */
export async function writePngRows(path: string, picture: PngRows, signal: AbortSignal): Promise<PictureFacts> {
  const part = `${path}.part`;
  try {
    await writePieces(part, packRows(picture, { signal, isUrgent: true }));
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
  const { size } = await stat(path);
  return { format: "png", width: picture.width, height: picture.height, sizeBytes: size };
}

async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = openSync(path, "w");
  try {
    for await (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}
