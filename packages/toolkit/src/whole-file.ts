import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Of four bytes at most each: a name may have 255 bytes. */
const mostNameLetters = 50;
const partName = /^[.].*[.]tintype-(\d+)-[0-9a-f]{8}[.]part$/;

/**
 * Writes a file that appears whole or not at all: beside its place first, and then renamed. `isNew` refuses a file that
 * appeared meanwhile, with EEXIST.
 */
export async function writeWhole(
  path: string,
  bytes: Uint8Array | string,
  { isNew = false, mode }: { isNew?: boolean; mode?: number | undefined } = {},
): Promise<void> {
  await makeFolder(dirname(path));
  const start = [...basename(path)].slice(0, mostNameLetters).join("");
  const part = join(dirname(path), `.${start}.tintype-${process.pid}-${randomBytes(4).toString("hex")}.part`);
  try {
    const file = await open(part, "wx");
    try {
      await file.writeFile(bytes);
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

/** Node's own recursive mkdir never ends below a folder that refuses new ones with ENOENT, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder).catch((problem: unknown) => {
      if (codeOf(problem) !== "EEXIST") throw problem;
    });
  await make().catch(async (problem: unknown) => {
    if (codeOf(problem) !== "ENOENT" || dirname(folder) === folder) throw problem;
    await makeFolder(dirname(folder));
    await make();
  });
}

/** Removes what a killed process left in a folder; files of live processes stay. */
export async function sweepParts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(partName.exec(name)?.[1]);
    if (Number.isInteger(pid) && !isAlive(pid)) await rm(join(folder, name), { force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return codeOf(problem) === "EPERM";
  }
}

/** The code of an error of the system, such as ENOENT. */
export const codeOf = (problem: unknown): string | undefined =>
  problem instanceof Error && "code" in problem && typeof problem.code === "string" ? problem.code : undefined;
