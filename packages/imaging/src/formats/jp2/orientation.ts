import { exifOrientation } from "../exif.ts";
import { readUuidBoxes } from "./uuid-boxes.ts";

/** The EXIF orientation, 1 without EXIF. */
export function orientationOf(bytes: Uint8Array): number {
  const { exif } = readUuidBoxes(bytes, { mostBytes: bytes.length });
  return exif ? exifOrientation(exif) : 1;
}
