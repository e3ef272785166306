import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError, errors } from "@tintype/contract";
import pLimit from "p-limit";
import type { Backend, FileResult, Work } from "./backend.ts";
import type { Cache } from "./cache.ts";
import { refuseCache } from "./cache-fault.ts";
import type { PendingBatch } from "./pending.ts";
import type { ProcessResult, WorkOptions } from "./process-result.ts";

/** The outcome of a picture in a batch. `alone`: it was not charged, and has to be sent by itself. */
export type BatchEnd = ProcessResult | DomainError | "alone";
/** By pending key. A picture that is missing has to be sent by itself. */
export type BatchEnds = ReadonlyMap<string, BatchEnd>;

/** `source` is the digest of the picture, `made` the result's bytes. */
export type ResultBytes = { source: string; made: Uint8Array };

type SendOptions = {
  backend: Backend;
  cache: Cache;
  work: Work;
  keep(entry: string, finished: FileResult, made: ResultBytes): Promise<ProcessResult>;
};

/** While one batch is processed, the next one uploads. More would only queue. */
const maxBatches = 2;

/** A call refused with one of these was not charged; sent one by one, its pictures may succeed, or the error says which one is at fault. */
const refusedTogether = [
  "nothing-succeeded",
  "out-of-credits",
  "network-allowance",
  "network-blocked",
  "too-many-files",
  "too-large",
];

/**
 * Refused permanently and not charged: the next attempt is a new request. With scope-missing, the work was charged,
 * but the key may not read the result.
 */
export const isRefused = (problem: unknown): boolean =>
  problem instanceof DomainError && !errors[problem.code].retryable && problem.code !== "scope-missing";

/** Sends batches whose pictures are stored in the cache, and stores the results there. */
export function createBatchSender({ backend, cache, work, keep }: SendOptions) {
  const limit = pLimit(maxBatches);
  const repeats = new Map<string, Promise<BatchEnds>>();
  const repeated = new Map<string, ProcessResult>();

  const send = async (
    batch: PendingBatch,
    { signal, progress = () => {}, onEnds = () => {} }: WorkOptions & { onEnds?(ends: BatchEnds): void },
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
      // Only after all results are stored: if the process is killed before, the next one asks again under the same key.
      await cache.endBatch(batch);
      return ends;
    } catch (problem) {
      // Another run sent it too, and finished it: its results are stored, and what is missing was not charged.
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
    /** Resends a killed process's batch, once for all of its pictures that are requested. */
    repeatBatch(batch: PendingBatch, working: WorkOptions): Promise<BatchEnds> {
      const before = repeats.get(batch.id);
      if (before) return before;
      const begun = sendBatch(batch, { ...working, onEnds: (ends) => keepRepeated(batch, ends) });
      repeats.set(batch.id, begun);
      begun.catch(() => repeats.delete(batch.id));
      return begun;
    },
    hasRepeated: (entry: string): boolean => repeated.has(entry),
    /** A result that came with a resent batch and has not been requested yet. */
    takeRepeated(entry: string): ProcessResult | undefined {
      const worked = repeated.get(entry);
      repeated.delete(entry);
      return worked;
    },
  };
}
