import { type Blocks, type FreshBlocks, maxBlockBytes } from "../../metadata/blocks.ts";
import type { ReadBytes } from "../byte-window.ts";
import { readWebpChunks, vp8xFlags, webpChunk, webpChunks, webpFile, withoutExifMark } from "./container.ts";

/** The same limit as in the decoder. */
const maxChunks = 200_000;

/** EXIF and XMP of their chunks. */
export async function readWebpBlocks(read: ReadBytes): Promise<Blocks> {
  const blocks: Blocks = {};
  let count = 0;
  for await (const { type, start, length } of readWebpChunks(read)) {
    if (++count > maxChunks) break;
    if ((type !== "EXIF" && type !== "XMP ") || length > maxBlockBytes) continue;
    const data = Buffer.from(await read(start + 8, length));
    if (type === "EXIF") blocks.exif ??= withoutExifMark(data);
    else blocks.xmp ??= data;
  }
  return blocks;
}

/** The WebP with the blocks after its image data; a simple file becomes an extended one. */
export function embedInWebp(bytes: Uint8Array, { exif, xmp }: FreshBlocks): Uint8Array | undefined {
  let extended: Buffer | undefined;
  const rest: Uint8Array[] = [];
  for (const { type, whole } of webpChunks(bytes)) {
    if (type === "VP8X") extended = Buffer.from(whole);
    else if (type !== "EXIF" && type !== "XMP ") rest.push(whole);
  }
  extended ??= extendedHead(Buffer.from(rest[0] ?? []));
  if (!extended || extended.length < 18) return undefined;
  const flags = (extended[8] as number) & ~(vp8xFlags.exif | vp8xFlags.xmp);
  extended[8] = flags | (exif ? vp8xFlags.exif : 0) | (xmp ? vp8xFlags.xmp : 0);
  return webpFile([
    extended,
    ...rest,
    ...(exif ? [webpChunk("EXIF", exif)] : []),
    ...(xmp ? [webpChunk("XMP ", xmp)] : []),
  ]);
}

/**
 * The VP8X chunk for a simple file: size and alpha come from the header of its bitstream (RFC 6386, 9.1; RFC 9649,
 * 3.4).
 */
function extendedHead(picture: Buffer): Buffer | undefined {
  if (picture.length < 18) return undefined;
  const type = picture.toString("latin1", 0, 4);
  const data = Buffer.alloc(10);
  if (type === "VP8 ") {
    data.writeUIntLE((picture.readUInt16LE(14) & 0x3fff) - 1, 4, 3);
    data.writeUIntLE((picture.readUInt16LE(16) & 0x3fff) - 1, 7, 3);
  } else if (type === "VP8L") {
    const bits = picture.readUInt32LE(9);
    data[0] = (bits >>> 28) & 1 ? vp8xFlags.alpha : 0;
    data.writeUIntLE(bits & 0x3fff, 4, 3);
    data.writeUIntLE((bits >>> 14) & 0x3fff, 7, 3);
  } else return undefined;
  return webpChunk("VP8X", data);
}
