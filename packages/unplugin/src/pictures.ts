import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname } from "node:path";
import {
  type Backend,
  type Cache,
  cacheFolder,
  createRunner,
  createWorkOn,
  faultOf,
  findPictures,
  hasPictureName,
  type OpenedSet,
  openCache,
  openNetworks,
  openOffline,
  openSet,
  personalFolders,
  readCount,
  readPictureFacts,
  readServerAddress,
  readSettings,
  readStep,
  type Settings,
  type Work,
} from "@tintype/toolkit";
import type { SetRequest } from "./web-set.ts";

export type Options = {
  /** Options of compress by their API names; quality defaults to 75. */
  compress?: {
    quality?: number;
    max_bytes?: number;
    min_quality?: number;
    allow_resize?: boolean;
    metadata?: "none" | "copyright" | "all-but-place";
  };
  /** Options of web sets by their API names; those of an import (`?web-set&widths=640`) take precedence. */
  webSet?: {
    widths?: string;
    formats?: string;
    quality?: number;
    sizes?: string;
    alt?: string;
    metadata?: "none" | "copyright" | "all-but-place";
  };
  /** Only pictures whose path matches. */
  include?: RegExp;
  /** No pictures whose path matches. */
  exclude?: RegExp;
  /** The cache folder, shared with the command by default. */
  cache?: string;
  /** Pictures processed at a time; by default the number of cores. */
  concurrency?: number;
  /** Use a server instead of this computer. */
  server?: { origin: string; key: string };
  /**
   * A picture that cannot be compressed, for example because the server is down, fails the build. Otherwise it is
   * left unchanged, with a warning.
   */
  strict?: boolean;
};

const known: readonly (keyof Options)[] = [
  "compress",
  "webSet",
  "include",
  "exclude",
  "cache",
  "concurrency",
  "server",
  "strict",
];

/** A configuration in JavaScript is not type-checked. @throws Error, before a build begins */
export function checkOptions(options: Options): void {
  const odd = Object.keys(options).find((name) => !known.some((one) => one === name));
  if (odd !== undefined) throw new Error(`tintype: There is no option "${odd}". There are: ${known.join(", ")}.`);
  const { concurrency, server } = options;
  if (concurrency !== undefined) readCount(concurrency, "concurrency");
  if (server !== undefined && !(server.origin && server.key))
    throw new Error("tintype: server must be { origin, key }.");
  if (server !== undefined) readServerAddress(server.origin, { isNamed: true });
}

/** Reports what a build did. */
export type Logger = { info(line: string): void; warn(line: string): void };

type OpenedPlace = { backend: Backend; cache: Cache; settings: Settings; concurrency: number; close(): Promise<void> };
type Open = Omit<OpenedPlace, "settings"> & { work: Work };

/** Whether the options include this file. */
export const isMeant = (path: string, { include, exclude }: Options): boolean =>
  hasPictureName(path) && (!include || path.search(include) >= 0) && !(exclude && path.search(exclude) >= 0);

async function openPlace(options: Options, logger: Logger): Promise<OpenedPlace> {
  const settings = await readSettings(process.cwd(), process.env);
  const concurrency = options.concurrency ?? settings.concurrency ?? availableParallelism();
  const cache = openCache(await cacheFolder(options.cache ?? settings.cache));
  const backend = options.server
    ? await openNamed(options.server, logger)
    : openOffline({ concurrency, networks: openNetworks(personalFolders().networks) });
  const close = async () => {
    await backend.close();
    await cache.close();
  };
  return { backend, cache, settings, concurrency, close };
}

async function openNamed(server: NonNullable<Options["server"]>, logger: Logger): Promise<Backend> {
  const { checkServer, openServer } = await import("@tintype/toolkit/server");
  await checkServer(server.origin, (sentence) => logger.warn(sentence));
  return openServer(server);
}

async function open(options: Options, logger: Logger): Promise<Open> {
  const { settings, ...place } = await openPlace(options, logger);
  const compress = readStep("compress", { ...settings.operations.compress, ...options.compress });
  return { ...place, work: { steps: [compress] } };
}

export type Asset = { name: string; bytes: Uint8Array };

const percent = (before: number, after: number) => (before === 0 ? "0" : ((1 - after / before) * 100).toFixed(0));
const sayCount = (count: number) => (count === 1 ? "1 picture" : `${count} pictures`);
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Compresses the pictures of a build in memory. One that cannot be compressed is left unchanged, with a warning.
 * @returns the smaller ones by name
 */
export async function compressAssets(
  assets: readonly Asset[],
  options: Options,
  logger: Logger,
): Promise<Map<string, Uint8Array>> {
  const smaller = new Map<string, Uint8Array>();
  if (assets.length === 0) return smaller;
  const failed: string[] = [];
  const opened = await open(options, logger);
  try {
    const { backend, concurrency } = opened;
    const workOn = createWorkOn(opened);
    let [count, before, after] = [0, 0, 0];
    const waiting = [...assets];
    const takeTurns = async () => {
      for (let asset = waiting.shift(); asset; asset = waiting.shift())
        try {
          const worked = await workOn(asset, { signal: new AbortController().signal });
          const bytes = worked.kind === "done" && worked.bytes.length < asset.bytes.length ? worked.bytes : asset.bytes;
          if (bytes !== asset.bytes) smaller.set(asset.name, bytes);
          count += 1;
          before += asset.bytes.length;
          after += bytes.length;
        } catch (problem) {
          failed.push(`${asset.name} stays as it is: ${faultOf(problem).reason}`);
        }
    };
    await Promise.all(Array.from({ length: concurrency }, takeTurns));
    reportFailed(failed, options, logger);
    logger.info(
      `${backend.locationNote} ${sayCount(count)}: ${kilobytes(before)} -> ${kilobytes(after)} (-${percent(before, after)}%)`,
    );
    return smaller;
  } finally {
    await opened.close();
  }
}

/** @throws Error if the options are strict */
function reportFailed(failed: readonly string[], { strict }: Options, logger: Logger): void {
  if (strict && failed.length > 0)
    throw new Error(`tintype: ${sayCount(failed.length)} could not be compressed.\n${failed.join("\n")}`);
  for (const line of failed) logger.warn(line);
}

/** A build without pictures says so: the plugin may be placed where it sees none. */
export const reportNone = (logger: Logger): void => logger.info("0 pictures.");

/**
 * Does the same in an output folder: each picture is replaced by its smaller version.
 * @returns the number of pictures
 */
export async function compressFolder(
  folder: string,
  {
    options,
    logger,
    isWanted = () => true,
  }: { options: Options; logger: Logger; isWanted?: (inside: string) => boolean },
): Promise<number> {
  const found = await findPictures([folder], { cwd: dirname(folder) }).catch(() => []);
  const pictures = found.filter(({ path, inside }) => isMeant(path, options) && isWanted(inside));
  if (pictures.length === 0) return 0;
  const opened = await open(options, logger);
  try {
    const runner = createRunner({
      ...opened,
      isInPlace: true,
      destination: { isInPlace: true },
      signal: new AbortController().signal,
    });
    const reports = await runner.run(pictures);
    const failed = reports.filter(({ outcome }) => outcome === "failed" || outcome === "stopped");
    reportFailed(
      failed.map(({ path, reason }) => `${path} stays as it is: ${reason}`),
      options,
      logger,
    );
    const done = reports.filter(({ outcome }) => outcome === "done");
    const count = reports.filter(({ outcome }) => outcome === "done" || outcome === "unchanged").length;
    const sum = (value: (one: (typeof done)[number]) => number) => done.reduce((total, one) => total + value(one), 0);
    const [before, after] = [sum(({ sourceBytes }) => sourceBytes), sum(({ resultBytes = 0 }) => resultBytes)];
    logger.info(
      `${opened.backend.locationNote} ${sayCount(count)} of ${folder}: ${kilobytes(before)} -> ${kilobytes(after)} (-${percent(before, after)}%)`,
    );
    return pictures.length;
  } finally {
    await opened.close();
  }
}

export type SetMaker = {
  /** @throws Error with a message that names the picture: a module needs its set */
  make(request: SetRequest): Promise<OpenedSet>;
  /** Width and height of the picture itself, px. @throws Error as `make` */
  inspect(path: string): Promise<{ width: number; height: number }>;
};

/** Creates the web sets that modules import. The engine stays open while there is work. */
export function createSetMaker(options: Options, logger: Logger): SetMaker {
  let opened: Promise<OpenedPlace> | undefined;
  let running = 0;
  const inPlace = async <Result>(act: (place: OpenedPlace) => Promise<Result>): Promise<Result> => {
    running += 1;
    opened ??= openPlace(options, logger);
    const mine = opened;
    try {
      return await act(await mine);
    } finally {
      running -= 1;
      if (running === 0) {
        opened = undefined;
        await mine.then(({ close }) => close());
      }
    }
  };
  return {
    make: ({ path, options: importOptions }) =>
      inPlace(async (place) => {
        try {
          const given = { ...place.settings.operations["web-set"], ...options.webSet, ...importOptions };
          const workOn = createWorkOn({ ...place, work: { steps: [readStep("web-set", given)] } });
          const picture = { name: basename(path), bytes: new Uint8Array(await readFile(path)) };
          const worked = await workOn(picture, { signal: new AbortController().signal });
          const set = worked.kind === "done" ? await openSet(worked.bytes) : undefined;
          if (!set) throw new Error("No web set came of it.");
          const bytes = set.set.files.reduce((sum, file) => sum + file.bytes, 0);
          logger.info(`${picture.name} became a web set: ${set.set.files.length} files, ${kilobytes(bytes)}`);
          return set;
        } catch (cause) {
          throw new Error(`tintype: ${path} cannot become a web set. ${faultOf(cause).reason}`, { cause });
        }
      }),
    async inspect(path) {
      const facts = await readPictureFacts(path).catch(() => undefined);
      if (!facts) throw new Error(`tintype: ${path} cannot become a web set. It is no picture that can be read.`);
      return { width: facts.width, height: facts.height };
    },
  };
}
