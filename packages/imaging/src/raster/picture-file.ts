import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import type { RowReader } from "@tintype/codecs/raster";
import { bytesOf, type Channels, type IntegerSamples, type RasterShape } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import type { Sharp } from "sharp";
import { tiffHead } from "./tiff-head.ts";
import { readSampleLayout, type SampleLayout } from "./tiff-layout.ts";

/**
 * A picture in a temporary file, an uncompressed TIFF: libvips reads and writes it strip by strip, and this process
 * reads and writes any of its rows. A picture of 200 megapixels then needs disk space and the memory of a few rows.
 *
 * I/O is synchronous: a row reaches the page cache in microseconds, and a promise for each would cost more.
 */
export type PictureFile = RowReader<IntegerSamples> & {
  path: string;
  depth: 8 | 16;
  /** A copy of these rows, in any order of calls. */
  readRows(rows: { first: number; count: number }): IntegerSamples;
  /** A copy of a rectangle of a still picture. */
  readPart(part: { left: number; top: number; width: number; rows: number }): IntegerSamples;
  writeRows(first: number, samples: IntegerSamples): void;
  writePart(samples: IntegerSamples, part: Part): void;
  /** Closes the descriptor; libvips may go on reading the file. */
  close(): void;
  /** Closes the file and deletes it. */
  remove(): void;
};

/** Row `i` of a rectangle is the `length` samples from `from + i * stride` on; `left` and `top` are its corner, px. */
type Part = { left: number; top: number; rows: number; from: number; length: number; stride: number };

/** TIFF offsets have 32 bits. */
const maxBytes = 2 ** 32 - 1;

/**
 * An empty picture at `path`; it replaces an existing file.
 * @throws too-many-pixels if it would exceed the size limit of TIFF (4 GiB)
 */
export function createPictureFile(path: string, shape: RasterShape): PictureFile {
  const head = tiffHead(shape);
  const { width, height, channels, depth } = shape;
  const sizeBytes = head.length + (width * height * channels * depth) / 8;
  if (sizeBytes > maxBytes) throw new DomainError("too-many-pixels");
  const file = openSync(path, "w+");
  writeFully(file, head, 0);
  return pictureFile({ file, path, width, height, channels, depth, pageStarts: [head.length] });
}

/** Runs the pipeline into a file at `path`, in its colours and depth. An animation becomes a strip of its frames. */
export async function decodeToFile(image: Sharp, path: string): Promise<PictureFile> {
  try {
    const { width, height, channels } = await image.tiff({ compression: "none" }).toFile(path);
    const file = openSync(path, "r+");
    try {
      const shape = { width, height, channels: channels as Channels }; // opening rejects other channel counts
      const read = (position: number, length: number): Buffer => {
        const bytes = Buffer.alloc(length);
        readSync(file, bytes, 0, length, position);
        return bytes;
      };
      return pictureFile({ file, path, ...shape, ...readSampleLayout(read) });
    } catch (problem) {
      closeSync(file);
      throw problem;
    }
  } catch (problem) {
    rmSync(path, { force: true });
    throw problem;
  }
}

/** Runs the pipeline into a file at `path`, which exists while the work uses it. */
export async function withPictureFile<T>(
  image: Sharp,
  path: string,
  work: (file: PictureFile) => Promise<T>,
): Promise<T> {
  const file = await decodeToFile(image, path);
  try {
    return await work(file);
  } finally {
    file.remove();
  }
}

/** The read-ahead of `readRow`, in bytes. */
const pieceBytes = 2 ** 20;

type Opened = { file: number; path: string; width: number; height: number; channels: Channels } & SampleLayout;

function pictureFile({ file, path, width, height, channels, depth, pageStarts }: Opened): PictureFile {
  const pixelBytes = (channels * depth) / 8;
  const rowBytes = width * pixelBytes;
  const pageHeight = height / pageStarts.length;
  const positionOf = (y: number) => (pageStarts[Math.floor(y / pageHeight)] as number) + (y % pageHeight) * rowBytes;
  const allocate = (rows: number): IntegerSamples =>
    depth === 16 ? new Uint16Array((rows * rowBytes) / 2) : new Uint8Array(rows * rowBytes);
  /** Reads page by page: the rows of a page are contiguous. */
  const read = (to: Uint8Array, { first, count }: { first: number; count: number }) => {
    for (let y = first; y < first + count; ) {
      const rows = Math.min(first + count, (Math.floor(y / pageHeight) + 1) * pageHeight) - y;
      readFully(file, to.subarray((y - first) * rowBytes, (y - first + rows) * rowBytes), positionOf(y));
      y += rows;
    }
  };
  const piece = allocate(Math.min(height, Math.max(1, Math.floor(pieceBytes / rowBytes))));
  const pieceRows = piece.length / (width * channels);
  let cached = { from: 0, to: 0 };
  const writePart: PictureFile["writePart"] = (samples, { left, top, rows, from, length, stride }) => {
    cached = { from: 0, to: 0 };
    for (let row = 0; row < rows; row += 1) {
      const start = from + row * stride;
      writeFully(file, bytesOf(samples.subarray(start, start + length)), positionOf(top + row) + left * pixelBytes);
    }
  };
  const close = () => closeSync(file);
  return {
    path,
    width,
    height,
    channels,
    depth,
    full: depth === 16 ? 65_535 : 255,
    readRow(y) {
      if (y < cached.from || y >= cached.to) {
        const count = Math.min(pieceRows, height - y);
        read(bytesOf(piece).subarray(0, count * rowBytes), { first: y, count });
        cached = { from: y, to: y + count };
      }
      return piece.subarray((y - cached.from) * width * channels, (y - cached.from + 1) * width * channels);
    },
    readRows(rows) {
      const samples = allocate(rows.count);
      read(bytesOf(samples), rows);
      return samples;
    },
    readPart({ left, top, width: across, rows }) {
      const length = across * channels;
      const samples = depth === 16 ? new Uint16Array(rows * length) : new Uint8Array(rows * length);
      for (let row = 0; row < rows; row += 1) {
        const to = bytesOf(samples.subarray(row * length, (row + 1) * length));
        readFully(file, to, positionOf(top + row) + left * pixelBytes);
      }
      return samples;
    },
    writeRows(first, samples) {
      const length = width * channels;
      writePart(samples, { left: 0, top: first, rows: samples.length / length, from: 0, length, stride: length });
    },
    writePart,
    close,
    remove() {
      close();
      rmSync(path, { force: true });
    },
  };
}

function readFully(file: number, bytes: Uint8Array, position: number): void {
  const read = readSync(file, bytes, 0, bytes.length, position);
  if (read < bytes.length) throw new Error(`${read} of ${bytes.length} bytes of a temporary picture could be read`);
}

function writeFully(file: number, bytes: Uint8Array, position: number): void {
  const written = writeSync(file, bytes, 0, bytes.length, position);
  // A full disk may cause a short write before it reports an error.
  if (written < bytes.length)
    throw new Error(`${written} of ${bytes.length} bytes of a temporary picture were written`);
}
