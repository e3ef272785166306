import { chmodSync, chownSync, constants, createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { chmod, chown, link, lstat, open, readdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Outcome, Task } from "@tintype/imaging";

/**
 * The folder of one engine process: the only place it can write to, which contains the pictures of its task and never
 * those of other callers.
 *
 * A compromised engine can replace any file in it by a link at any moment (TOCTOU). The server therefore never checks a
 * name in it and then uses it: it moves, links and removes names, and reads and writes open descriptors.
 */
export type EngineWorkdir = {
  path: string;
  /** Brings in the task's pictures, and returns the task with paths inside the workdir. */
  linkPictures(task: Task): Promise<Task>;
  /**
   * Moves the result, the cut-out that is kept with it and that cut-out's other candidates to the task's paths.
   * @throws Error if the engine left anything but a regular file
   */
  take(
    task: Pick<Task, "outputPath" | "keptPath" | "candidatePaths">,
    outcome: Pick<Outcome, "kind"> & { hasKept?: boolean; candidates?: number[] },
  ): Promise<void>;
  /** Empties it after each task. Returns whether it is empty: only a compromised engine creates folders. */
  clear(): Promise<boolean>;
  /** Call it once the process is gone. */
  remove(): void;
};

const names = {
  input: "in",
  output: "out",
  kept: "kept",
  mattes: "mattes",
  sheet: "sheet",
};

/** @param uid the owner of the workdir and its files, if engines run as another user */
export function openEngineWorkdir(scratch: string, uid?: number): EngineWorkdir {
  const path = mkdtempSync(join(scratch, "engine-"));
  if (uid !== undefined) {
    // Our group may enter: bubblewrap needs to, after dropping root's right to enter anywhere.
    chownSync(path, uid, process.getgid?.() ?? 0);
    chmodSync(path, 0o750);
  }
  const inside = (name: string) => join(path, name);
  const put = async (from: string, name: string) => {
    if (uid !== undefined) await chown(from, uid, uid);
    await linkOrCopy(from, inside(name), uid);
    return name;
  };
  const take = async (name: string, to: string) => {
    await moveFile(inside(name), to);
    // Checked outside the engine's reach: a compromised engine could leave a link to a file that only the server may read,
    // which the server would then deliver.
    const found = await lstat(to);
    if (!found.isFile() || found.nlink !== 1) {
      await rm(to, { force: true });
      throw new Error("The engine's result is not a plain file.");
    }
    if (found.uid === uid) await chown(to, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    await chmod(to, 0o600);
  };
  return {
    path,
    async linkPictures({ inputPath, outputPath: _, keptPath, candidatePaths, auxiliaryPaths = {}, ...task }) {
      const auxiliary: Record<string, string> = {};
      for (const [i, [role, path]] of Object.entries(auxiliaryPaths).entries())
        auxiliary[role] = await put(path, `auxiliary-${i}`);
      return {
        ...task,
        auxiliaryPaths: auxiliary,
        inputPath: await put(inputPath, names.input),
        outputPath: names.output,
        ...(keptPath === undefined ? {} : { keptPath: names.kept }),
        ...(candidatePaths === undefined ? {} : { candidatePaths: { mattes: names.mattes, sheet: names.sheet } }),
      };
    },
    async take({ outputPath, keptPath, candidatePaths }, outcome) {
      await take(names.output, outputPath);
      if (outcome.kind !== "done") return;
      if (outcome.hasKept && keptPath !== undefined) await take(names.kept, keptPath);
      if (!outcome.candidates || candidatePaths === undefined) return;
      await take(names.mattes, candidatePaths.mattes);
      await take(names.sheet, candidatePaths.sheet);
    },
    async clear() {
      // A killed process's workdir is already gone.
      const left = await readdir(path).catch(() => []);
      const isGone = (problem: NodeJS.ErrnoException) => problem.code === "ENOENT";
      const emptied = await Promise.all(left.map((name) => unlink(inside(name)).then(() => true, isGone)));
      return emptied.every(Boolean);
    },
    // A removal fails while an ending process still writes: retry it.
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 }),
  };
}

const isOtherDisk = (problem: unknown) =>
  ["EXDEV", "EPERM", "ENOTSUP", "EMLINK"].includes((problem as NodeJS.ErrnoException).code ?? "");

/** A link avoids a copy. File systems without links, or another disk, need one. */
async function linkOrCopy(from: string, to: string, uid: number | undefined): Promise<void> {
  await link(from, to).catch(async (problem: unknown) => {
    if (!isOtherDisk(problem)) throw problem;
    // Fails if a link is in its place.
    const copy = await open(to, "wx", 0o600);
    if (uid !== undefined) await copy.chown(uid, uid);
    await pipeline(createReadStream(from), copy.createWriteStream());
  });
}

/** O_NOFOLLOW and O_NONBLOCK: neither follows a link nor waits for a pipe's writer. */
const readsPlainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (problem: unknown) => {
    if (!isOtherDisk(problem)) throw problem;
    const source = await open(from, readsPlainly);
    const found = await source.stat();
    if (!found.isFile() || found.nlink !== 1) {
      await source.close();
      throw new Error("The engine's result is not a plain file.");
    }
    await pipeline(source.createReadStream(), createWriteStream(to, { mode: 0o600 }));
  });
}
