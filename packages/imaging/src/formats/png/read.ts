import { DomainError, exifOrientation, type Note } from "@tintype/contract";
import type { InputFile } from "../input-file.ts";
import { checkPixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { joinFrames, longestSide } from "../webp/join-frames.ts";
import { pngColours } from "./colour-chunks.ts";
import { readPngChunks } from "./container.ts";
import { checkPngMetadata } from "./packed-texts.ts";
import { playPng, readApng } from "./play.ts";

const highRangeNote: Note = { code: "high-range-reduced" };

/**
 * Opens a PNG by libvips, with an ICC profile in place of colour space chunks that libvips ignores, or as an animation.
 * @throws as `openWithLibvips`; cannot-process also for CgBI, and for an APNG of more than `longestSide` pixels a side
 */
export async function openPng(opening: FileOpenOptions): Promise<Source> {
  const { file, limits } = opening;
  await file.withParts(checkPngMetadata);
  const { types, orientation } = await chunksBeforePixels(file);
  const options = { file, limits, format: "png" } as const;
  const isUpright = orientation === 1;
  if (types.has("CgBI")) throw new DomainError("cannot-process", { reason: { code: "png-of-xcode" } });
  if (types.has("acTL")) {
    const apng = await openApng(opening);
    if (apng) return apng;
  }
  const describesColours = ["gAMA", "cHRM", "cICP"].some((type) => types.has(type));
  const colours = describesColours ? pngColours(await file.bytes()) : undefined;
  if (!colours) return openWithLibvips({ ...options, isUpright });
  const { bytes: input, chunks, isHighRange } = colours;
  const source = await openWithLibvips({
    ...options,
    input,
    isUpright,
    notes: isHighRange ? [highRangeNote] : [],
  });
  return { ...source, colourChunks: { chunks, ...(isHighRange ? { note: highRangeNote } : {}) } };
}

/**
 * Opens the PNG that the decoder of another format produced. Its colour space chunks are converted to an ICC profile.
 * @throws as `openWithLibvips`
 */
export function openDecodedPng(png: Uint8Array, options: Parameters<typeof openWithLibvips>[0]): Promise<Source> {
  const colours = pngColours(png);
  const notes = [...(options.notes ?? []), ...(colours?.isHighRange ? [highRangeNote] : [])];
  return openWithLibvips({ ...options, input: colours?.bytes ?? png, notes });
}

/**
 * Renders an APNG to a lossless animated WebP, because libvips does not read APNG. Undefined if its animation chunks
 * are incomplete: browsers then show the default image.
 */
async function openApng({ file, limits }: FileOpenOptions): Promise<Source | undefined> {
  const bytes = await file.bytes();
  const colours = pngColours(bytes);
  const apng = readApng(colours?.bytes ?? bytes);
  if (!apng) return undefined;
  const { width, height, plays, frames } = apng;
  checkPixels({ width, height, frames: frames.length }, limits);
  if (Math.max(width, height) > longestSide)
    throw new DomainError("cannot-process", { reason: { code: "apng-too-long", limit: longestSide, width, height } });
  const input = await joinFrames({ width, height, plays, frames: playPng(apng) });
  const notes: Note[] = [
    ...(apng.header[8] === 16 ? [{ code: "apng-depth-reduced" } as const] : []),
    ...(colours || apng.shared.some(isProfile) ? [{ code: "apng-colours-converted" } as const] : []),
  ];
  return openWithLibvips({ file, limits, input, format: "png", notes });
}

const isProfile = (chunk: Uint8Array) => Buffer.from(chunk.subarray(4, 8)).toString("latin1") === "iCCP";

/**
 * The chunk types before IDAT, and the EXIF orientation there: all colour space chunks and acTL precede it (PNG, third
 * edition, 5.6).
 */
const chunksBeforePixels = (file: InputFile): Promise<{ types: Set<string>; orientation: number }> =>
  file.withParts(async (read) => {
    const types = new Set<string>();
    let orientation = 1;
    for await (const { type, start, length } of readPngChunks(read)) {
      if (type === "IDAT" || type === "IEND") break;
      if (type === "eXIf" && !types.has(type)) orientation = exifOrientation(await read(start + 8, length));
      types.add(type);
    }
    return { types, orientation };
  });
