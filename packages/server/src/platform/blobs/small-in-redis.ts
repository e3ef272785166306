import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { DomainError } from "@tintype/contract";
import type { Redis } from "ioredis";
import { newId } from "../id.ts";
import type { RedisLink } from "../redis.ts";
import type { BlobPlace, Blobs, Draft } from "./blobs.ts";
import { createInspection } from "./inspect.ts";

/** Blobs up to this size go to Redis, which responds in 1 ms where an S3 store takes 10 to 20. */
const smallBytes = 1e6;
const commandTimeoutMs = 2_000;
/** The sweep removes blobs much earlier. This expiry is for blobs without a row. */
const ttlMs = 2 * 3_600_000;

/**
 * Keeps small blobs in Redis and all others in `blobs`. A small blob goes to `blobs` too while Redis is unavailable. A Redis that loses
 * its memory loses the small blobs in it: their files fail, and their credits come back. Engines work on copies in `scratch`, a
 * folder that nothing else uses; it is emptied here.
 */
export async function keepSmallInRedis({
  redis,
  blobs,
  scratch,
}: {
  redis: RedisLink;
  blobs: Blobs;
  scratch: string;
}): Promise<Blobs> {
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const execute = <Answer>(commands: (shared: Redis) => Promise<Answer>) => redis.execute(commandTimeoutMs, commands);
  const put = ({ jobId, name }: BlobPlace, bytes: Buffer) =>
    execute((shared) => shared.multi().hset(keyOf(jobId), name, bytes).pexpire(keyOf(jobId), ttlMs).exec());
  const take = ({ jobId, name }: BlobPlace) => execute((shared) => shared.hgetBuffer(keyOf(jobId), name));

  /**
   * The blob's bytes, or the result of `blobs`. While Redis is unavailable, a blob missing from `blobs` may be in Redis:
   * that is not `gone`.
   */
  const find = async <Answer>(at: BlobPlace, { small, large }: BlobLookup<Answer>): Promise<Answer> => {
    let away: unknown;
    const bytes = await take(at).catch((problem: unknown) => {
      away = problem;
      return null;
    });
    if (bytes) return small(bytes);
    return large(at).catch((problem: unknown) => {
      throw away !== undefined && problem instanceof DomainError && problem.code === "gone" ? away : problem;
    });
  };

  return {
    async write(at, stream, options) {
      const { pieces, rest } = await readSmall(stream);
      if (rest) return blobs.write(at, Readable.from(joined(pieces, rest), { objectMode: false }), options);
      const inspection = createInspection(options);
      const passed: Buffer[] = [];
      for await (const piece of inspection.pass(Readable.from(pieces))) passed.push(piece);
      try {
        await put(at, Buffer.concat(passed));
      } catch {
        return blobs.write(at, Readable.from(pieces, { objectMode: false }), options);
      }
      return inspection.stored();
    },
    checkout: (at) =>
      find(at, {
        async small(bytes) {
          const path = join(scratch, newId("copy"));
          await writeFile(path, bytes, { mode: 0o600 });
          return { path, release: () => rm(path, { force: true }) };
        },
        large: blobs.checkout,
      }),
    async draft(at) {
      const path = join(scratch, newId("draft"));
      let large: Draft | undefined;
      return {
        path,
        async commit() {
          if (!large) {
            const { size } = await stat(path).catch(fail);
            if (size <= smallBytes) {
              const isKept = await put(at, await readFile(path)).then(
                () => true,
                () => false,
              );
              if (isKept) return rm(path, { force: true });
            }
            const draft = await blobs.draft(at);
            await rename(path, draft.path);
            large = draft;
          }
          await large.commit();
        },
        async discard() {
          await rm(path, { force: true });
          await large?.discard();
        },
      };
    },
    read: (at, range) =>
      find(at, {
        small: async (bytes) =>
          Readable.from([range ? bytes.subarray(range.first, range.last + 1) : bytes], { objectMode: false }),
        large: () => blobs.read(at, range),
      }),
    async remove(jobId, name) {
      await execute((shared) => (name === undefined ? shared.del(keyOf(jobId)) : shared.hdel(keyOf(jobId), name)));
      await blobs.remove(jobId, name);
    },
    identify: blobs.identify,
    async close() {
      redis.close();
      await blobs.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

type BlobLookup<Answer> = { small(bytes: Buffer): Promise<Answer>; large(at: BlobPlace): Promise<Answer> };

const keyOf = (jobId: string) => `tintype:blobs:${jobId}`;

const fail = (cause: unknown): never => {
  throw (cause as NodeJS.ErrnoException).code === "ENOENT"
    ? new DomainError("gone", { cause })
    : new DomainError("unavailable", { retryAfterSeconds: 5, cause }); // node:fs throws errno errors only
};

/** Reads a stream to its end, or until it is no longer small; then `rest` has the remainder. */
async function readSmall(stream: Readable): Promise<{ pieces: Buffer[]; rest?: AsyncIterator<Buffer> }> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  for (let bytes = 0; bytes <= smallBytes; ) {
    const { done, value } = await chunks.next();
    if (done) return { pieces };
    pieces.push(value);
    bytes += value.length;
  }
  return { pieces, rest: chunks };
}

async function* joined(pieces: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces;
  yield* { [Symbol.asyncIterator]: () => rest };
}
