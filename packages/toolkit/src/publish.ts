import { access, constants, lstat, readFile, realpath, stat, utimes } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { Cache } from "./cache.ts";
import { digest } from "./digest.ts";
import type { FoundPicture } from "./find-pictures.ts";
import { isWithin, realPlace } from "./real-place.ts";
import { codeOf, type FileDates, writeWhole } from "./whole-file.ts";

/** A file error on this computer, with a message for people. */
export class FileFault extends Error {
  readonly code: "exists" | "unreadable" | "unwritable" | "larger" | "changed" | "same-target";
  override readonly name = "FileFault";
  constructor(code: FileFault["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The fault of a file that the system does not let read. A name that is not valid UTF-8 was found with replacement characters. */
export function unreadable(path: string, cause: unknown): FileFault {
  const isMisnamed = codeOf(cause) === "ENOENT" && path.includes("\u{FFFD}");
  const reason = isMisnamed
    ? "The file cannot be read because its name is not valid UTF-8. Please rename it."
    : `The file cannot be read (${codeOf(cause) ?? cause}).`;
  return new FileFault("unreadable", reason, { cause });
}

/** Where results go: a folder, beside the source, or over the source. */
export type Destination = {
  out?: string | undefined;
  suffix?: string | undefined;
  isInPlace?: boolean;
  /** Results replace existing files, but never a picture of the run, and not through a link. */
  isForced?: boolean;
  /** Results have the dates of their sources. */
  keepsDates?: boolean;
};

/** The path of a result: below `out`, at the source's path relative to the folder or glob that led to it. */
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

type PublishOptions = {
  bytes: Uint8Array;
  target: string;
  source: { path: string; bytes: Uint8Array; dates?: FileDates | undefined };
  isInPlace: boolean;
  /** Replaces whatever the target holds, unless it is the source. */
  isForced?: boolean;
  cache: Cache;
};

/**
 * Writes a result to its target atomically. An existing file is replaced only in place, or if one of our tools wrote
 * it as a result of the same source and it is unchanged since, or by force. Otherwise the source itself is never replaced.
 * @throws FileFault
 */
export async function publish({
  bytes,
  target,
  source,
  isInPlace,
  isForced = false,
  cache,
}: PublishOptions): Promise<void> {
  const place = await placeOf(target);
  const holder: Holder = { place, source: source.path, cache };
  try {
    const before = await readIfThere(place);
    const sha256 = digest(bytes);
    const found = before && digest(before);
    const { dates } = source;
    if (found === sha256) {
      if (dates) await utimes(place, dates.atime, dates.mtime);
      return await noteResult(holder, sha256);
    }
    const replacesSource = isInPlace && target === source.path;
    if (replacesSource && found !== digest(source.bytes))
      throw new FileFault("changed", "The file changed while it was worked on. Please run it again.");
    if (found !== undefined && !replacesSource && !(await holdsResult(holder, found)))
      await requireForce(target, { source: source.path, isForced });
    await noteResult(holder, sha256);
    const owner = replacesSource ? await stat(place) : undefined;
    await writeWhole(place, bytes, { isNew: found === undefined, owner, mode: owner && owner.mode & 0o7777, dates });
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

/**
 * Attack: a link in a repository's output folder leads to a file elsewhere, which the result would replace.
 * @throws FileFault unless the existing target may be replaced by force
 */
async function requireForce(
  target: string,
  { source, isForced }: { source: string; isForced: boolean },
): Promise<void> {
  if (!isForced || (await placeOf(target)) === (await placeOf(source))) throw exists(target);
  if ((await lstat(target)).isSymbolicLink())
    throw new FileFault("unwritable", `${target} is a link, and --force does not follow it.`);
}

/** Call before anything is charged. @throws FileFault if the target exists and is not a replaceable result of `source` */
export async function checkTarget(
  target: string,
  { source, isForced, cache }: { source: string; isForced: boolean; cache: Cache },
): Promise<void> {
  const place = await placeOf(target);
  const found = await readIfThere(place).catch(() => undefined); // the write will report why
  if (found && !(await holdsResult({ place, source, cache }, digest(found))))
    await requireForce(target, { source, isForced });
}

/** The real path: a link keeps pointing to the picture. */
const placeOf = (path: string): Promise<string> => realpath(path).catch(() => path);

type Holder = { place: string; source: string; cache: Cache };

/** Whether the target holds a result of the source with this content. A source that was once written in place is not its own result. */
const holdsResult = async ({ place, source, cache }: Holder, sha256: string): Promise<boolean> =>
  place !== (await placeOf(source)) && (await cache.hasWritten(place, sha256, source));

/** If the note cannot be stored because the cache is full, a later run takes the file for someone else's and leaves it. */
const noteResult = async ({ place, source, cache }: Holder, sha256: string): Promise<void> => {
  if (place !== (await placeOf(source))) await cache.noteWritten(place, sha256, source).catch(() => {});
};

/**
 * Call before anything is charged. Attack: a link in a repository redirects a result, in place or below the output
 * folder, to files elsewhere. The folder that the user names may itself be a link.
 * @throws FileFault if a link leads out of the named folder
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

/** Call before anything is charged. @throws FileFault if the folder is not writable */
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
