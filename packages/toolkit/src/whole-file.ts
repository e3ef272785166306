import { chmod, chown, link, mkdir, open, rename, rm, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { partOf } from "./part.ts";

/** Characters of at most four bytes each: a file name may have 255 bytes. */
const maxNameCharacters = 50;

type Owner = { uid: number; gid: number };
/** When a file was last read and changed. */
export type FileDates = { atime: Date; mtime: Date };

type WriteOptions = {
  isNew?: boolean;
  mode?: number | undefined;
  owner?: Owner | undefined;
  dates?: FileDates | undefined;
};

/**
 * Writes a file atomically: to a temporary file beside it, then renamed. `isNew` refuses a file that appeared in the
 * meantime, with EEXIST. `owner` is the owner of the replaced file, applied where permitted: only root may give files
 * away.
 */
export async function writeWhole(
  path: string,
  bytes: Uint8Array | string,
  { isNew = false, mode, owner, dates }: WriteOptions = {},
): Promise<void> {
  await makeFolder(dirname(path));
  const start = [...basename(path)].slice(0, maxNameCharacters).join("");
  const part = join(dirname(path), partOf(start));
  try {
    const file = await open(part, "wx");
    try {
      await file.writeFile(bytes);
      if (owner) await giveTo(part, owner);
      if (mode !== undefined) await chmod(part, mode);
    } finally {
      await file.close();
    }
    if (dates) await utimes(part, dates.atime, dates.mtime);
    if (isNew) await putNew(part, path);
    else await rename(part, path);
  } catch (problem) {
    await rm(part, { force: true });
    throw problem;
  }
}

/** Falls back to the group alone: a user may not change the owner, but may set a group that they belong to. */
async function giveTo(path: string, { uid, gid }: Owner): Promise<void> {
  await chown(path, uid, gid).catch(() => chown(path, -1, gid).catch(() => {}));
}

async function putNew(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (problem) {
    if (codeOf(problem) === "EEXIST") throw problem;
    // Some file systems have no hard links: the name is reserved first, and then filled.
    await (await open(path, "wx")).close();
    await rename(part, path);
    return;
  }
  await rm(part, { force: true });
}

/**
 * Creates the folder and its parents with the mode. Node's recursive mkdir never ends below a folder where creating
 * one fails with ENOENT, such as /proc.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const make = () =>
    mkdir(folder, { mode }).catch((problem: unknown) => {
      if (codeOf(problem) !== "EEXIST") throw problem;
    });
  await make().catch(async (problem: unknown) => {
    if (codeOf(problem) !== "ENOENT" || dirname(folder) === folder) throw problem;
    await makeFolder(dirname(folder));
    await make();
  });
}

/** The code of a system error, such as ENOENT. */
export const codeOf = (problem: unknown): string | undefined =>
  problem instanceof Error && "code" in problem && typeof problem.code === "string" ? problem.code : undefined;
