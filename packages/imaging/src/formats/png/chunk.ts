import { crc32 } from "node:zlib";

export const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** An encoded chunk: length, type, data, CRC (PNG, third edition, 5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length);
  whole.write(type, 4, "latin1");
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
}

/** The bytes after a file's IEND. */
export function afterPng(bytes: Uint8Array): Uint8Array {
  let end = pngSignature.length;
  for (const { whole } of pngChunks(bytes)) end += whole.length;
  return bytes.subarray(end);
}

type PngChunk = { type: string; data: Uint8Array; whole: Uint8Array };

/** A file's chunks up to its end, in order; of a chunk that a truncated file has only a part of, this part. */
export function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    yield { type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) };
    if (type === "IEND") return;
    at = end;
  }
}
