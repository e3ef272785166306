import { closeSync, openSync, writeFileSync } from "node:fs";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { type OutputFormat, usualQuality } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { PictureFacts } from "../task.ts";
import { encodeAvif } from "./avif.ts";
import { encodeBmp } from "./bmp/write.ts";
import type { EncodeOptions, Encoder } from "./encoder.ts";
import { encodeGif } from "./gif/write.ts";
import { encodeIcon } from "./ico/write.ts";
import { encodeJpeg } from "./jpeg/write.ts";
import { type PngRows, packRows } from "./png/pack-rows.ts";
import { encodePng } from "./png/write.ts";
import { encodeTiff } from "./tiff/write.ts";
import { encodeWebp } from "./webp/write.ts";

/** One table of encoders: a format of the contract that cannot be written does not compile. */
export const encoders = {
  jpeg: encodeJpeg,
  png: encodePng,
  webp: encodeWebp,
  gif: encodeGif,
  tiff: encodeTiff,
  avif: encodeAvif,
  bmp: encodeBmp,
  ico: encodeIcon,
} as const satisfies Record<OutputFormat, Encoder>;

/** Quality of results whose caller names none: visually lossless to most eyes at normal distance. */
export const defaultQuality = usualQuality.others;

/** Lossless formats stay lossless: a person who turns a photograph into a PNG wants its pixels, not a palette. */
export const losslessFormats: readonly OutputFormat[] = ["png", "tiff", "bmp", "ico"];

export type Written = PictureFacts & { notes: string[] };

/** Encodes the picture and writes it to `path`. The file appears whole or not at all. */
export async function writePicture(
  image: Sharp,
  { format, path, ...options }: EncodeOptions & { format: OutputFormat; path: string },
): Promise<Written> {
  const { bytes, width, height, notes } = await encoders[format](image, options);
  await writeWhole(path, bytes);
  return { format, width, height, sizeBytes: bytes.length, notes };
}

/**
 * Writes the pixels to `path` without loss for the next step, which takes them for a picture of the format: PNG, or WebP where
 * they move.
 */
export async function writeStandIn(
  image: Sharp,
  { format, path, isMoving, signal }: { format: OutputFormat; path: string; isMoving: boolean; signal: AbortSignal },
): Promise<Written> {
  const written = await writePicture(image, { format: isMoving ? "webp" : "png", path, quality: 100, signal });
  return { ...written, format };
}

/** A reader sees the whole file or none, also when the process ends in between. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, bytes);
  await rename(`${path}.part`, path);
}

/**
 * Writes rows to `path` as PNG without loss, in memory that does not grow with the picture. The file appears whole or not
 * at all. Written in the calling thread: to wait for another at each strip takes a fifth of all the time.
 */
export async function writePngRows(path: string, picture: PngRows, signal?: AbortSignal): Promise<PictureFacts> {
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
