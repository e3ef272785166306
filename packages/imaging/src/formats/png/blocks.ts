import { inflateSync } from "node:zlib";
import { exifOrientation } from "@tintype/contract";
import { type Blocks, maxBlockBytes } from "../../metadata/blocks.ts";
import { densityInPhys, isSameDensity, physOf } from "../../metadata/density.ts";
import { type Fields, writeBlocks } from "../../metadata/select.ts";
import type { Range } from "../../raster/blank-ranges.ts";
import type { ReadBytes } from "../byte-window.ts";
import { pngChunk, pngText, readPngChunks } from "./container.ts";

const textTypes = ["tEXt", "zTXt", "iTXt"];
const xmpKeyword = "XML:com.adobe.xmp";
/** The same limit as in the decoder. */
const maxChunks = 200_000;
/** The signature and IHDR, which comes first and has 13 bytes (PNG, third edition, 5.6 and 11.2.1). */
const headBytes = 8 + 12 + 13;

type Chunk = { type: string; start: number; end: number; data(): Promise<Buffer> };

/** The chunks, with their data unless it is too long for metadata. */
async function* chunksOf(read: ReadBytes): AsyncGenerator<Chunk> {
  let count = 0;
  for await (const { length, ...chunk } of readPngChunks(read)) {
    if (++count > maxChunks) return;
    const data = async () =>
      length > maxBlockBytes ? Buffer.alloc(0) : Buffer.from(await read(chunk.start + 8, length));
    yield { ...chunk, data };
  }
}

/** EXIF of eXIf; XMP of iTXt, or of the older zTXt and tEXt, as libvips and others write it. */
export async function readPngBlocks(read: ReadBytes): Promise<Blocks> {
  const blocks: Blocks = {};
  let isBeforePixels = true;
  for await (const { type, data } of chunksOf(read)) {
    isBeforePixels &&= type !== "IDAT";
    if (type === "eXIf" && isBeforePixels) blocks.exif ??= await data();
    if (type === "pHYs") blocks.density ??= densityInPhys(await data());
    if (blocks.xmp || !textTypes.includes(type)) continue;
    const xmp = xmpOf(type, await data());
    if (xmp) blocks.xmp = xmp;
  }
  return blocks;
}

function xmpOf(type: string, data: Buffer): Uint8Array | undefined {
  const text = pngText(type, data);
  if (text?.keyword !== xmpKeyword) return undefined;
  if (!text.isPacked) return text.bytes;
  try {
    return inflateSync(text.bytes, { maxOutputLength: maxBlockBytes });
  } catch {
    return undefined; // corrupt, or a decompression bomb
  }
}

/** Bytes to insert, and the ranges of bytes that they replace, in order. */
export type PngInsertion = { at: number; bytes: Uint8Array; replaced: Range[] };

/**
 * The edit that embeds the fields in a PNG, without reading its pixels: a result may have a gigabyte of them. A density
 * that the source did not state is an encoder's default, and goes.
 */
export async function pngInsertion(read: ReadBytes, { density, ...fields }: Fields): Promise<PngInsertion> {
  let orientation: number | undefined;
  const replaced: Range[] = [];
  let isStated = false;
  let isBeforePixels = true;
  for await (const { type, start, end, data } of chunksOf(read)) {
    isBeforePixels &&= type !== "IDAT";
    if (type === "pHYs" && !isStated && isSameDensity(densityInPhys(await data()), density)) isStated = true;
    else if (type === "pHYs") replaced.push({ start, end });
    if (type !== "eXIf") continue;
    if (isBeforePixels) orientation ??= exifOrientation(await data());
    replaced.push({ start, end });
  }
  const { exif, xmp } = writeBlocks(fields, orientation);
  const text = xmp && Buffer.concat([Buffer.from(`${xmpKeyword}\0\0\0\0\0`, "latin1"), xmp]);
  const bytes = Buffer.concat([
    ...(density && !isStated ? [pngChunk("pHYs", physOf(density))] : []),
    ...(exif ? [pngChunk("eXIf", exif)] : []),
    ...(text ? [pngChunk("iTXt", text)] : []),
  ]);
  return { at: headBytes, bytes, replaced };
}
