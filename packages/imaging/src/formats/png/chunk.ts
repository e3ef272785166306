import { crc32 } from "node:zlib";

export const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A chunk as it stands in a file: length, type, data, checksum (PNG, third edition, 5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length);
  whole.write(type, 4, "latin1");
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
}

/** The types of a file's chunks, in order; in a truncated file, those that begin before its end. */
export function pngChunkTypes(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const types: string[] = [];
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at))
    types.push(String.fromCharCode(...bytes.subarray(at + 4, at + 8)));
  return types;
}
