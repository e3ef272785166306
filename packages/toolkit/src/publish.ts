import { access, constants, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { Cache } from "./cache.ts";
import { digest } from "./digest.ts";
import type { FoundPicture } from "./find-pictures.ts";
import { isWithin, realPlace } from "./real-place.ts";
import { codeOf, writeWhole } from "./whole-file.ts";

/** A fault of this computer's files, with a sentence for people. */
export class FileFault extends Error {
  readonly code: "exists" | "unreadable" | "unwritable" | "larger" | "changed" | "same-target";
  override readonly name = "FileFault";
  constructor(code: FileFault["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The place of results: a folder, beside the source, or the source's own. */
export type Destination = { out?: string | undefined; suffix?: string | undefined; isInPlace?: boolean };

/** The path of a result, below `out` as its source lies below the folder or glob that led to it. */
export function targetOf(
  { path, inside }: FoundPicture,
  name: string,
  { out, suffix = "", isInPlace }: Destination,
): string {
  const ending = extname(name);
  const suffixed = `${basename(name, ending)}${suffix}${ending}`;
  if (isInPlace) return join(dirname(path), name);
  return out === undefined ? join(dirname(path), suffixed) : join(out, dirname(inside), suffixed);
}

type Publishing = {
  bytes: Uint8Array;
  target: string;
  source: { path: string; bytes: Uint8Array };
  isInPlace: boolean;
  cache: Cache;
};

/**
 * Puts a result in its place, whole or not at all. A file that is there is replaced only in place, or where a tool of ours
 * wrote it as a result of the same source and it is unchanged since. Out of place the source itself is never replaced.
 * @throws FileFault
 */
export async function publish({ bytes, target, source, isInPlace, cache }: Publishing): Promise<void> {
  const place = await placeOf(target);
  const holder: Holder = { place, source: source.path, cache };
  try {
    const before = await readIfThere(place);
    const sha256 = digest(bytes);
    const found = before && digest(before);
    if (found === sha256) return await noteResult(holder, sha256);
    const replacesSource = isInPlace && target === source.path;
    if (replacesSource && found !== digest(source.bytes))
      throw new FileFault("changed", "The file changed while it was worked on. Please run it again.");
    if (found !== undefined && !replacesSource && !(await holdsResult(holder, found))) throw exists(target);
    await noteResult(holder, sha256);
    const owner = replacesSource ? await stat(place) : undefined;
    await writeWhole(place, bytes, { isNew: found === undefined, owner, mode: owner && owner.mode & 0o7777 });
  } catch (problem) {
    if (problem instanceof FileFault) throw problem;
    if (codeOf(problem) === "EEXIST") throw new FileFault("exists", `${target} exists. It stays as it is.`);
    throw new FileFault("unwritable", `${target} cannot be written (${codeOf(problem) ?? problem}).`, {
      cause: problem,
    });
  }
}

const exists = (target: string) =>
  new FileFault("exists", `${target} exists. It stays as it is; choose another folder or suffix for the results.`);

/** Before anything is charged. @throws FileFault where a file is there that no result of `source` may replace */
export async function checkTarget(target: string, { source, cache }: { source: string; cache: Cache }): Promise<void> {
  const place = await placeOf(target);
  const found = await readIfThere(place).catch(() => undefined); // the writing will say why
  if (found && !(await holdsResult({ place, source, cache }, digest(found)))) throw exists(target);
}

/** The real path: a link keeps pointing to the picture. */
const placeOf = (path: string): Promise<string> => realpath(path).catch(() => path);

type Holder = { place: string; source: string; cache: Cache };

/** Whether the place holds a result of the source with this content. A source that was once written in place is no result of itself. */
const holdsResult = async ({ place, source, cache }: Holder, sha256: string): Promise<boolean> =>
  place !== (await placeOf(source)) && (await cache.hasWritten(place, sha256, source));

/** Without a note, since the cache has no room, a later run takes the file for another's and leaves it. */
const noteResult = async ({ place, source, cache }: Holder, sha256: string): Promise<void> => {
  if (place !== (await placeOf(source))) await cache.noteWritten(place, sha256, source).catch(() => {});
};

/**
 * Before anything is charged. Attack: a repository's link leads a result in place, or below the folder for results, to files
 * elsewhere. The folder that the person names may itself be a link.
 * @throws FileFault where a link leads out of the folder that was named
 */
export async function checkLinks(
  { path, inside }: FoundPicture,
  { folder, destination: { out, isInPlace } }: { folder: string; destination: Destination },
): Promise<void> {
  if (isInPlace) {
    const base = dirname(join(path.slice(0, -inside.length), "x"));
    const [real, root] = [await realPlace(path), await realPlace(base)];
    if (!isWithin(real.path, root.path))
      throw new FileFault(
        "unwritable",
        `It is a link to ${real.path}, outside its folder, and --in-place does not follow it. Please name that file itself.`,
      );
  } else if (out !== undefined) {
    const [real, root] = [await realPlace(folder), await realPlace(out)];
    if (!isWithin(real.path, root.path))
      throw new FileFault("unwritable", `${folder} is a link to ${real.path}, outside the folder for results ${out}.`);
  }
}

/** Before anything is charged. @throws FileFault where no file can be made in the folder */
export async function checkFolder(folder: string): Promise<void> {
  let nearest = folder;
  for (;;) {
    const facts = await stat(nearest).catch(() => undefined);
    if (facts) {
      if (facts.isDirectory() && (await isWritable(nearest))) return;
      throw new FileFault("unwritable", `${folder} cannot be written to.`);
    }
    if (dirname(nearest) === nearest) return;
    nearest = dirname(nearest);
  }
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (problem) {
    if (codeOf(problem) === "ENOENT") return undefined;
    throw problem;
  }
}
