import type { realpath as callbackRealpath } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { DomainError, formats, inputFormats } from "@tintype/contract";
import { isWithin } from "./real-place.ts";

/** A picture to process: `inside` is its path below the folder or the fixed part of the glob that led to it. */
export type FoundPicture = { path: string; inside: string };

type FindOptions = {
  cwd: string;
  /** Folders whose files are skipped, such as the output folder. */
  without?: readonly string[];
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
  { cwd, without = [], onLinkOut = () => {} }: FindOptions,
): Promise<FoundPicture[]> {
  const found = new Map<string, FoundPicture>();
  const closed = without.map((folder) => resolve(cwd, folder));
  for (const one of wanted) {
    const pictures = await findOne(one, { cwd, onLinkOut });
    if (pictures.length === 0)
      throw new DomainError("not-found", { detail: `There is no picture at ${JSON.stringify(one)}.` });
    for (const picture of pictures) {
      // An output folder that contains all pictures excludes none of them.
      const base = picture.path.slice(0, -picture.inside.length);
      const isClosed = closed.some((folder) => folder.startsWith(base) && picture.path.startsWith(folder + sep));
      if ((!isClosed || pictures.length === 1) && !found.has(picture.path)) found.set(picture.path, picture);
    }
  }
  return [...found.values()];
}

type FindOneOptions = Required<Pick<FindOptions, "cwd" | "onLinkOut">>;

async function findOne(wanted: string, { cwd, onLinkOut }: FindOneOptions): Promise<FoundPicture[]> {
  if (wanted === "") return []; // an unset variable in a script does not mean this folder
  const path = resolve(cwd, wanted);
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile()) return [{ path, inside: relative(dirname(path), path) }];
  if (facts?.isDirectory()) return walk(path, { pattern: "**/*", onLinkOut });
  const glob = splitGlob(wanted, cwd);
  return glob ? walk(glob.base, { pattern: glob.pattern, onLinkOut }) : [];
}

/** The folder of a glob, down to its first part with a wildcard, and the pattern below it; undefined for a plain path. */
export function splitGlob(wanted: string, cwd: string): { base: string; pattern: string } | undefined {
  const parts = wanted.split(/[\\/]/);
  const fixed = parts.findIndex((part) => /[*?{}[\]!()]/.test(part));
  if (fixed < 0) return undefined;
  const base = resolve(cwd, wanted.startsWith("/") ? "/" : ".", ...parts.slice(0, fixed));
  return { base, pattern: parts.slice(fixed).join("/") };
}

type WalkOptions = { pattern: string; onLinkOut: (path: string) => void };

async function walk(base: string, { pattern, onLinkOut }: WalkOptions): Promise<FoundPicture[]> {
  const { glob } = await import("tinyglobby");
  const root = await realpath(base).catch(() => base);
  /** The file that a link points to. @throws Error for a link that is not followed */
  const followLink = async (link: string): Promise<string> => {
    const real = await realpath(link);
    if (!(await stat(real)).isFile()) throw new Error(`${link} leads to a folder`);
    if (isWithin(real, root)) return real;
    if (hasPictureName(link)) onLinkOut(link);
    throw new Error(`${link} leads out of ${base}`);
  };
  const names = await glob(pattern, {
    cwd: base,
    ignore: ["**/node_modules/**"],
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
    .filter((name) => hasPictureName(name) || isMeantDocument(name, pattern))
    .sort()
    .map((inside) => ({ path: join(base, inside), inside }));
}
