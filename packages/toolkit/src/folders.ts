import { access, constants, lstat, mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DomainError } from "@tintype/contract";
import envPaths from "env-paths";
import { isPart } from "./part.ts";
import { makeFolder, writeWhole } from "./whole-file.ts";

/** This user's folders on this computer. */
export type Folders = {
  /** Cached results, which may be deleted at any time. */
  cache: string;
  /** API keys of servers. */
  settings: string;
  /** The networks' runtime and weights, which `tintype install` fetches. */
  networks: string;
};

export function personalFolders(): Folders {
  const paths = envPaths("tintype", { suffix: "" });
  return { cache: paths.cache, settings: paths.config, networks: join(paths.data, "networks") };
}

/** Results are pictures, which other users of the machine must not read. */
const mode = 0o700;

/** Marks a folder as a cache, for backup programs too: https://bford.info/cachedir */
const tagName = "CACHEDIR.TAG";
const tag = `Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache of Tintype. It may be deleted at any time.
# See https://bford.info/cachedir
`;

/** Whether Tintype made this folder as a cache. */
export const isCacheFolder = async (folder: string): Promise<boolean> =>
  (await readFile(join(folder, tagName), "utf8").catch(() => "")) === tag;

/**
 * The cache folder, created and tagged: the chosen one, or else the user's own.
 * @throws invalid-request for a chosen folder that holds anything else, because old results are deleted from a cache
 */
export async function cacheFolder(chosen?: string): Promise<string> {
  const wanted = chosen === undefined ? personalFolders().cache : resolve(chosen);
  if (chosen !== undefined && !(await isCacheFolder(wanted))) await requireEmpty(wanted);
  const folder = await usableFolder(wanted);
  if (!(await isCacheFolder(folder))) await writeWhole(join(folder, tagName), tag).catch(() => {}); // a full disk: then nothing is trimmed
  return folder;
}

async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  // Another process may be tagging it at this moment.
  if (names.every(isPart) || (await isCacheFolder(folder))) return;
  throw new DomainError("invalid-request", {
    detail: `The folder ${folder} is no cache of Tintype and is not empty. Please choose another folder for the cache.`,
  });
}

/**
 * The folder, or if it is not writable the user's own temporary folder: a cache is no reason to fail. Attack: another
 * user of the machine creates that folder first.
 */
export async function usableFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder, mode);
    await access(folder, constants.W_OK);
    return folder;
  } catch {
    const person = process.getuid?.(); // a container's user may have no name
    const own = join(tmpdir(), `tintype-${person ?? "cache"}`);
    await makeFolder(own, mode).catch(() => {}); // the next line then finds none
    const facts = await lstat(own).catch(() => undefined);
    const isOwn = facts?.isDirectory() && (person === undefined || facts.uid === person);
    return isOwn ? own : mkdtemp(join(tmpdir(), "tintype-"));
  }
}
