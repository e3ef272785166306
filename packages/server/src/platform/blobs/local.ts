import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DomainError } from "@tintype/contract";
import type { Blobs, Stored, StoreOptions } from "./blobs.ts";

/** Pictures on this machine's disk, below a folder that nothing else uses. */
export async function openLocalBlobs(folder: string): Promise<Blobs> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = (jobId: string, name: string) => join(folder, jobId, name);
  return {
    path,
    async write({ jobId, name }, stream, options): Promise<Stored> {
      await mkdir(join(folder, jobId), { recursive: true, mode: 0o700 });
      return store(stream, path(jobId, name), options);
    },
    read: (jobId, name) => createReadStream(path(jobId, name), { highWaterMark: 64 * 1024 }),
    remove: (jobId, name) => (name ? rm(path(jobId, name), { force: true }) : removeFolder(join(folder, jobId))),
    jobs: () => readdir(folder),
  };
}

/**
 * A folder with nothing but files in it. `rm` would do, in thrice the calls; what a process that is just ending still
 * writes into it is left to `rm`.
 */
async function removeFolder(path: string): Promise<void> {
  try {
    await Promise.all((await readdir(path)).map((name) => unlink(join(path, name))));
    await rmdir(path);
  } catch {
    await rm(path, { recursive: true, force: true });
  }
}

/** Written at a time at most, so that a fast upload does not cost a call for every packet. */
const pieceBytes = 2 ** 20;

async function store(stream: Readable, path: string, { limitBytes, hash, headBytes }: StoreOptions): Promise<Stored> {
  const heads: Buffer[] = [];
  const digest = hash ? createHash("sha256") : undefined;
  let sizeBytes = 0;
  let isTooLarge = false;
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (sizeBytes < headBytes) heads.push(chunk.subarray(0, headBytes - sizeBytes));
        sizeBytes += chunk.length;
        isTooLarge ||= sizeBytes > limitBytes;
        // Read on, so that the sender gets to hear our answer, and keep nothing.
        if (isTooLarge) continue;
        digest?.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { highWaterMark: pieceBytes }),
  );
  if (isTooLarge) {
    await rm(path, { force: true });
    throw new DomainError("too-large");
  }
  return { sizeBytes, sha256: digest?.digest("hex"), head: Buffer.concat(heads) };
}
