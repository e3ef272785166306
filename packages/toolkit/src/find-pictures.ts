import { realpath, stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { DomainError, formats, inputFormats } from "@tintype/contract";

/** A picture to work on: `inside` is its path below the folder or the fixed part of the glob that led to it. */
export type FoundPicture = { path: string; inside: string };

type Finding = {
  cwd: string;
  /** Folders whose files are not looked at, such as the one for results. */
  without?: readonly string[];
};

const extensions = inputFormats.flatMap((format) => formats[format].extensions);
export const hasPictureName = (path: string): boolean =>
  extensions.some((extension) => extension === extname(path).slice(1).toLowerCase());

const globSign = /[*?{}[\]!()]/;

/**
 * Pictures by names of files, folders (with all below them) and globs, each once, in order. A file that is named itself is
 * taken whatever its ending; folders and globs give files with a picture's ending, and none of `node_modules` or hidden folders.
 * A link to a folder is followed, except to one that the walk passes anyway.
 * @throws not-found with the argument that leads to nothing
 */
export async function findPictures(wanted: readonly string[], { cwd, without = [] }: Finding): Promise<FoundPicture[]> {
  const found = new Map<string, FoundPicture>();
  const closed = without.map((folder) => resolve(cwd, folder));
  for (const one of wanted) {
    const pictures = await findOne(one, cwd);
    if (pictures.length === 0)
      throw new DomainError("not-found", { detail: `There is no picture at ${JSON.stringify(one)}.` });
    for (const picture of pictures) {
      // A folder for results around all pictures closes none of them.
      const base = picture.path.slice(0, -picture.inside.length);
      const isClosed = closed.some((folder) => folder.startsWith(base) && picture.path.startsWith(folder + sep));
      if ((!isClosed || pictures.length === 1) && !found.has(picture.path)) found.set(picture.path, picture);
    }
  }
  return [...found.values()];
}

async function findOne(wanted: string, cwd: string): Promise<FoundPicture[]> {
  if (wanted === "") return []; // a variable of a script that is not set: it does not mean this folder
  const path = resolve(cwd, wanted);
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile()) return [{ path, inside: relative(dirname(path), path) }];
  if (facts?.isDirectory()) return walk(path, "**/*");
  if (!globSign.test(wanted)) return [];
  const parts = wanted.split(/[\\/]/);
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => globSign.test(part)),
  );
  const base = resolve(cwd, wanted.startsWith("/") ? "/" : ".", ...fixed);
  return walk(base, parts.slice(fixed.length).join("/"));
}

async function walk(base: string, pattern: string): Promise<FoundPicture[]> {
  const { glob } = await import("tinyglobby");
  const names = await glob(pattern, {
    cwd: base,
    ignore: ["**/node_modules/**"],
    onlyFiles: true,
    expandDirectories: false,
  });
  const isOwn = await ownFolders(base);
  const pictures = names.filter(hasPictureName).sort();
  const kept = await Promise.all(pictures.map((inside) => isOwn(dirname(inside))));
  return pictures.filter((_, i) => kept[i]).map((inside) => ({ path: join(base, inside), inside }));
}

/** Tells folders below `base` from those that a link leads back into it: their pictures have a name of their own. */
async function ownFolders(base: string): Promise<(inside: string) => Promise<boolean>> {
  const root = await realpath(base).catch(() => base);
  const known = new Map<string, Promise<boolean>>();
  const isOwn = (inside: string): Promise<boolean> => {
    const answer = known.get(inside) ?? look(inside);
    known.set(inside, answer);
    return answer;
  };
  const look = async (inside: string) => {
    if (inside === ".") return true;
    const real = await realpath(join(base, inside)).catch(() => undefined);
    const leadsBack = real === root || (real?.startsWith(root + sep) && real !== join(root, inside));
    return !leadsBack && isOwn(dirname(inside));
  };
  return isOwn;
}
