import { chmod, chown, link, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { partOf } from "./part.ts";

/** Of four bytes at most each: a name may have 255 bytes. */
const mostNameLetters = 50;

type Owner = { uid: number; gid: number };

/**
 * Writes a file that appears whole or not at all: beside its place first, and then renamed. `isNew` refuses a file that
 * appeared meanwhile, with EEXIST. `owner` is the wish of the file that is replaced: only root may give files away.
 */
export async function writeWhole(
  path: string,
  bytes: Uint8Array | string,
  { isNew = false, mode, owner }: { isNew?: boolean; mode?: number | undefined; owner?: Owner | undefined } = {},
): Promise<void> {
  await makeFolder(dirname(path));
  const start = [...basename(path)].slice(0, mostNameLetters).join("");
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
    if (isNew) await putNew(part, path);
    else await rename(part, path);
  } catch (problem) {
    await rm(part, { force: true });
    throw problem;
  }
}

/** The group alone where the person may not be given away: a member of it may. */
async function giveTo(path: string, { uid, gid }: Owner): Promise<void> {
  await chown(path, uid, gid).catch(() => chown(path, -1, gid).catch(() => {}));
}

async function putNew(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (problem) {
    if (codeOf(problem) === "EEXIST") throw problem;
    // Some file systems know no links: the name is taken first, and then filled.
    await (await open(path, "wx")).close();
    await rename(part, path);
    return;
  }
  await rm(part, { force: true });
}

/**
 * Makes the folder, with the mode, and those above it. Node's own recursive mkdir never ends below a folder that refuses new
 * ones with ENOENT, such as /proc.
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

/** The code of an error of the system, such as ENOENT. */
export const codeOf = (problem: unknown): string | undefined =>
  problem instanceof Error && "code" in problem && typeof problem.code === "string" ? problem.code : undefined;
