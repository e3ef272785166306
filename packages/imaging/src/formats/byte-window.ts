import { open } from "node:fs/promises";

/** Reads `length` bytes of a file at `at`; fewer at its end. */
export type ReadBytes = (at: number, length: number) => Promise<Buffer>;

/** Bytes of one read: nearby headers share it. */
const windowBytes = 65_536;

/** Calls `work` with random access to a file of any size, through a window of `windowBytes`. */
export async function withBytesOf<T>(path: string, work: (read: ReadBytes) => Promise<T>): Promise<T> {
  const file = await open(path);
  let [start, window] = [0, Buffer.alloc(0)];
  try {
    const { size: sizeBytes } = await file.stat();
    return await work(async (at, length) => {
      // An offset in a damaged file can exceed any valid file position.
      if (!Number.isSafeInteger(at) || at >= sizeBytes) return Buffer.alloc(0);
      if (at < start || at + length > start + window.length) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(windowBytes, length)), { position: at });
        [start, window] = [at, buffer.subarray(0, bytesRead)];
      }
      return window.subarray(at - start, at - start + length);
    });
  } finally {
    await file.close();
  }
}
