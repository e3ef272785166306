import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError, errors } from "@tintype/contract";
import pLimit from "p-limit";
import type { Backend, Finished, Work } from "./backend.ts";
import type { Cache } from "./cache.ts";
import { refuseCache } from "./cache-fault.ts";
import type { PendingBatch } from "./pending.ts";
import type { Worked, Working } from "./worked.ts";

/** The end of a picture in a batch. `alone`: it cost nothing, and is to be sent by itself. */
export type BatchEnd = Worked | DomainError | "alone";
/** By the names of pending work. A picture that is missing is to be sent by itself. */
export type BatchEnds = ReadonlyMap<string, BatchEnd>;

/** `source` is the digest of the picture, `made` the bytes of its result. */
export type Made = { source: string; made: Uint8Array };

type Sending = {
  backend: Backend;
  cache: Cache;
  work: Work;
  keep(entry: string, finished: Finished, made: Made): Promise<Worked>;
};

/** While one batch is worked on, the next one uploads. More would only wait in line. */
const mostBatches = 2;

/** A call that was refused so cost nothing; its pictures one by one may fare better, or say which of them is meant. */
const refusedTogether = [
  "nothing-succeeded",
  "out-of-credits",
  "network-allowance",
  "network-blocked",
  "too-many-files",
  "too-large",
];

/** Refused for good, and not charged: the next try is another request. A key that may not read the result was charged. */
export const isRefused = (problem: unknown): boolean =>
  problem instanceof DomainError && !errors[problem.code].retryable && problem.code !== "scope-missing";

/** Sends batches whose pictures lie in the cache, and keeps the results there. */
export function createBatchSender({ backend, cache, work, keep }: Sending) {
  const limit = pLimit(mostBatches);
  const repeats = new Map<string, Promise<BatchEnds>>();
  const repeated = new Map<string, Worked>();

  const send = async (
    batch: PendingBatch,
    { signal, progress = () => {}, onEnds = () => {} }: Working & { onEnds?(ends: BatchEnds): void },
  ): Promise<BatchEnds> => {
    const { members, idempotencyKey } = batch;
    const room = await cache.scratch().catch(refuseCache);
    const pictures = members.map(({ path, name, sizeBytes }) => {
      return { path, name, sizeBytes, resultPath: join(room, `${randomUUID()}.out`) };
    });
    try {
      signal.throwIfAborted();
      const finished = await backend.batches?.run({ pictures, work, idempotencyKey, signal, progress });
      const ends = new Map<string, BatchEnd>();
      for (const [index, { key, entry, sha256: source }] of members.entries()) {
        const [one, paths] = [finished?.[index], pictures[index]];
        if (one instanceof DomainError) ends.set(key, errors[one.code].retryable ? "alone" : one);
        else if (one && paths)
          ends.set(key, await keep(entry, one, { source, made: await readFile(paths.resultPath) }));
      }
      onEnds(ends);
      // Not before all results are kept: a process that is killed until then asks again under the same key.
      await cache.endBatch(batch);
      return ends;
    } catch (problem) {
      // Another run sent it too, and has ended it: its results are kept, and what is missing cost nothing.
      if (!signal.aborted && !(await cache.hasBatch(batch))) return new Map();
      if (isRefused(problem)) await cache.endBatch(batch);
      if (problem instanceof DomainError && refusedTogether.includes(problem.code)) return new Map();
      throw problem;
    } finally {
      await Promise.all(pictures.map(({ resultPath }) => rm(resultPath, { force: true })));
    }
  };
  const sendBatch = (...sending: Parameters<typeof send>) => limit(() => send(...sending));
  const keepRepeated = ({ members }: PendingBatch, ends: BatchEnds) => {
    for (const { key, entry } of members) {
      const end = ends.get(key);
      if (end !== undefined && end !== "alone" && !(end instanceof DomainError)) repeated.set(entry, end);
    }
  };

  return {
    sendBatch,
    /** Sends the batch of a killed process again, once for all pictures of it that are asked for. */
    repeatBatch(batch: PendingBatch, working: Working): Promise<BatchEnds> {
      const before = repeats.get(batch.id);
      if (before) return before;
      const begun = sendBatch(batch, { ...working, onEnds: (ends) => keepRepeated(batch, ends) });
      repeats.set(batch.id, begun);
      begun.catch(() => repeats.delete(batch.id));
      return begun;
    },
    hasRepeated: (entry: string): boolean => repeated.has(entry),
    /** A result that came with a repeated batch, and that nobody has asked for yet. */
    takeRepeated(entry: string): Worked | undefined {
      const worked = repeated.get(entry);
      repeated.delete(entry);
      return worked;
    },
  };
}
