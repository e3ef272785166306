import { closeSync, openSync, readSync } from "node:fs";
import type { Sharp } from "sharp";
import { readPicture } from "./read-picture.ts";
import { type RowSource, rowsOf } from "./rows.ts";

/**
 * Pixels that are decoded to memory at most; more of them go to disk and are gone before it has written them. It is no
 * sacrifice: a buffer of 36 MB costs its page faults and a full collection of garbage, 12 MP took 282 ms by way of
 * memory and 247 by way of disk; and what a plan allows at most, 800 MB of RGBA, does not fill the machine.
 */
const memoryBytes = 2 ** 23;

export type OpenRows = RowSource & { close(): void };
type Reading = {
  picture: { depth: 8 | 16; isGrey: boolean; hasAlpha: boolean };
  /** What the pixels will take at most. */
  sizeBytes: number;
  /** Where they may be put for the time being; ends in ".v", by which libvips knows its own format. */
  temporaryPath: string;
  /** Above so many bytes it goes to disk. */
  heldBytes?: number;
};

/** Decodes a picture to rows. A moving one is its strip of frames. */
export async function readRows(image: Sharp, reading: Reading): Promise<OpenRows> {
  const { picture, sizeBytes, temporaryPath, heldBytes = memoryBytes } = reading;
  if (sizeBytes <= heldBytes) return { ...rowsOf(await readPicture(image, picture)), close: () => {} };
  await image.toFile(temporaryPath);
  return openRows(temporaryPath);
}

/** libvips' own file: 64 bytes, of which five are of interest here, then the rows, low bytes first. */
const header = { length: 64, width: 4, height: 8, channels: 12, bandFormat: 20, bytesFormat: 0, wordsFormat: 2 };
/** Read at a time. */
const pieceBytes = 2 ** 20;

function openRows(path: string): OpenRows {
  const file = openSync(path, "r");
  const head = Buffer.alloc(header.length);
  readSync(file, head, 0, header.length, 0);
  const [width, height] = [head.readUInt32LE(header.width), head.readUInt32LE(header.height)];
  const channels = head.readUInt32LE(header.channels);
  const bandFormat = head.readUInt32LE(header.bandFormat);
  if (bandFormat !== header.bytesFormat && bandFormat !== header.wordsFormat) {
    closeSync(file);
    throw new Error(`libvips wrote samples of kind ${bandFormat}`);
  }
  const sampleBytes = bandFormat === header.wordsFormat ? 2 : 1;
  const rowLength = width * channels;
  const rowBytes = rowLength * sampleBytes;
  const rowsHeld = Math.max(1, Math.floor(pieceBytes / rowBytes));
  const bytes = new Uint8Array(rowsHeld * rowBytes);
  const samples = sampleBytes === 2 ? new Uint16Array(bytes.buffer) : bytes;
  let held = { from: 0, to: 0 };
  const readRow = (y: number) => {
    if (y < held.from || y >= held.to) {
      const rows = Math.min(rowsHeld, height - y);
      const read = readSync(file, bytes, 0, rows * rowBytes, header.length + y * rowBytes);
      if (read < rows * rowBytes) throw new Error(`${read} of ${rows * rowBytes} bytes could be read`);
      held = { from: y, to: y + rows };
    }
    return samples.subarray((y - held.from) * rowLength, (y - held.from + 1) * rowLength);
  };
  const hasAlpha = channels === 2 || channels === 4;
  const full = sampleBytes === 2 ? 65_535 : 255;
  return { width, height, channels, hasAlpha, full, readRow, close: () => closeSync(file) };
}
