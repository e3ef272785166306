const orientationTag = 274;
/** SHORT (TIFF 6.0, section 2). */
const shortType = 3;
/** JPEG's identifier of EXIF, which some writers of other formats put first. */
const exifMark = "Exif";
const exifMarkBytes = 6;

/**
 * The Orientation (CIPA DC-008, 4.6.4) of the first directory of EXIF data or of a TIFF, 1 to 8; 1 if it is missing or
 * invalid. Like Chromium it ignores an orientation of another type than SHORT. WebP has no orientation: browsers ignore
 * that of its EXIF.
 */
export function exifOrientation(exif: Uint8Array): number {
  const start = String.fromCharCode(...exif.subarray(0, 4)) === exifMark ? exifMarkBytes : 0;
  const view = new DataView(exif.buffer, exif.byteOffset + start, Math.max(0, exif.byteLength - start));
  try {
    const isLittle = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, isLittle);
    const count = view.getUint16(directory, isLittle);
    for (let i = 0; i < count; i++) {
      const entry = directory + 2 + i * 12;
      if (view.getUint16(entry, isLittle) !== orientationTag) continue;
      const orientation = view.getUint16(entry + 8, isLittle);
      const isValid = view.getUint16(entry + 2, isLittle) === shortType && orientation >= 1 && orientation <= 8;
      return isValid ? orientation : 1;
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause; // truncated
  }
  return 1;
}

/** The ids of the `uuid` boxes of a JPEG 2000 file that hold EXIF: Adobe's, and the text "JpgTiffExif->JP2". */
export const jp2ExifIds: readonly string[] = ["0537cdab9d0c4431a72afa561f2a113e", "4a706754696666457869662d3e4a5032"];
