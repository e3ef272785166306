import type { realpath as callbackRealpath } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { DomainError, formats, inputFormats } from "@tintype/contract";
import { isWithin } from "./real-place.ts";

/** A picture to process: `inside` is its path below the folder or the fixed part of the glob that led to it. */
export type FoundPicture = { path: string; inside: string };

export type FindOptions = {
  cwd: string;
  /** Folders whose files are skipped, such as the output folder. */
  without?: readonly string[];
  /**
   * Globs of pictures and folders to skip, also among files that are named, since a shell may have expanded a glob. Without a slash
   * they match names at any depth, otherwise paths below `cwd`.
   */
  exclude?: readonly string[];
  /** A folder or a glob may have no picture. A path that does not exist is still refused. */
  allowsNone?: boolean;
  /** Called for each link that leads out of the folder it was found in. */
  onLinkOut?: (path: string) => void;
};

/** Without documents: most PDFs in a folder are not meant as pictures, and a build would warn about each. */
const extensions = inputFormats.flatMap((format) => (format === "pdf" ? [] : formats[format].extensions));
export const hasPictureName = (path: string): boolean =>
  extensions.some((extension) => extension === extname(path).slice(1).toLowerCase());

/** A glob with the extension pdf includes documents. */
const isMeantDocument = (path: string, pattern: string): boolean =>
  extname(path).toLowerCase() === ".pdf" && /pdf/i.test(pattern);

/**
 * Pictures by names of files, folders (recursively) and globs, each once, in order. A file that is named explicitly
 * is taken whatever its extension. Folders and globs match files with a picture's extension (PDFs only by a glob with
 * that extension), and skip `node_modules` and hidden folders.
 * In folders, links to folders are not followed, and links to files only if they stay in the same folder. Attack: a
 * link in a repository leads a run, in place or on a server, to private pictures elsewhere.
 * @throws not-found with the argument that matches nothing
 */
export async function findPictures(
  wanted: readonly string[],
  { cwd, without = [], exclude = [], allowsNone = false, onLinkOut = () => {} }: FindOptions,
): Promise<FoundPicture[]> {
  const found = new Map<string, FoundPicture>();
  const closed = without.map((folder) => resolve(cwd, folder));
  for (const one of wanted) {
    const { pictures, isNamed } = await findOne(one, { cwd, exclude, onLinkOut });
    if (pictures.length === 0 && !isNamed && !(allowsNone && (await mayBeEmpty(one, cwd))))
      throw new DomainError("not-found", { detail: `There is no picture at ${JSON.stringify(one)}.` });
    for (const picture of pictures) {
      // An output folder that contains all pictures excludes none of them.
      const base = picture.path.slice(0, -picture.inside.length);
      const isClosed = closed.some((folder) => folder.startsWith(base) && picture.path.startsWith(folder + sep));
      if ((!isClosed || pictures.length === 1) && !found.has(picture.path)) found.set(picture.path, picture);
    }
  }
  if (found.size === 0 && !allowsNone && exclude.length > 0)
    throw new DomainError("not-found", { detail: "Every picture is excluded." });
  return [...found.values()];
}

type FindOneOptions = Required<Pick<FindOptions, "cwd" | "exclude" | "onLinkOut">>;

/** `isNamed`: the argument is a file, which may have been excluded. */
async function findOne(
  wanted: string,
  { cwd, exclude, onLinkOut }: FindOneOptions,
): Promise<{ pictures: FoundPicture[]; isNamed: boolean }> {
  if (wanted === "") return { pictures: [], isNamed: false }; // an unset variable in a script does not mean this folder
  const path = resolve(cwd, wanted);
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile()) {
    const isExcluded = exclude.length > 0 && (await isExcludedFile(path, { cwd, exclude }));
    return { pictures: isExcluded ? [] : [{ path, inside: relative(dirname(path), path) }], isNamed: true };
  }
  const glob = facts?.isDirectory() ? { base: path, pattern: "**/*" } : splitGlob(wanted, cwd);
  if (!glob) return { pictures: [], isNamed: false };
  return { pictures: await walk(glob, { cwd, exclude, onLinkOut }), isNamed: false };
}

/** A misspelt name is refused although none is allowed. */
async function mayBeEmpty(wanted: string, cwd: string): Promise<boolean> {
  if (wanted === "") return false;
  const isFolder = await stat(resolve(cwd, wanted)).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  return isFolder || splitGlob(wanted, cwd) !== undefined;
}

type Excluding = Required<Pick<FindOptions, "cwd" | "exclude">>;

/** The excluding globs as they apply below a folder. A folder that matches is skipped with all that it holds. */
function ignoredBelow(start: string, { cwd, exclude }: Excluding): string[] {
  const relativeGlob = (pattern: string) => relative(start, resolve(cwd, pattern)).split(sep).join("/");
  return exclude.flatMap((one) => {
    const pattern = one.replace(/[/]+$/, "");
    const below = !pattern.includes("/")
      ? `**/${pattern}`
      : pattern.startsWith("**/")
        ? pattern
        : relativeGlob(pattern);
    return [below, `${below}/**`];
  });
}

async function isExcludedFile(path: string, excluding: Excluding): Promise<boolean> {
  const { escapePath, glob } = await import("tinyglobby");
  const start = startOf(dirname(path), excluding);
  const name = escapePath(relative(start, path).split(sep).join("/"));
  const ignore = ignoredBelow(start, excluding);
  return (await glob(name, { cwd: start, ignore, dot: true, expandDirectories: false })).length === 0;
}

/** Where a search begins: in the current folder if globs exclude something there, so that the folders above `base` count too. */
const startOf = (base: string, { cwd, exclude }: Excluding): string =>
  exclude.length > 0 && isWithin(base, cwd) ? cwd : base;

/** The folder of a glob, down to its first part with a wildcard, and the pattern below it; undefined for a plain path. */
export function splitGlob(wanted: string, cwd: string): { base: string; pattern: string } | undefined {
  const parts = wanted.split(/[\\/]/);
  const fixed = parts.findIndex((part) => /[*?{}[\]!()]/.test(part));
  if (fixed < 0) return undefined;
  const base = resolve(cwd, wanted.startsWith("/") ? "/" : ".", ...parts.slice(0, fixed));
  return { base, pattern: parts.slice(fixed).join("/") };
}

async function walk(
  { base, pattern }: { base: string; pattern: string },
  { onLinkOut, ...excluding }: FindOneOptions,
): Promise<FoundPicture[]> {
  const { escapePath, glob } = await import("tinyglobby");
  const start = startOf(base, excluding);
  const between = relative(start, base).split(sep).join("/");
  const fixed = between === "" ? "" : `${escapePath(between)}/`;
  const root = await realpath(base).catch(() => base);
  /** The file that a link points to. @throws Error for a link that is not followed */
  const followLink = async (link: string): Promise<string> => {
    const real = await realpath(link);
    if (!(await stat(real)).isFile()) throw new Error(`${link} leads to a folder`);
    if (isWithin(real, root)) return real;
    if (hasPictureName(link)) onLinkOut(link);
    throw new Error(`${link} leads out of ${base}`);
  };
  const names = await glob(fixed + pattern, {
    cwd: start,
    ignore: [`${fixed}**/node_modules/**`, ...ignoredBelow(start, excluding)],
    onlyFiles: true,
    expandDirectories: false,
    // The glob library calls realpath, in this form, for links only, and skips those that give an error.
    fs: {
      realpath: ((link: string, done: (problem: Error | null, real?: string) => void) => {
        followLink(link).then((real) => done(null, real), done);
      }) as typeof callbackRealpath,
    },
  });
  return names
    .map((name) => (between === "" ? name : name.slice(between.length + 1)))
    .filter((name) => hasPictureName(name) || isMeantDocument(name, pattern))
    .sort()
    .map((inside) => ({ path: join(base, inside), inside }));
}
