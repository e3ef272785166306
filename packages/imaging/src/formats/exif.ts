import { littleTiffHead, numbersEntry, writeDirectory } from "../raster/write-directory.ts";

/**
 * The EXIF of an item or a box, from its TIFF header on: the first field counts the bytes in between (ISO/IEC 23008-12,
 * A.2.1).
 */
export const exifAfterOffset = (data: Buffer | undefined): Buffer | undefined =>
  data && data.length > 4 ? data.subarray(4 + data.readUInt32BE()) : undefined;

/**
 * Minimal EXIF data with an Orientation tag only. Pixels that are not re-encoded cannot be rotated: without the tag,
 * viewers would show them in the wrong orientation.
 */
export const orientationExif = (orientation: number): Uint8Array =>
  Buffer.concat([
    littleTiffHead,
    writeDirectory([numbersEntry(274, "short", [orientation])], {
      at: littleTiffHead.length,
      isLittle: true,
      isBig: false,
    }),
  ]);
