import { open } from "node:fs/promises";
import { sniffBytes } from "./sniff.ts";

/** Gives bytes of a file: fewer where the file ends. */
export type ReadBytes = (at: number, length: number) => Promise<Buffer>;

/** Read at a time; headers that stand close to each other cost one reading. */
const windowBytes = 65_536;

/** Lets `work` read a file piece by piece, however large the file is. */
export async function withBytesOf<T>(path: string, work: (read: ReadBytes) => Promise<T>): Promise<T> {
  const file = await open(path);
  let [start, window] = [0, Buffer.alloc(0)];
  try {
    const { size: sizeBytes } = await file.stat();
    return await work(async (at, length) => {
      // An offset of a damaged file may be larger than any position that the system takes.
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

/** A file's first bytes: as many as `sniffFormat` needs by default, fewer if the file is shorter. */
export async function readHead(path: string, atMostBytes = sniffBytes): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(atMostBytes), 0, atMostBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
