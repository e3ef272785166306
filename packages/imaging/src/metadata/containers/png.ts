import { inflateSync } from "node:zlib";
import type { ReadBytes } from "../../formats/byte-window.ts";
import { exifOrientation } from "../../formats/exif.ts";
import { pngChunk, pngText, readPngChunks } from "../../formats/png/container.ts";
import { type Blocks, type FreshBlocks, maxBlockBytes } from "../blocks.ts";

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
  for await (const { type, data } of chunksOf(read)) {
    if (type === "eXIf") blocks.exif ??= await data();
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

/** Bytes to insert, and the range of bytes that they replace. */
export type PngInsertion = { at: number; bytes: Uint8Array; replaced: { start: number; end: number } | undefined };

/** The edit that embeds the blocks in a PNG, without reading its pixels: a result may have a gigabyte of them. */
export async function pngInsertion(
  read: ReadBytes,
  blocksFor: (orientation: number) => FreshBlocks,
): Promise<PngInsertion> {
  let orientation = 1;
  let replaced: PngInsertion["replaced"];
  for await (const { type, start, end, data } of chunksOf(read)) {
    if (type !== "eXIf") continue;
    orientation = exifOrientation(await data());
    replaced = { start, end };
  }
  const { exif, xmp } = blocksFor(orientation);
  const text = xmp && Buffer.concat([Buffer.from(`${xmpKeyword}\0\0\0\0\0`, "latin1"), xmp]);
  const bytes = Buffer.concat([...(exif ? [pngChunk("eXIf", exif)] : []), ...(text ? [pngChunk("iTXt", text)] : [])]);
  return { at: headBytes, bytes, replaced };
}
