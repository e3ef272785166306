import { crc32 } from "node:zlib";
import { exifOrientation, orientationExif } from "../exif.ts";
import type { Stripped } from "../stripped.ts";

/** Chunks that say how the pixels look: colour, transparency, shape, movement. All else goes (texts, EXIF, time). */
const kept = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" "),
);

/**
 * A PNG without texts, EXIF, time, chunks of applications and the bytes after its end; an orientation stays, in an EXIF
 * of its own.
 */
export function stripPng(bytes: Uint8Array): Stripped {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) break;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (kept.has(type)) parts.push(bytes.subarray(at, end));
    if (type === "eXIf") {
      const orientation = exifOrientation(bytes.subarray(at + 8, end - 4));
      if (orientation !== 1) parts.push(chunk("eXIf", orientationExif(orientation)));
    }
    at = end;
    if (type === "IEND") break;
  }
  return { bytes: Buffer.concat(parts), notes: [] };
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
