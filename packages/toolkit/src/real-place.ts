import { realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";

/** The place of a path, there or not, with every link on the way to it resolved. */
export async function realPlace(path: string): Promise<{ path: string; exists: boolean }> {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined || dirname(at) === at) return { path: join(real ?? at, ...rest), exists: rest.length === 0 };
    rest.unshift(basename(at));
  }
}

/** Whether the path is the folder or lies below it; both without links. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
