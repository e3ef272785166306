import type { ReadBytes } from "../../formats/byte-window.ts";
import { exifOrientation } from "../../formats/exif.ts";
import { type Blocks, type FreshBlocks, mostBlockBytes } from "../blocks.ts";

/** Flags of the VP8X chunk (WebP container specification, "Extended File Format"). */
const [alphaFlag, exifFlag, xmpFlag] = [0x10, 0x08, 0x04];
const mostChunks = 200_000;

type Chunk = { type: string; start: number; end: number; length: number };

async function* chunksOf(read: ReadBytes): AsyncGenerator<Chunk> {
  for (let at = 12, count = 0; count < mostChunks; count++) {
    const head = await read(at, 8);
    if (head.length < 8) return;
    const length = head.readUInt32LE(4);
    const end = at + 8 + length + (length & 1);
    yield { type: head.toString("latin1", 0, 4), start: at, end, length };
    at = end;
  }
}

/** EXIF and XMP of their chunks. */
export async function readWebpBlocks(read: ReadBytes): Promise<Blocks> {
  const blocks: Blocks = {};
  for await (const { type, start, length } of chunksOf(read)) {
    if ((type !== "EXIF" && type !== "XMP ") || length > mostBlockBytes) continue;
    const data = Buffer.from(await read(start + 8, length));
    if (type === "EXIF") blocks.exif ??= withoutMark(data);
    else blocks.xmp ??= data;
  }
  return blocks;
}

/** Some writers put JPEG's own mark before the block. */
const withoutMark = (data: Buffer) => (data.toString("latin1", 0, 6) === "Exif\0\0" ? data.subarray(6) : data);

/** The WebP with the blocks behind its picture; a simple file becomes an extended one. */
export async function embedInWebp(
  bytes: Uint8Array,
  blocksFor: (orientation: number) => FreshBlocks,
): Promise<Uint8Array | undefined> {
  const read: ReadBytes = async (at, length) => Buffer.from(bytes.subarray(at, at + length));
  let orientation = 1;
  let extended: Buffer | undefined;
  const rest: Uint8Array[] = [];
  for await (const { type, start, end, length } of chunksOf(read)) {
    const whole = bytes.subarray(start, end);
    if (type === "EXIF")
      orientation = exifOrientation(withoutMark(Buffer.from(bytes.subarray(start + 8, start + 8 + length))));
    else if (type === "VP8X") extended = Buffer.from(whole);
    else if (type !== "XMP ") rest.push(whole);
  }
  extended ??= extendedHead(Buffer.from(rest[0] ?? []));
  if (!extended || extended.length < 18) return undefined;
  const { exif, xmp } = blocksFor(orientation);
  const flags = (extended[8] as number) & ~(exifFlag | xmpFlag);
  extended[8] = flags | (exif ? exifFlag : 0) | (xmp ? xmpFlag : 0);
  const body = Buffer.concat([
    extended,
    ...rest,
    ...(exif ? [chunk("EXIF", exif)] : []),
    ...(xmp ? [chunk("XMP ", xmp)] : []),
  ]);
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

/** VP8X of a file with nothing but one picture: its size and its alpha are in the picture's own head (RFC 6386, 9.1; RFC 9649, 3.4). */
function extendedHead(picture: Buffer): Buffer | undefined {
  if (picture.length < 18) return undefined;
  const type = picture.toString("latin1", 0, 4);
  const data = Buffer.alloc(10);
  if (type === "VP8 ") {
    data.writeUIntLE((picture.readUInt16LE(14) & 0x3fff) - 1, 4, 3);
    data.writeUIntLE((picture.readUInt16LE(16) & 0x3fff) - 1, 7, 3);
  } else if (type === "VP8L") {
    const bits = picture.readUInt32LE(9);
    data[0] = (bits >>> 28) & 1 ? alphaFlag : 0;
    data.writeUIntLE(bits & 0x3fff, 4, 3);
    data.writeUIntLE((bits >>> 14) & 0x3fff, 7, 3);
  } else return undefined;
  return chunk("VP8X", data);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(8 + data.length + (data.length & 1));
  whole.write(type, 0, "latin1");
  whole.writeUInt32LE(data.length, 4);
  whole.set(data, 8);
  return whole;
}
