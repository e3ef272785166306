import { chmodSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The private part of a server's data folder. Models are public: engines under another user read them. */
const own = ["secret", "runner", "lock", "pgdata", "spool", "scratch", "s3-copies"];

/**
 * Restricts the data folder and its content to the owner: folders 0700, files 0600. Returns what could not be changed, for
 * example on a file system without modes or with another owner.
 */
export function closeDataFolder(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const refused: string[] = [];
  const close = (path: string, isFolder: boolean) => {
    const mode = isFolder ? 0o700 : 0o600;
    try {
      if ((lstatSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
    } catch {
      refused.push(path);
    }
  };
  close(folder, true);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!own.includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isFile()) close(path, false);
    if (!entry.isDirectory()) continue;
    close(path, true);
    for (const inner of readdirSync(path, { withFileTypes: true, recursive: true }))
      if (inner.isFile() || inner.isDirectory()) close(join(inner.parentPath, inner.name), inner.isDirectory());
  }
  return refused;
}
