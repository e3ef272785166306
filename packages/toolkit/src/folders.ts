import { access, constants, lstat, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import envPaths from "env-paths";
import { makeFolder } from "./whole-file.ts";

/** The folders of this person on this computer. */
export type Folders = {
  /** Results by content, which may be deleted at any time. */
  cache: string;
  /** Keys of servers. */
  settings: string;
  /** The networks' program and weights, which `tintype install` fetches. */
  networks: string;
};

export function personalFolders({ cache }: { cache?: string | undefined } = {}): Folders {
  const paths = envPaths("tintype", { suffix: "" });
  return { cache: cache ?? paths.cache, settings: paths.config, networks: join(paths.data, "networks") };
}

/** Results are pictures, which other people of the machine need not see. */
const mode = 0o700;

/**
 * The folder, or one of this person's own for temporary files where it cannot be written: a cache is no reason to fail.
 * Attack: another person of the machine makes that folder first.
 */
export async function usableFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder, mode);
    await access(folder, constants.W_OK);
    return folder;
  } catch {
    const person = process.getuid?.(); // a container's may have no name
    const own = join(tmpdir(), `tintype-${person ?? "cache"}`);
    await makeFolder(own, mode).catch(() => {}); // then the next line finds none
    const facts = await lstat(own).catch(() => undefined);
    const isOwn = facts?.isDirectory() && (person === undefined || facts.uid === person);
    return isOwn ? own : mkdtemp(join(tmpdir(), "tintype-"));
  }
}
