import { concatBytes, latin1Bytes } from "../bytes.ts";
import { CodecError } from "../error.ts";

/** One image of an icon: its ICONDIRENTRY and its data, a PNG or a BMP without its file header. */
export type IconEntry = { row: Uint8Array; bytes: Uint8Array; kind: "png" | "bmp"; width: number; height: number };

const [headBytes, rowBytes] = [6, 16];
/** The largest icon libraries have about fifty; each image costs decoding time. */
const maxEntries = 256;
/** A BITMAPINFOHEADER, the shortest header of an image. */
const minEntryBytes = 40;

/**
 * The images of an ICO file, in the order of its directory. Sizes come from their own headers: the directory has only
 * one byte for each.
 * @throws damaged if the directory or an image reaches past the file or images overlap, unsupported for too
 * many images
 */
export function readIconEntries(file: Uint8Array): IconEntry[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const count = view.getUint16(4, true);
  if (count > maxEntries)
    throw new CodecError("unsupported", { fault: { code: "icon-images", images: count, limit: maxEntries } });
  if (count === 0) brokenIcon("It has no image.");
  const entries = Array.from({ length: count }, (_, i) => {
    const rowAt = headBytes + i * rowBytes;
    const [length, at] = [view.getUint32(rowAt + 8, true), view.getUint32(rowAt + 12, true)];
    if (at < headBytes + count * rowBytes || length < minEntryBytes || at + length > file.length)
      brokenIcon(`Picture ${i + 1} reaches past the file.`);
    const bytes = file.subarray(at, at + length);
    return { row: file.subarray(rowAt, rowAt + rowBytes), bytes, ...headerOf(bytes) };
  });
  // Attack: images that share bytes would multiply them when written one by one.
  if (entries.reduce((sum, { bytes }) => sum + bytes.length, 0) > file.length) brokenIcon("Its pictures overlap.");
  return entries;
}

const pngSignature = latin1Bytes("\x89PNG\r\n\x1a\n");

function headerOf(bytes: Uint8Array): Pick<IconEntry, "kind" | "width" | "height"> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (pngSignature.every((byte, i) => bytes[i] === byte))
    return { kind: "png", width: view.getUint32(16), height: view.getUint32(20) };
  // The DIB height is that of the colour bitmap and the mask together.
  return { kind: "bmp", width: view.getInt32(4, true), height: Math.floor(Math.abs(view.getInt32(8, true)) / 2) };
}

/** The image with the most pixels; of equal sizes the one with the higher bit depth by the directory. */
export function largestEntry(entries: readonly IconEntry[]): IconEntry {
  const bitsOf = ({ row }: IconEntry) => (row[6] ?? 0) + (row[7] ?? 0) * 256;
  const areaOf = ({ width, height }: IconEntry) => width * height;
  return entries.reduce((best, one) => ((areaOf(one) - areaOf(best) || bitsOf(one) - bitsOf(best)) > 0 ? one : best));
}

type NewEntry = { row: Uint8Array; bytes: Uint8Array };

/** The ICONDIRENTRY of a 32-bit image; 0 means 256 px. */
export function iconRow({ width, height }: { width: number; height: number }): Uint8Array {
  const row = new Uint8Array(rowBytes);
  row.set([width & 255, height & 255, 0, 0, 1, 0, 32, 0]);
  return row;
}

/** Assembles an icon: the directory, then the images. */
export function writeIcon(entries: readonly NewEntry[]): Uint8Array {
  const head = new Uint8Array(headBytes + entries.length * rowBytes);
  const view = new DataView(head.buffer);
  view.setUint16(2, 1, true);
  view.setUint16(4, entries.length, true);
  let at = head.length;
  for (const [i, { row, bytes }] of entries.entries()) {
    const rowAt = headBytes + i * rowBytes;
    head.set(row, rowAt);
    view.setUint32(rowAt + 8, bytes.length, true);
    view.setUint32(rowAt + 12, at, true);
    at += bytes.length;
  }
  return concatBytes([head, ...entries.map(({ bytes }) => bytes)]);
}

/** @throws damaged always; `cause` goes to the log */
export function brokenIcon(cause: string): never {
  throw new CodecError("damaged", { cause: `ICO: ${cause}` });
}
