import { exifOrientation, orientationExif } from "../exif.ts";
import type { Stripped } from "../stripped.ts";
import { vp8xFlags, webpChunk, webpChunks, webpFile, withoutExifMark } from "./container.ts";

/** Chunks of the picture itself; a file may contain any others (RFC 9649, 2.7). */
const keptChunks = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);

/** A WebP without EXIF, XMP and application chunks; an orientation is kept in a minimal EXIF chunk. */
export function stripWebp(bytes: Uint8Array): Stripped {
  if (bytes.length < 12) return { bytes, notes: [] };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let orientation = 1;
  let extended: Buffer | undefined;
  for (const { type, data, whole } of webpChunks(bytes, Math.min(bytes.length, 8 + view.getUint32(4, true)))) {
    if (type === "EXIF") orientation = exifOrientation(withoutExifMark(data));
    if (!keptChunks.has(type)) continue;
    const copy = Buffer.from(whole); // its flags change below
    if (type === "VP8X") extended = copy;
    parts.push(copy);
  }
  if (extended) {
    const flags = (extended[8] ?? 0) & ~(vp8xFlags.exif | vp8xFlags.xmp);
    extended[8] = orientation === 1 ? flags : flags | vp8xFlags.exif;
  }
  if (extended && orientation !== 1) parts.push(webpChunk("EXIF", orientationExif(orientation)));
  return { bytes: webpFile(parts), notes: [] };
}
