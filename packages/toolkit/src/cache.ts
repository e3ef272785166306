import { access, lstat, mkdir, readdir, readFile, rm, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ResultFacts } from "@tintype/imaging";
import type { FileResult } from "./backend.ts";
import { digest, digestForm } from "./digest.ts";
import { isCacheFolder } from "./folders.ts";
import { partOf, sweepParts } from "./part.ts";
import { openPending, type PendingWork } from "./pending.ts";
import { isObject, readJson } from "./read-json.ts";
import { makeFolder, writeWhole } from "./whole-file.ts";

/** The cached outcome of one file. `own`: the content is itself a result of this work, and so its own result. */
export type CachedResult =
  | (Omit<FileResult, "result" | "credits"> & { kind: "done"; result: ResultFacts & { sha256: string } })
  | { kind: "own" };

/**
 * Results by content, work and version, in a folder that all tools share. A damaged or missing file is a miss, never
 * a wrong result; deleting the folder costs only time.
 */
export type Cache = PendingWork & {
  find(key: string): Promise<CachedResult | undefined>;
  /** The bytes of a result; undefined if they are missing or damaged. */
  read(sha256: string): Promise<Uint8Array | undefined>;
  keep(key: string, kept: CachedResult, bytes?: Uint8Array): Promise<void>;
  /** Whether one of our tools wrote this content to the path, as the result of the picture at `source`. */
  hasWritten(path: string, sha256: string, source: string): Promise<boolean>;
  /** Call before writing the file: the process may be killed in between. */
  noteWritten(path: string, sha256: string, source: string): Promise<void>;
  /** This process's folder for temporary files. It is recreated if somebody deleted it. */
  scratch(): Promise<string>;
  /**
   * Removes this process's folder, leftovers of killed processes, and the least recently used results over the limit;
   * results only in a folder with our tag (`cacheFolder`).
   */
  close(): Promise<void>;
};

/** How many past contents are remembered per path: they include the one before a killed process's last. */
const maxRemembered = 3;

export function openCache(folder: string, { maxBytes = 2e9 }: { maxBytes?: number } = {}): Cache {
  const at = (room: string, name: string) => join(folder, room, name.slice(0, 2), name.slice(2));
  const written = async (path: string) =>
    (await readFile(at("written", digest(path)), "utf8").catch(() => "")).split("\n");
  const blobAt = (sha256: string) => at("results", sha256);
  let scratchFolder: Promise<string> | undefined;
  let hasKept = false;
  return {
    ...openPending(folder),
    async find(key) {
      const kept = await readJson(at("entries", key));
      return isKept(kept) ? kept : undefined;
    },
    async read(sha256) {
      const bytes = await readFile(blobAt(sha256)).catch(() => undefined);
      if (!bytes || digest(bytes) !== sha256) return undefined;
      const now = new Date();
      await utimes(blobAt(sha256), now, now).catch(() => {}); // a read-only folder still works
      return bytes;
    },
    async keep(key, kept, bytes) {
      hasKept = true;
      if (kept.kind === "done" && bytes) await writeWhole(blobAt(kept.result.sha256), bytes);
      await writeWhole(at("entries", key), JSON.stringify(kept));
    },
    hasWritten: async (path, sha256, source) => (await written(path)).includes(noteOf(sha256, source)),
    async noteWritten(path, sha256, source) {
      const note = noteOf(sha256, source);
      const before = (await written(path)).filter((one) => one !== note);
      await writeWhole(at("written", digest(path)), [note, ...before].slice(0, maxRemembered).join("\n"));
    },
    async scratch() {
      const before = scratchFolder;
      const isThere = await before?.then(access).then(
        () => true,
        () => false,
      );
      if (!isThere && scratchFolder === before) scratchFolder = makeScratch(folder);
      return scratchFolder ?? makeScratch(folder);
    },
    async close() {
      const made = await scratchFolder?.catch(() => undefined); // the work that needed it has failed
      if (made !== undefined) await rm(made, { recursive: true, force: true });
      if (hasKept && (await isCacheFolder(folder))) await trim(join(folder, "results"), maxBytes);
    },
  };
}

const noteOf = (sha256: string, source: string) => `${sha256} ${digest(source)}`;

async function makeScratch(folder: string): Promise<string> {
  const room = join(folder, "scratch");
  const made = join(room, partOf("work"));
  await makeFolder(room);
  await sweepParts(room);
  await mkdir(made);
  return made;
}

/** A cache may be in a repository or come from another machine: its entries are untrusted input. */
function isKept(value: unknown): value is CachedResult {
  if (!isObject(value)) return false;
  if (value["kind"] === "own") return true;
  const { kind, source, result, notes, confidence, likeness } = value;
  return (
    kind === "done" &&
    isObject(source) &&
    isObject(result) &&
    [source, result].every((facts) => typeof facts["format"] === "string" && Number.isInteger(facts["sizeBytes"])) &&
    [result["width"], result["height"]].every(Number.isInteger) &&
    typeof result["sha256"] === "string" &&
    digestForm.test(result["sha256"]) &&
    Array.isArray(notes) &&
    notes.every((note) => typeof note === "string") &&
    [confidence, likeness].every((score) => score === undefined || typeof score === "number")
  );
}

/**
 * Removes the least recently used results; entries without their bytes become misses. Only plain files with names
 * from `blobAt` are counted and removed.
 */
async function trim(room: string, maxBytes: number): Promise<void> {
  const files: { path: string; sizeBytes: number; usedMs: number }[] = [];
  const isFolder = async (path: string) => (await lstat(path).catch(() => undefined))?.isDirectory() === true;
  if (!(await isFolder(room))) return;
  for (const start of await readdir(room).catch(() => [])) {
    const folder = join(room, start);
    if (start.length !== 2 || !(await isFolder(folder))) continue;
    for (const rest of await readdir(folder).catch(() => [])) {
      const path = join(folder, rest);
      const facts = digestForm.test(start + rest) ? await lstat(path).catch(() => undefined) : undefined;
      if (facts?.isFile()) files.push({ path, sizeBytes: facts.size, usedMs: facts.mtimeMs });
    }
  }
  files.sort((a, b) => b.usedMs - a.usedMs);
  let sum = 0;
  for (const { path, sizeBytes } of files) {
    sum += sizeBytes;
    if (sum > maxBytes) await unlink(path).catch(() => {}); // another process may have removed it
  }
}

/** The key of a file's entry. */
export const cacheKey = (parts: {
  content: string;
  steps: unknown;
  /** Of the auxiliary files. */
  auxiliary?: unknown;
  version: string;
  /** The picture's name, if the result contains it. */
  name?: string | undefined;
}): string =>
  digest(
    JSON.stringify([
      ...[1, parts.content, parts.steps, parts.auxiliary ?? null, parts.version],
      ...(parts.name === undefined ? [] : [parts.name]),
    ]),
  );
