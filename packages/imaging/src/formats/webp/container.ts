import type { ReadBytes } from "../byte-window.ts";

/** Flags of the VP8X chunk (RFC 9649, 2.7.1). */
export const vp8xFlags = { animation: 0x02, xmp: 0x04, exif: 0x08, alpha: 0x10 } as const;

/** A RIFF chunk: type, length, data, and a padding byte after an odd length (RFC 9649, 2.3). */
export function webpChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

/** A file of these chunks (RFC 9649, 2.4). */
export function webpFile(chunks: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(chunks);
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

/** The chunks up to `end`; of the last one of a truncated file, the part that exists. */
export function* webpChunks(bytes: Uint8Array, end = bytes.length) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 12; at + 8 <= end; ) {
    const length = view.getUint32(at + 4, true);
    const next = at + 8 + length + (length & 1);
    const type = String.fromCharCode(...bytes.subarray(at, at + 4));
    yield { type, data: bytes.subarray(at + 8, at + 8 + length), whole: bytes.subarray(at, next) };
    at = next;
  }
}

/** The offsets of the chunks in a file that is read piece by piece. `length` is that of the data. */
export async function* readWebpChunks(
  read: ReadBytes,
): AsyncGenerator<{ type: string; start: number; end: number; length: number }> {
  for (let at = 12; ; ) {
    const head = await read(at, 8);
    if (head.length < 8) return;
    const length = head.readUInt32LE(4);
    const end = at + 8 + length + (length & 1);
    yield { type: head.toString("latin1", 0, 4), start: at, end, length };
    at = end;
  }
}

/** An EXIF chunk's data from "II" or "MM" on: some encoders prefix it with JPEG's "Exif\0\0". */
export const withoutExifMark = (data: Uint8Array): Uint8Array =>
  String.fromCharCode(...data.subarray(0, 4)) === "Exif" ? data.subarray(6) : data;

/** The header of an `ANMF` chunk, before its subchunks: the frame's position, size and duration. */
const frameHeadBytes = 16;

/**
 * Whether the first bitstream chunk, of an animation its first frame's, is lossy: "VP8 " rather than "VP8L" (WebP
 * container specification).
 */
export function isLossyWebp(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  for (let at = 12; at + 8 <= head.length; ) {
    const name = String.fromCharCode(...head.subarray(at, at + 4));
    if (name === "VP8 ") return true;
    if (name === "VP8L") return false;
    const size = view.getUint32(at + 4, true);
    at += 8 + (name === "ANMF" ? frameHeadBytes : size + (size & 1));
  }
  return false;
}
