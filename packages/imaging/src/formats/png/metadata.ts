import { exifOrientation } from "@tintype/contract";
import { orientationExif } from "../exif.ts";
import type { Stripped } from "../stripped.ts";
import { pngChunk, pngChunks, pngSignature } from "./container.ts";

/**
 * Chunks that affect the rendering (PNG, third edition, 11). All others are dropped: texts, EXIF, time, private chunks.
 */
const keptChunks = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" "),
);

/**
 * Removes texts, EXIF, time, private chunks and the bytes after IEND. An orientation other than 1 is kept in a new eXIf
 * chunk. Like libvips, nothing reads a second eXIf or one after the pixels.
 */
export function stripPng(bytes: Uint8Array): Stripped {
  const parts: Uint8Array[] = [pngSignature];
  let isBeforePixels = true;
  let hasExif = false;
  for (const { type, data, whole } of pngChunks(bytes)) {
    if (whole.length < data.length + 12) break;
    if (keptChunks.has(type)) parts.push(whole);
    isBeforePixels &&= type !== "IDAT";
    if (type === "eXIf" && isBeforePixels && !hasExif) {
      hasExif = true;
      const orientation = exifOrientation(data);
      if (orientation !== 1) parts.push(pngChunk("eXIf", orientationExif(orientation)));
    }
  }
  return { bytes: Buffer.concat(parts), notes: [] };
}
