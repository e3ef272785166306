/**
 * The orientation (1 to 8) that an EXIF block gives, 1 where it gives none. `tiff` is the block from its "II" or "MM".
 * Source: CIPA DC-008, section 4.6; orientation is tag 274 of the first directory.
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
    if (!(cause instanceof RangeError)) throw cause; // a truncated block has no orientation
  }
  return 1;
}

/**
 * The smallest EXIF block with an orientation: pixels that are not coded again cannot be turned, and without the tag viewers would
 * show them on their side.
 */
export function orientationExif(orientation: number): Uint8Array {
  const tiff = new Uint8Array(26);
  const view = new DataView(tiff.buffer);
  tiff.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, 8, true);
  view.setUint16(8, 1, true); // one entry
  view.setUint16(10, 274, true);
  view.setUint16(12, 3, true); // a short
  view.setUint32(14, 1, true);
  view.setUint16(18, orientation, true);
  return tiff;
}
