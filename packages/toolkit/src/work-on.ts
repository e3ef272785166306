import { randomUUID } from "node:crypto";
import { readFile, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "@tintype/contract";
import { sniffFormat } from "@tintype/imaging";
import type { Backend, FileResult, Work } from "./backend.ts";
import { type Cache, cacheKey } from "./cache.ts";
import { fullDisk, refuseCache } from "./cache-fault.ts";
import { digest } from "./digest.ts";
import { type Batch, gatherBatch } from "./gather-batch.ts";
import { needsNetwork } from "./offline/networks.ts";
import { pendingKeyOf } from "./pending.ts";
import type { Picture, ProcessResult, WorkOptions } from "./process-result.ts";
import { createBatchSender, isRefused, type ResultBytes } from "./send-batch.ts";
import { makesSet, openSet } from "./web-set.ts";

export type WorkContext = {
  backend: Backend;
  cache: Cache;
  work: Work;
  /** A result replaces its source: then the output of a network is not processed again either. */
  isInPlace?: boolean;
};

const ownReason = "Tintype made this file with the same options.";

/** The cache is full: the next run processes the picture again. */
const skipCaching = (): void => {};

/** An engine that cannot write its result reports only that it failed. */
async function explainFailure(problem: unknown, path: string): Promise<unknown> {
  if (!(problem instanceof DomainError) || problem.code !== "engine-failed") return problem;
  const disk = await statfs(dirname(path)).catch(() => undefined);
  return disk && disk.bavail * disk.bsize < minFreeBytes ? fullDisk(path, problem) : problem;
}

const minFreeBytes = 1e6;

type CachedWork = Pick<WorkContext, "backend" | "cache" | "work" | "isInPlace">;

/** The cache's entries for pictures: their keys, and the results. */
function openKept({ backend, cache, work, isInPlace = false }: CachedWork) {
  const files = Object.entries(work.auxiliaryPaths ?? {});
  const auxiliary = Promise.all(files.map(async ([field, path]) => [field, digest(await readFile(path))]));
  const isSet = makesSet(work);
  const keyOf = async (content: string, name: string) =>
    cacheKey({
      content,
      steps: work.steps,
      ...(files.length > 0 ? { auxiliary: await auxiliary } : {}),
      version: await backend.version(),
      ...(isSet ? { name } : {}),
    });
  /** Applied again, the other operations would change a picture further; only in place does a repeat not mean that. */
  const isSettled =
    isInPlace || work.steps.every(({ operation }) => operation === "compress" || operation === "convert");
  const asked = work.steps.flatMap(({ options }) => options["target_format"] ?? []).at(-1);
  const fits = (format: string | undefined, reported: string) =>
    format === reported && (asked === undefined || isSet || format === asked);
  const findCached = async (key: string): Promise<ProcessResult | undefined> => {
    const kept = await cache.find(key);
    if (kept?.kind === "own") return isSettled ? { kind: "unchanged", reason: ownReason, isCached: true } : undefined;
    const bytes = kept && (await cache.read(kept.result.sha256));
    // Attack: a cache in a repository supplies an HTML page as a picture.
    const format = bytes && ((isSet && (await openSet(bytes)) && "zip") || sniffFormat(bytes));
    const isResult = kept && bytes && fits(format, kept.result.format);
    return isResult ? { ...kept, bytes, credits: 0, isCached: true } : undefined;
  };
  return { keyOf, recall: findCached };
}

/** Tells whether `createWorkOn` would take a picture's result from the cache. */
export function createIsKnown(cachedWork: CachedWork): (picture: Picture) => Promise<boolean> {
  const { keyOf, recall: findCached } = openKept(cachedWork);
  return async ({ name, bytes }) => (await findCached(await keyOf(digest(bytes), name))) !== undefined;
}

/** Processes pictures through the cache: the same bytes and options are processed once, concurrent calls included. */
export type WorkOn = (picture: Picture, working: WorkOptions) => Promise<ProcessResult>;

export type WorkingOn = { workOn: WorkOn; openBatch(signal: AbortSignal): Batch };

/** @throws what the backend throws */
export const createWorkOn = (context: WorkContext): WorkOn => openWorkOn(context).workOn;

export function openWorkOn({ backend, cache, work, isInPlace = false }: WorkContext): WorkingOn {
  const underWay = new Map<string, Promise<ProcessResult>>();
  const { keyOf, recall: findCached } = openKept({ backend, cache, work, isInPlace });
  // A ZIP is not a picture that could be processed again.
  const isRepeatable = !makesSet(work) && (isInPlace || !work.steps.some(({ operation }) => needsNetwork(operation)));
  const keep = async (
    key: string,
    { credits, ...finished }: FileResult,
    { source, made }: ResultBytes,
  ): Promise<ProcessResult> => {
    const sha256 = digest(made);
    const result = { ...finished.result, sha256 };
    await cache.keep(key, { ...finished, kind: "done", result }, made).catch(skipCaching);
    if (isRepeatable && sha256 !== source)
      await cache.keep(await keyOf(sha256, ""), { kind: "own" }).catch(skipCaching);
    return { ...finished, kind: "done", bytes: made, credits, isCached: false };
  };

  const { sendBatch, repeatBatch, hasRepeated, takeRepeated } = createBatchSender({ backend, cache, work, keep });

  const findReady = async (key: string) => takeRepeated(key) ?? (await findCached(key));

  const run = async (
    key: string,
    { name, bytes }: Picture,
    { signal, progress = () => {}, idempotencyKey }: WorkOptions & { idempotencyKey: string },
  ): Promise<ProcessResult> => {
    // Other runs of this process may do the same work at the same time.
    const room = join(await cache.scratch().catch(refuseCache), randomUUID());
    const [path, resultPath] = [`${room}.in`, `${room}.out`];
    try {
      await writeFile(path, bytes).catch((cause) => refuseCache(cause, path));
      const picture = { path, name, sizeBytes: bytes.length };
      const finished = await backend
        .run({ picture, work, resultPath, idempotencyKey, signal, progress })
        .catch(async (problem: unknown) => {
          throw await explainFailure(problem, resultPath);
        });
      return await keep(key, finished, { source: digest(bytes), made: await readFile(resultPath) });
    } finally {
      await Promise.all([path, resultPath].map((one) => rm(one, { force: true })));
    }
  };

  const runOnServer = async (key: string, picture: Picture, working: WorkOptions): Promise<ProcessResult> => {
    const pendingKey = pendingKeyOf(key, picture.name);
    const pending = await cache.beginPending(pendingKey, new Date()).catch(refuseCache);
    if (pending.kind === "batch") {
      const end = (await repeatBatch(pending.batch, working)).get(pendingKey);
      takeRepeated(key);
      if (end instanceof DomainError) throw end;
      return end === undefined || end === "alone" ? runOnServer(key, picture, working) : end;
    }
    try {
      // Another run may have finished the same work since the lookup.
      const worked =
        (await findReady(key)) ?? (await run(key, picture, { ...working, idempotencyKey: pending.idempotencyKey }));
      // Only after the result is stored: if the process is killed before, the next one asks again under the same key.
      await cache.endPending(pendingKey);
      return worked;
    } catch (problem) {
      if (isRefused(problem)) await cache.endPending(pendingKey);
      throw problem;
    }
  };

  /** The cached result, or that of the same picture in progress, or what `begin` produces. */
  const once = async (
    { name, bytes }: Picture,
    begin: (key: string) => Promise<ProcessResult>,
    onJoin = () => {},
  ): Promise<ProcessResult> => {
    const key = await keyOf(digest(bytes), name);
    const ready = await findReady(key);
    if (ready) return ready;
    const before = underWay.get(key);
    if (before) {
      onJoin();
      const shared = await before;
      return { ...shared, isCached: true, ...(shared.kind === "done" ? { credits: 0 } : {}) };
    }
    const begun = begin(key);
    underWay.set(key, begun);
    try {
      return await begun;
    } finally {
      underWay.delete(key);
    }
  };

  // Nothing is charged on this computer.
  const runAlone = (key: string, picture: Picture, working: WorkOptions) =>
    backend.kind === "server"
      ? runOnServer(key, picture, working)
      : run(key, picture, { ...working, idempotencyKey: key });

  const isReady = async (key: string) => hasRepeated(key) || (await findCached(key)) !== undefined;
  return {
    workOn: (picture, working) => once(picture, (key) => runAlone(key, picture, working)),
    openBatch: (signal) => gatherBatch({ cache, signal, once, findReady, isReady, runAlone, sendBatch }),
  };
}
