import { exifOrientation, orientationExif } from "../exif.ts";
import type { Stripped } from "../stripped.ts";
import { pngChunk, pngChunks, pngSignature } from "./chunk.ts";

/** Chunks that say how the pixels look: colour, transparency, shape, movement. All else goes (texts, EXIF, time). */
const kept = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" "),
);

/**
 * A PNG without texts, EXIF, time, chunks of applications and the bytes after its end; an orientation stays, in an EXIF
 * of its own.
 */
export function stripPng(bytes: Uint8Array): Stripped {
  const parts: Uint8Array[] = [pngSignature];
  for (const { type, data, whole } of pngChunks(bytes)) {
    if (whole.length < data.length + 12) break;
    if (kept.has(type)) parts.push(whole);
    if (type === "eXIf") {
      const orientation = exifOrientation(data);
      if (orientation !== 1) parts.push(pngChunk("eXIf", orientationExif(orientation)));
    }
  }
  return { bytes: Buffer.concat(parts), notes: [] };
}
