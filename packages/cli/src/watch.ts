import { basename, join, relative, resolve, sep } from "node:path";
import { type FindOptions, type FoundPicture, findPictures, hasPictureName, splitGlob } from "@tintype/toolkit";
import { watch } from "chokidar";

type WatchOptions = {
  out: string | undefined;
  finding: Pick<FindOptions, "exclude">;
  isSource(picture: FoundPicture): boolean;
  signal: AbortSignal;
  onPictures(pictures: FoundPicture[]): Promise<unknown>;
};

/** Processes each picture that appears or changes below the folders and the fixed parts of the globs, until aborted. */
export async function watchPictures(
  paths: readonly string[],
  { out, finding, isSource, signal, onPictures }: WatchOptions,
): Promise<void> {
  const bases = paths.map((one) => splitGlob(one, process.cwd())?.base ?? resolve(one));
  const isBelow = (path: string, folder: string) => path.startsWith(folder + sep);
  const isIgnored = (path: string) =>
    (out !== undefined && bases.some((base) => isBelow(out, base)) && (path === out || isBelow(path, out))) ||
    bases.some(
      (base) =>
        path.startsWith(base + sep) &&
        relative(base, path)
          .split(sep)
          .some((part) => part === "node_modules" || part.startsWith(".")),
    );
  const watcher = watch(bases, {
    ignored: isIgnored,
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 200, pollInterval: 50 },
  });
  const running = new Set<Promise<unknown>>();
  const work = async (path: string) => {
    if (!hasPictureName(path)) return;
    // Only what the arguments match, with the same layout; by now they may match nothing.
    const found = await findPictures(paths, {
      cwd: process.cwd(),
      ...finding,
      ...(out === undefined ? {} : { without: [out] }),
    }).catch(() => []);
    const pictures = found.filter((picture) => picture.path === path && isSource(picture));
    if (pictures.length > 0) await onPictures(pictures);
  };
  const begin = (path: string) => {
    const begun = work(path).finally(() => running.delete(begun));
    running.add(begun);
  };
  watcher.on("add", begin).on("change", begin);
  await new Promise<void>((done, fail) => {
    watcher.on("error", fail);
    watcher.on("ready", () =>
      process.stderr.write(
        `Watching ${bases.map((base) => relative(".", base) || join(".", basename(base))).join(", ")}. Ctrl-C ends it.\n`,
      ),
    );
    if (signal.aborted) done();
    signal.addEventListener("abort", () => done(), { once: true });
  });
  await watcher.close();
  await Promise.all(running);
}
