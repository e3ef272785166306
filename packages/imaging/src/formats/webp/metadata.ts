import { exifOrientation, orientationExif } from "../exif.ts";
import type { Stripped } from "../stripped.ts";

/** Flags of the VP8X chunk (WebP container specification): the other chunks of the file. */
const [exifFlag, xmpFlag] = [0x08, 0x04];
/** Chunks of the picture itself; a file may contain any others. */
const keptChunks = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);

/** A WebP without EXIF, XMP and chunks of applications; an orientation stays, in an EXIF chunk of its own. */
export function stripWebp(bytes: Uint8Array): Stripped {
  if (bytes.length < 12) return { bytes, notes: [] };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let orientation = 1;
  let extended: Buffer | undefined;
  const end = Math.min(bytes.length, 8 + view.getUint32(4, true));
  for (let at = 12; at + 8 <= end; ) {
    const type = String.fromCharCode(...bytes.subarray(at, at + 4));
    const length = view.getUint32(at + 4, true);
    const next = at + 8 + length + (length & 1);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === "EXIF") orientation = exifOrientation(startsWithExif(data) ? data.subarray(6) : data);
    if (keptChunks.has(type)) {
      const whole = Buffer.from(bytes.subarray(at, next)); // a copy: flags change below
      if (type === "VP8X") extended = whole;
      parts.push(whole);
    }
    at = next;
  }
  if (extended) {
    const flags = (extended[8] ?? 0) & ~(exifFlag | xmpFlag);
    extended[8] = orientation === 1 ? flags : flags | exifFlag;
  }
  if (extended && orientation !== 1) parts.push(exifChunk(orientation));
  const body = Buffer.concat(parts);
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  return { bytes: Buffer.concat([head, body]), notes: [] };
}

/** Some writers put JPEG's own mark before the block. */
const startsWithExif = (data: Uint8Array) => String.fromCharCode(...data.subarray(0, 4)) === "Exif";

function exifChunk(orientation: number): Uint8Array {
  const tiff = orientationExif(orientation);
  const head = Buffer.from("EXIF\0\0\0\0", "latin1");
  head.writeUInt32LE(tiff.length, 4);
  return Buffer.concat([head, tiff]);
}
