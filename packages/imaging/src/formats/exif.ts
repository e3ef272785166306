import { littleTiffHead, numbersEntry, writeDirectory } from "../raster/write-directory.ts";

/**
 * The Orientation (tag 274 of the 0th IFD; CIPA DC-008, 4.6) of EXIF data, 1 to 8; 1 if it is missing or invalid.
 * `tiff` starts at the byte order, "II" or "MM".
 */
export function exifOrientation(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  try {
    const isLittle = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, isLittle);
    const entries = view.getUint16(directory, isLittle);
    for (let i = 0; i < entries; i++) {
      const at = directory + 2 + i * 12;
      if (view.getUint16(at, isLittle) !== 274) continue;
      const orientation = view.getUint16(at + 8, isLittle);
      return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause; // truncated EXIF
  }
  return 1;
}

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
