import type { Stripped } from "../stripped.ts";
import { vp8xFlags, webpChunks, webpFile } from "./container.ts";

/** Chunks of the picture itself; a file may contain any others (RFC 9649, 2.7). */
const keptChunks = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);

/** A WebP without EXIF, XMP and application chunks. Nothing turns a WebP by the orientation in its EXIF, so that goes too. */
export function stripWebp(bytes: Uint8Array): Stripped {
  if (bytes.length < 12) return { bytes, notes: [] };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let extended: Buffer | undefined;
  for (const { type, whole } of webpChunks(bytes, Math.min(bytes.length, 8 + view.getUint32(4, true)))) {
    if (!keptChunks.has(type)) continue;
    const copy = Buffer.from(whole); // its flags change below
    if (type === "VP8X") extended = copy;
    parts.push(copy);
  }
  if (extended) {
    extended[8] = (extended[8] ?? 0) & ~(vp8xFlags.exif | vp8xFlags.xmp);
  }
  return { bytes: webpFile(parts), notes: [] };
}
