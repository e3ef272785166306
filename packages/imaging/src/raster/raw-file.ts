import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import type { PixelRows } from "./pixel-rows.ts";
import { type TiffPicture, tiffHead } from "./tiff-head.ts";

/** A picture on disk that is filled part by part and then read like any other. */
export type RawFile = {
  path: string;
  /** Puts a rectangle of rows in place; `left` and `top` say where it begins in the picture, px. */
  write(samples: Uint8Array | Uint16Array, rows: Rows): void;
  /** Ends writing; reading may begin. */
  close(): void;
};

/** Row `i` is the `length` samples from `from + i * stride` on. */
type Rows = { left: number; top: number; rows: number; from: number; length: number; stride: number };

/** Offsets in a TIFF are 32 bits. */
const maxBytes = 2 ** 32 - 1;

/**
 * An uncompressed TIFF at `path`, so that a result of any size costs disk and not memory: encoders read it strip by
 * strip. What was there is replaced.
 *
 * Written in the calling thread: a row goes to the system's cache in microseconds, and a promise for each cost more.
 * @throws too-many-pixels where it would be larger than the format can be (4 GiB)
 */
export function createRawFile(path: string, picture: TiffPicture): RawFile {
  const head = tiffHead(picture);
  const { width, height, channels, depth } = picture;
  const pixelBytes = (channels * depth) / 8;
  if (head.length + width * height * pixelBytes > maxBytes) throw new DomainError("too-many-pixels");
  const file = openSync(path, "w");
  writeWhole(file, head, 0);
  return {
    path,
    write({ buffer, byteOffset, BYTES_PER_ELEMENT: size }, { left, top, rows, from, length, stride }) {
      for (let row = 0; row < rows; row += 1) {
        const bytes = new Uint8Array(buffer, byteOffset + (from + row * stride) * size, length * size);
        writeWhole(file, bytes, head.length + ((top + row) * width + left) * pixelBytes);
      }
    },
    close: () => closeSync(file),
  };
}

/** What was written at `path`, row by row. Read in the calling thread, into one piece of memory, as it was written. */
export function rawRows(path: string, picture: TiffPicture): PixelRows {
  const { width, channels, depth } = picture;
  const rowBytes = (width * channels * depth) / 8;
  const start = tiffHead(picture).length;
  let memory = new ArrayBuffer(0);
  return {
    ...picture,
    async readRows({ first, count }) {
      const length = count * rowBytes;
      if (memory.byteLength < length) memory = new ArrayBuffer(length);
      const file = openSync(path, "r");
      try {
        const read = readSync(file, new Uint8Array(memory), { length, position: start + first * rowBytes });
        // What is missing would be rows of the strip before.
        if (read < length) throw new Error(`${read} of ${length} bytes were read`);
      } finally {
        closeSync(file);
      }
      return depth === 16 ? new Uint16Array(memory, 0, length / 2) : new Uint8Array(memory, 0, length);
    },
  };
}

function writeWhole(file: number, bytes: Uint8Array, position: number): void {
  const written = writeSync(file, bytes, 0, bytes.length, position);
  // A full disk says so by an error, but may first take a part.
  if (written < bytes.length) throw new Error(`${written} of ${bytes.length} bytes were written`);
}

/** Works with a file that is gone afterwards, whatever happens. */
export async function withTemporary<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}
