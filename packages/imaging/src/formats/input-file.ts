import { type FileHandle, open, readFile } from "node:fs/promises";
import { sniffBytes, sniffFormat } from "@tintype/codecs/headers";
import type { InputFormat } from "@tintype/contract";
import { type ReadBytes, withBytesOf } from "./byte-window.ts";

/** A picture's file, opened and read once by all who ask, unless it is larger than `maxKeptBytes`. */
export type InputFile = {
  path: string;
  sizeBytes: number;
  /** By its signature; undefined if it is none of the supported ones. */
  format: InputFormat | undefined;
  /** As many bytes as `sniffFormat` needs. */
  head: Uint8Array;
  /** The whole file. It is shared: not to be modified. */
  bytes(): Promise<Buffer>;
  /** Random access to parts of a file that may be large. */
  withParts<T>(work: (read: ReadBytes) => Promise<T>): Promise<T>;
};

/** Camera files are smaller. A larger one is read again by each who asks, in order not to stay in memory. */
const maxKeptBytes = 32e6;

/** `keeps`: whether to read it now, for several who will ask. Otherwise each reads what it needs, such as a header. */
export async function openInputFile(path: string, { keeps = true } = {}): Promise<InputFile> {
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    const isKept = keeps && sizeBytes <= maxKeptBytes;
    const start = isKept ? await file.readFile() : await readStart(file);
    const head = start.subarray(0, sniffBytes);
    return {
      path,
      sizeBytes,
      format: sniffFormat(head),
      head,
      bytes: async () => (isKept ? start : readFile(path)),
      withParts: (work) => (isKept ? work(async (...part) => partOf(start, ...part)) : withBytesOf(path, work)),
    };
  } finally {
    await file.close();
  }
}

async function readStart(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), { position: 0 });
  return buffer.subarray(0, bytesRead);
}

/** An offset in a damaged file can exceed any valid file position. */
const partOf = (bytes: Buffer, at: number, length: number): Buffer =>
  Number.isSafeInteger(at) ? bytes.subarray(at, at + length) : bytes.subarray(0, 0);
