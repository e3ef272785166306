import { open, readFile } from "node:fs/promises";
import { sniffBytes, sniffFormat } from "@tintype/codecs/headers";
import type { InputFormat } from "@tintype/contract";
import { type ReadBytes, withBytesOf } from "./byte-window.ts";

/** A picture's file. */
export type InputFile = {
  path: string;
  sizeBytes: number;
  /** By its signature; undefined if it is none of the supported ones. */
  format: InputFormat | undefined;
  /** As many bytes as `sniffFormat` needs. */
  head: Uint8Array;
  /** The whole file. */
  bytes(): Promise<Buffer>;
  /** Random access to parts of a file that may be large. */
  withParts<T>(work: (read: ReadBytes) => Promise<T>): Promise<T>;
};

export async function openInputFile(path: string): Promise<InputFile> {
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(sniffBytes, sizeBytes)), { position: 0 });
    const head = buffer.subarray(0, bytesRead);
    return {
      path,
      sizeBytes,
      format: sniffFormat(head),
      head,
      bytes: () => readFile(path),
      withParts: (work) => withBytesOf(path, work),
    };
  } finally {
    await file.close();
  }
}
