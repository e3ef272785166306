import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { DomainError } from "@tintype/contract";
import { type FoundPicture, findPictures, isEarlierResult, isWithin, realPlace } from "@tintype/toolkit";

/** The folders that a model may use. Attack: a path, or a link in an allowed folder, that leads out of it. */
export type AllowedFolders = {
  /** Their real paths. */
  roots: readonly string[];
  /** The real path of an existing file or folder. @throws not-found, invalid-request */
  existing(path: string): Promise<string>;
  /** The real path of an output folder, which need not exist. @throws invalid-request */
  target(path: string): Promise<string>;
  /** Pictures by paths of files and folders. Links that lead out of a folder are skipped. `suffix` marks earlier results. */
  pictures(paths: readonly string[], suffix: string): Promise<FoundPicture[]>;
};

/** @throws Error if a folder does not exist */
export async function allowFolders(folders: readonly string[]): Promise<AllowedFolders> {
  const roots = await Promise.all(
    folders.map(async (folder) => {
      const real = await realpath(folder).catch(() => undefined);
      if (real === undefined || !(await stat(real)).isDirectory()) throw new Error(`${folder} is no folder.`);
      return real;
    }),
  );
  const [first = ""] = roots;
  const isInside = (real: string) => roots.some((root) => isWithin(real, root));
  const refuse = (path: string): never => {
    throw new DomainError("invalid-request", {
      detail: `${path} is not in a folder that may be used. Those are: ${roots.join(", ")}.`,
    });
  };
  /** The same refusal whether or not the path exists: a model learns nothing about other folders. */
  const place = async (path: string) => {
    const real = await realPlace(isAbsolute(path) ? resolve(path) : resolve(first, path));
    return isInside(real.path) ? real : refuse(path);
  };
  const existing = async (path: string) => {
    const real = await place(path);
    if (!real.exists) throw new DomainError("not-found", { detail: `There is no file at ${path}.` });
    return real.path;
  };
  return {
    roots,
    existing,
    target: async (path) => (await place(path)).path,
    async pictures(paths, suffix) {
      const found = new Map<string, FoundPicture>();
      for (const path of paths) {
        const target = await existing(path);
        const isFolder = (await stat(target)).isDirectory();
        for (const picture of await findPictures([target], { cwd: first })) {
          const real = await realpath(picture.path);
          const isOwn = isFolder && isEarlierResult(picture.path, [suffix]);
          if (isInside(real) && !isOwn) found.set(real, { path: real, inside: picture.inside });
        }
      }
      return [...found.values()];
    },
  };
}
