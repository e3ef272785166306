import { FileFault } from "./publish.ts";

/** An error for a full disk has no path. @throws FileFault */
export function refuseCache(cause: NodeJS.ErrnoException, path = cause.path): never {
  throw cause.code === "ENOSPC" || cause.code === "EDQUOT"
    ? fullDisk(path, cause)
    : new FileFault("unwritable", `The cache cannot be written at ${path} (${cause.code}).`, { cause });
}

export const fullDisk = (path: string | undefined, cause: unknown): FileFault =>
  new FileFault(
    "unwritable",
    `The disk of the cache is full at ${path}. Free some of it, or name another folder in TINTYPE_CACHE.`,
    {
      cause,
    },
  );
