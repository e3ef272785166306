/** An entry of a TIFF directory (IFD); `values` are elsewhere in the file, or in the entry if they fit. */
export type TiffEntry = {
  tag: number;
  /** `fieldTypes` and others. */
  type: number;
  start: number;
  values: { start: number; end: number; isInside: boolean };
  numbers(): number[];
};

/** One IFD: the position of its table, its entries, and the offset of the next one (0: none). */
export type TiffDirectory = { start: number; end: number; entries: TiffEntry[]; next: number };

/** Type codes of TIFF 6.0, section 2. */
export const fieldTypes = {
  byte: 1,
  ascii: 2,
  short: 3,
  long: 4,
  rational: 5,
  undefined: 7,
  signedRational: 10,
} as const;

/** Byte order and field sizes of a TIFF or a BigTIFF. */
export type TiffLayout = ReturnType<typeof tiffLayout>;

/** Bytes per value, by type code: TIFF 6.0 section 2, IFD (13) of its supplements, BigTIFF's three; 0 if unknown. */
export const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

export function tiffLayout(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  const isBig = view.getUint16(2, isLittle) === 43;
  const word = isBig ? 8 : 4;
  /** An offset or a count, of 4 bytes or of 8 in BigTIFF. */
  const offsetAt = (at: number) => (isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle));
  return {
    view,
    isLittle,
    isBig,
    word,
    countBytes: isBig ? 8 : 2,
    entryBytes: isBig ? 20 : 12,
    offsetAt,
    first: offsetAt(word),
  };
}

/** @throws RangeError if the directory reaches past the file */
export function readDirectory(layout: TiffLayout, start: number): TiffDirectory {
  const { view, isLittle, isBig, word, countBytes, entryBytes, offsetAt } = layout;
  const count = isBig ? Number(view.getBigUint64(start, isLittle)) : view.getUint16(start, isLittle);
  const end = start + countBytes + count * entryBytes + word;
  if (end > view.byteLength) throw new RangeError("The directory reaches past the file");
  const entries = Array.from({ length: count }, (_, i): TiffEntry => {
    const at = start + countBytes + i * entryBytes;
    const type = view.getUint16(at + 2, isLittle);
    const size = typeBytes[type] ?? 0;
    const length = offsetAt(at + 4) * size;
    const isInside = length <= word;
    const valuesAt = isInside ? at + 4 + word : offsetAt(at + 4 + word);
    const values = { start: valuesAt, end: Math.min(valuesAt + length, view.byteLength), isInside };
    return {
      tag: view.getUint16(at, isLittle),
      type,
      start: at,
      values,
      numbers: () => numbers(layout, { ...values, size }),
    };
  });
  return { start, end, entries, next: offsetAt(end - word) };
}

function numbers(
  { view, isLittle }: TiffLayout,
  { start, end, size }: { start: number; end: number; size: number },
): number[] {
  if (size !== 2 && size !== 4 && size !== 8) return [];
  const found: number[] = [];
  for (let at = start; at + size <= end; at += size)
    found.push(
      size === 2
        ? view.getUint16(at, isLittle)
        : size === 4
          ? view.getUint32(at, isLittle)
          : Number(view.getBigUint64(at, isLittle)),
    );
  return found;
}
