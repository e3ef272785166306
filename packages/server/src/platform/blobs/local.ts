import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DomainError } from "@tintype/contract";
import type { Blobs, Stored } from "./blobs.ts";

/** Pictures on this machine's disk, below a folder that nothing else uses. */
export async function openLocalBlobs(folder: string): Promise<Blobs> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = (jobId: string, name: string) => join(folder, jobId, name);
  return {
    path,
    async write({ jobId, name }, stream, options): Promise<Stored> {
      await mkdir(join(folder, jobId), { recursive: true });
      return store(stream, path(jobId, name), options);
    },
    read: (jobId, name) => createReadStream(path(jobId, name), { highWaterMark: 256 * 1024 }),
    remove: (jobId, name) => rm(name ? path(jobId, name) : join(folder, jobId), { recursive: true, force: true }),
    jobs: () => readdir(folder),
  };
}

async function store(
  stream: Readable,
  path: string,
  { limitBytes, hash }: { limitBytes: number; hash: boolean },
): Promise<Stored> {
  const digest = hash ? createHash("sha256") : undefined;
  let sizeBytes = 0;
  let isTooLarge = false;
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length;
        isTooLarge ||= sizeBytes > limitBytes;
        // Read on, so that the sender gets to hear our answer, and keep nothing.
        if (isTooLarge) continue;
        digest?.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  if (isTooLarge) {
    await rm(path, { force: true });
    throw new DomainError("too-large");
  }
  return { sizeBytes, sha256: digest?.digest("hex") };
}
