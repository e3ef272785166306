import { realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";

/** A path with every link resolved, whether or not it exists. */
export async function realPlace(path: string): Promise<{ path: string; exists: boolean }> {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined || dirname(at) === at) return { path: join(real ?? at, ...rest), exists: rest.length === 0 };
    rest.unshift(basename(at));
  }
}

/** Whether the path is the folder or below it; both without links. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
