import { randomUUID } from "node:crypto";
import { readFile, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError, errors } from "@tintype/contract";
import { type PictureFacts, type Progress, sniffFormat } from "@tintype/imaging";
import type { Backend, Work } from "./backend.ts";
import { type Cache, cacheKey } from "./cache.ts";
import { digest } from "./digest.ts";
import { needsNetwork } from "./offline/networks.ts";
import { FileFault } from "./publish.ts";

export type Worked =
  | {
      kind: "done";
      bytes: Uint8Array;
      source: Pick<PictureFacts, "format" | "sizeBytes">;
      result: PictureFacts;
      notes: readonly string[];
      confidence?: number | undefined;
      credits: number;
      isCached: boolean;
    }
  /** The picture is a result of this very work. */
  | { kind: "unchanged"; reason: string; isCached: boolean };

export type Picture = { name: string; bytes: Uint8Array };

export type Workshop = {
  backend: Backend;
  cache: Cache;
  work: Work;
  /** A result takes its source's place: then also what a network made is not worked on again. */
  isInPlace?: boolean;
};

type Working = { signal: AbortSignal; progress?: (progress: Progress) => void };

/** For a server another name is another request: an Idempotency-Key does not go for both. */
const pendingOf = (key: string, name: string): string => digest(JSON.stringify([key, name]));

const ownReason = "Tintype made this file with the same options.";

/** The cache has no room: the next run works on the picture again. */
const forgo = (): void => {};

/** A full disk's error names no path. @throws FileFault */
function refuseCache(cause: NodeJS.ErrnoException, path = cause.path): never {
  throw cause.code === "ENOSPC" || cause.code === "EDQUOT"
    ? fullDisk(path, cause)
    : new FileFault("unwritable", `The cache cannot be written at ${path} (${cause.code}).`, { cause });
}

const fullDisk = (path: string | undefined, cause: unknown): FileFault =>
  new FileFault(
    "unwritable",
    `The disk of the cache is full at ${path}. Free some of it, or name another folder in TINTYPE_CACHE.`,
    {
      cause,
    },
  );

/** An engine that cannot write its result says only that it failed. */
async function explainFailure(problem: unknown, path: string): Promise<unknown> {
  if (!(problem instanceof DomainError) || problem.code !== "engine-failed") return problem;
  const disk = await statfs(dirname(path)).catch(() => undefined);
  return disk && disk.bavail * disk.bsize < leastRoomBytes ? fullDisk(path, problem) : problem;
}

const leastRoomBytes = 1e6;

type Knowing = Pick<Workshop, "backend" | "cache" | "work" | "isInPlace">;

/** What the cache holds for pictures: the names of their entries, and the results. */
function openKept({ backend, cache, work, isInPlace = false }: Knowing) {
  const secondPicture = work.secondPicturePath && readFile(work.secondPicturePath).then(digest);
  const keyOf = async (content: string) =>
    cacheKey({
      content,
      steps: work.steps,
      secondPicture: (await secondPicture) || undefined,
      version: await backend.version(),
    });
  /** Done again, the other operations change a picture once more: only in place was it meant once. */
  const isSettled =
    isInPlace || work.steps.every(({ operation }) => operation === "compress" || operation === "convert");
  const asked = work.steps.flatMap(({ options }) => options["target_format"] ?? []).at(-1);
  const fits = (format: string | undefined, told: string) =>
    format === told && (asked === undefined || format === asked);
  const recall = async (key: string): Promise<Worked | undefined> => {
    const kept = await cache.find(key);
    if (kept?.kind === "own") return isSettled ? { kind: "unchanged", reason: ownReason, isCached: true } : undefined;
    const bytes = kept && (await cache.read(kept.result.sha256));
    // Attack: a cache in a repository gives a page of HTML for a picture.
    const isResult = kept && bytes && fits(sniffFormat(bytes), kept.result.format);
    return isResult ? { ...kept, bytes, credits: 0, isCached: true } : undefined;
  };
  return { keyOf, recall };
}

/** Tells the pictures that `createWorkOn` takes from the cache. */
export function createIsKnown(knowing: Knowing): (bytes: Uint8Array) => Promise<boolean> {
  const { keyOf, recall } = openKept(knowing);
  return async (bytes) => (await recall(await keyOf(digest(bytes)))) !== undefined;
}

/** Works on pictures through the cache: the same bytes and options are worked on once, also at the same time. */
export function createWorkOn({ backend, cache, work, isInPlace = false }: Workshop) {
  const underWay = new Map<string, Promise<Worked>>();
  const { keyOf, recall } = openKept({ backend, cache, work, isInPlace });
  const isRepeatable = isInPlace || !work.steps.some(({ operation }) => needsNetwork(operation));

  const begin = async (key: string, { name, bytes }: Picture, { signal, progress }: Working): Promise<Worked> => {
    // Other runs of this process may do the same work meanwhile.
    const room = join(await cache.scratch().catch(refuseCache), randomUUID());
    const [path, resultPath] = [`${room}.in`, `${room}.out`];
    try {
      await writeFile(path, bytes).catch((cause) => refuseCache(cause, path));
      // Nothing is charged on this computer.
      const idempotencyKey =
        backend.kind === "server"
          ? await cache.pendingKey(pendingOf(key, name), new Date()).catch((cause) => refuseCache(cause, room))
          : key;
      const { credits, ...finished } = await backend
        .run({
          ...{ picture: { path, name, sizeBytes: bytes.length }, work, resultPath, idempotencyKey, signal },
          progress: progress ?? (() => {}),
        })
        .catch(async (problem: unknown) => {
          throw await explainFailure(problem, resultPath);
        });
      const made = await readFile(resultPath);
      const sha256 = digest(made);
      const result = { ...finished.result, sha256 };
      await cache.keep(key, { ...finished, kind: "done", result }, made).catch(forgo);
      if (isRepeatable && sha256 !== digest(bytes)) await cache.keep(await keyOf(sha256), { kind: "own" }).catch(forgo);
      return { ...finished, kind: "done", bytes: made, credits, isCached: false };
    } finally {
      await Promise.all([path, resultPath].map((one) => rm(one, { force: true })));
    }
  };

  /** @throws what the backend throws */
  return async (picture: Picture, working: Working): Promise<Worked> => {
    const key = await keyOf(digest(picture.bytes));
    const kept = await recall(key);
    if (kept) return kept;
    const before = underWay.get(key);
    if (before) {
      const shared = await before;
      return { ...shared, isCached: true, ...(shared.kind === "done" ? { credits: 0 } : {}) };
    }
    const begun = begin(key, picture, working);
    underWay.set(key, begun);
    try {
      const worked = await begun;
      // Not before the result is kept: a process that is killed until then asks again under the same key.
      if (backend.kind === "server") await cache.endPending(pendingOf(key, picture.name));
      return worked;
    } catch (problem) {
      // Refused for good, and not charged: the next try is another request. A key that may not read the result was charged.
      const isRefused = problem instanceof DomainError && !errors[problem.code].retryable;
      if (isRefused && problem.code !== "scope-missing") await cache.endPending(pendingOf(key, picture.name));
      throw problem;
    } finally {
      underWay.delete(key);
    }
  };
}
