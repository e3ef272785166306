import { fieldTypes, typeBytes } from "./tiff-directory.ts";

/** A new entry of a TIFF directory (IFD); `bytes` are its values in little-endian order. */
export type WrittenEntry = { tag: number; type: number; bytes: Uint8Array };

/** An entry as it is in a directory of the same byte order and field sizes. */
type StoredEntry = { tag: number; stored: Uint8Array };

type DirectoryOptions = {
  at: number;
  isLittle: boolean;
  isBig: boolean;
  /** Entries to take over; new ones go between them by their tags. */
  kept?: readonly StoredEntry[];
  next?: number;
};

/** The start of a little-endian TIFF, or of EXIF data; its first directory follows. */
export const littleTiffHead = Buffer.from("II*\0\x08\0\0\0", "latin1");

/**
 * The bytes of a directory at offset `at`, followed by the values that do not fit into its entries: each starts at an
 * even offset (TIFF 6.0, section 2).
 */
export function writeDirectory(
  entries: readonly WrittenEntry[],
  { at, isLittle, isBig, kept = [], next = 0 }: DirectoryOptions,
): Buffer {
  const [word, countBytes, entryBytes] = isBig ? [8, 8, 20] : [4, 2, 12];
  const setWord = (view: DataView, place: number, value: number) =>
    isBig ? view.setBigUint64(place, BigInt(value), isLittle) : view.setUint32(place, value, isLittle);
  const count = kept.length + entries.length;
  const head = Buffer.alloc(countBytes + count * entryBytes + word);
  const records: StoredEntry[] = [...kept];
  const values: Uint8Array[] = [];
  let end = at + head.length;
  for (const { tag, type, bytes } of entries) {
    const stored = Buffer.alloc(entryBytes);
    const view = viewOf(stored);
    view.setUint16(0, tag, isLittle);
    view.setUint16(2, type, isLittle);
    setWord(view, 4, bytes.length / (typeBytes[type] ?? 1));
    records.push({ tag, stored });
    const written = isLittle ? bytes : swapped(bytes, type);
    if (written.length <= word) {
      stored.set(written, 4 + word);
      continue;
    }
    setWord(view, 4 + word, end);
    values.push(written, Buffer.alloc(written.length & 1));
    end += written.length + (written.length & 1);
  }
  records.sort((a, b) => a.tag - b.tag);
  for (const [i, { stored }] of records.entries()) head.set(stored, countBytes + i * entryBytes);
  const view = viewOf(head);
  if (isBig) setWord(view, 0, count);
  else view.setUint16(0, count, isLittle);
  setWord(view, head.length - word, next);
  return Buffer.concat([head, ...values]);
}

const viewOf = (bytes: Buffer) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Values in the other byte order. */
export function swapped(value: Uint8Array, type: number): Uint8Array {
  const isRational = type === fieldTypes.rational || type === fieldTypes.signedRational;
  const unit = isRational ? 4 : (typeBytes[type] ?? 1);
  return Uint8Array.from(value, (_, i) => value[i - (i % unit) + unit - 1 - (i % unit)] as number);
}

/** An entry of SHORT or LONG values. */
export function numbersEntry(tag: number, type: "short" | "long", values: readonly number[]): WrittenEntry {
  const size = typeBytes[fieldTypes[type]] ?? 0;
  const bytes = Buffer.alloc(values.length * size);
  for (const [i, value] of values.entries()) bytes.writeUIntLE(value, i * size, size);
  return { tag, type: fieldTypes[type], bytes };
}
