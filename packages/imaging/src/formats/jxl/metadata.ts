import { readBoxes } from "../heif/boxes.ts";
import type { Stripped } from "../stripped.ts";

/**
 * ISO/IEC 18181-2, the boxes that draw nothing: EXIF, XMP and JUMBF, compressed ones, a gain map, and what it takes to restore the JPEG
 * that the picture was made of, with all its metadata.
 */
const dropped = ["Exif", "xml ", "jumb", "brob", "jhgm", "jbrd"];

/** A bare codestream has no metadata. */
export function stripJxl(bytes: Uint8Array): Stripped {
  if (bytes[0] === 0xff) return { bytes, notes: [] };
  const kept = readBoxes(bytes, 0, bytes.length).filter(({ type }) => !dropped.includes(type));
  return { bytes: Buffer.concat(kept.map(({ start, end }) => bytes.subarray(start, end))), notes: [] };
}
