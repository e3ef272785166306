import { open } from "node:fs/promises";
import { sniffBytes } from "./sniff.ts";

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
