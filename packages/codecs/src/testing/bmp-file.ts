/** The header fields of a BMP test file, and the bytes after them. */
export type BmpFile = {
  width: number;
  height: number;
  bits: number;
  /** Bytes of the DIB header; 12 is OS/2 1.x. */
  headerSize?: number;
  compression?: number;
  /** Entries as [red, green, blue]. */
  palette?: number[][];
  /** Red, green, blue, alpha: written after a header of 40 bytes, inside a longer one. */
  masks?: number[];
  /** Bytes between the headers and the pixels. */
  gap?: number;
  /** The pixels, padded and in file order. */
  body: number[] | Uint8Array;
  /** Overrides the stored offset of the pixels, or the stored number of colours. */
  claims?: { pixelsOffset?: number; colours?: number };
  /** Written after the pixels, and referenced by a version 5 header. */
  profile?: Uint8Array;
};

/** Builds a BMP byte by byte, so that a test can store values that no encoder would. */
export function bmpFile(file: BmpFile): Uint8Array {
  const { width, height, bits, headerSize = 40, compression = 0, palette = [], masks = [], gap = 0, body } = file;
  const isCore = headerSize === 12;
  const entrySize = isCore ? 3 : 4;
  const masksBehind = headerSize === 40 ? masks.length * 4 : 0;
  const paletteAt = 14 + headerSize + masksBehind;
  const pixelsAt = paletteAt + palette.length * entrySize + gap;
  const bytes = new Uint8Array(pixelsAt + body.length + (file.profile?.length ?? 0));
  const view = new DataView(bytes.buffer);
  const put = (offset: number, value: number) => {
    if (offset + 4 <= headerSize) view.setUint32(14 + offset, value, true);
  };
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, file.claims?.pixelsOffset ?? pixelsAt, true);
  view.setUint32(14, headerSize, true);
  if (isCore) {
    for (const [i, value] of [width, height, 1, bits].entries()) view.setUint16(18 + i * 2, value, true);
  } else {
    view.setInt32(18, width, true);
    view.setInt32(22, height, true);
    view.setUint16(26, 1, true);
    view.setUint16(28, bits, true);
    put(16, compression);
    put(32, file.claims?.colours ?? palette.length);
  }
  for (const [i, mask] of masks.entries()) view.setUint32(54 + i * 4, mask, true); // also after a 40-byte header
  for (const [i, [red = 0, green = 0, blue = 0]] of palette.entries())
    bytes.set([blue, green, red], paletteAt + i * entrySize);
  bytes.set(body, pixelsAt);
  if (file.profile) {
    put(56, 0x4d424544); // "MBED"
    put(112, pixelsAt + body.length - 14);
    put(116, file.profile.length);
    bytes.set(file.profile, pixelsAt + body.length);
  }
  return bytes;
}
