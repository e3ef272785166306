import type { realpath as callbackRealpath } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { DomainError, formats, inputFormats } from "@tintype/contract";
import { isWithin } from "./real-place.ts";

/** A picture to work on: `inside` is its path below the folder or the fixed part of the glob that led to it. */
export type FoundPicture = { path: string; inside: string };

type Finding = {
  cwd: string;
  /** Folders whose files are not looked at, such as the one for results. */
  without?: readonly string[];
  /** Told of each link that leads out of the folder it was found in. */
  onLinkOut?: (path: string) => void;
};

const extensions = inputFormats.flatMap((format) => formats[format].extensions);
export const hasPictureName = (path: string): boolean =>
  extensions.some((extension) => extension === extname(path).slice(1).toLowerCase());

const globSign = /[*?{}[\]!()]/;

/**
 * Pictures by names of files, folders (with all below them) and globs, each once, in order. A file that is named itself is
 * taken whatever its ending; folders and globs give files with a picture's ending, and none of `node_modules` or hidden folders.
 * In folders, links to folders are not followed, and links to files only to those below the same folder. Attack: a link in a
 * repository leads a run, in place or on a server, to private pictures elsewhere.
 * @throws not-found with the argument that leads to nothing
 */
export async function findPictures(
  wanted: readonly string[],
  { cwd, without = [], onLinkOut = () => {} }: Finding,
): Promise<FoundPicture[]> {
  const found = new Map<string, FoundPicture>();
  const closed = without.map((folder) => resolve(cwd, folder));
  for (const one of wanted) {
    const pictures = await findOne(one, { cwd, onLinkOut });
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

type FindingOne = Required<Pick<Finding, "cwd" | "onLinkOut">>;

async function findOne(wanted: string, { cwd, onLinkOut }: FindingOne): Promise<FoundPicture[]> {
  if (wanted === "") return []; // a variable of a script that is not set: it does not mean this folder
  const path = resolve(cwd, wanted);
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile()) return [{ path, inside: relative(dirname(path), path) }];
  if (facts?.isDirectory()) return walk(path, { pattern: "**/*", onLinkOut });
  if (!globSign.test(wanted)) return [];
  const parts = wanted.split(/[\\/]/);
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => globSign.test(part)),
  );
  const base = resolve(cwd, wanted.startsWith("/") ? "/" : ".", ...fixed);
  return walk(base, { pattern: parts.slice(fixed.length).join("/"), onLinkOut });
}

type Walking = { pattern: string; onLinkOut: (path: string) => void };

async function walk(base: string, { pattern, onLinkOut }: Walking): Promise<FoundPicture[]> {
  const { glob } = await import("tinyglobby");
  const root = await realpath(base).catch(() => base);
  /** The file that a link leads to. @throws Error for a link that is not followed */
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
    // It asks for the real path of links alone, in this way, and leaves out those whose answer is an error.
    fs: {
      realpath: ((link: string, done: (problem: Error | null, real?: string) => void) => {
        followLink(link).then((real) => done(null, real), done);
      }) as typeof callbackRealpath,
    },
  });
  return names
    .filter(hasPictureName)
    .sort()
    .map((inside) => ({ path: join(base, inside), inside }));
}
