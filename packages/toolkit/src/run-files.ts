import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import {
  DomainError,
  formats,
  inputFormats,
  keepsFormat,
  resultName,
  setFileName,
  type TaskOptions,
  text,
} from "@tintype/contract";
import { refuseUnread, sniffFormat } from "@tintype/imaging";
import pLimit from "p-limit";
import { type FileResult, NetworkLost } from "./backend.ts";
import type { FoundPicture } from "./find-pictures.ts";
import type { Batch } from "./gather-batch.ts";
import { sweepParts } from "./part.ts";
import {
  checkFolder,
  checkLinks,
  checkTarget,
  type Destination,
  FileFault,
  publish,
  targetOf,
  unreadable,
} from "./publish.ts";
import { makesSet, openSet } from "./web-set.ts";
import { openWorkOn, type WorkContext, type WorkOn } from "./work-on.ts";

/** The outcome of one file. `stopped`: it was not started, or was abandoned, and can be run again. */
export type FileReport = Pick<FileResult, "notes" | "confidence" | "likeness" | "credits"> & {
  path: string;
  outcome: "done" | "unchanged" | "failed" | "stopped";
  code?: string;
  reason?: string;
  /** For a web set, the folder of its files. */
  resultPath?: string;
  sourceBytes: number;
  resultBytes?: number;
  width?: number;
  height?: number;
  isCached: boolean;
};

export type RunOptions = WorkContext & {
  destination: Destination;
  concurrency: number;
  /** How many pictures one call to a server may have; one by default. */
  together?: number;
  /** A result larger than its source is a failure. */
  failOnLarger?: boolean;
  signal: AbortSignal;
  onProgress?(path: string, fraction: number): void;
  onEnd?(report: FileReport): void;
};

/** Above this size a batch takes no more pictures, so that results arrive during the run and little is held in memory. Bytes. */
const maxBatchBytes = 16e6;
/** While one batch is processed, the next is read and sent. */
const lanes = 2;

/** A file that was waiting when the run was stopped. */
const stopped = Symbol("stopped");

/** Refusals that would apply to the next file too. */
const fatal = ["unauthorized", "scope-missing", "out-of-credits", "network-allowance", "network-blocked", "network"];

export type Runner = {
  /** @returns a report for each, in order; it never rejects because of a single file */
  run(pictures: readonly FoundPicture[]): Promise<FileReport[]>;
};

/** Processes files and writes their results. */
export function createRunner(options: RunOptions): Runner {
  const { backend, cache, work, destination, concurrency, signal } = options;
  const isSet = makesSet(work);
  const { workOn: workAlone, openBatch } = openWorkOn(options);
  const limit = pLimit(concurrency);
  const claimed = new Map<string, string>();
  const swept = new Set<string>();
  const sources = new Set<string>();
  /** A result never replaces another picture of the run, which may not have been read yet. */
  const mayReplace = (target: string) => destination.isForced === true && !sources.has(target);
  let fault: { code: string; reason: string } | undefined;
  const faultOfRun = () => fault;

  const end = (report: FileReport) => {
    if (report.code !== undefined && fatal.includes(report.code))
      fault ??= { code: report.code, reason: report.reason ?? "" };
    options.onEnd?.(report);
    return report;
  };
  /** The picture that owns the target: the first to claim it. */
  const claim = (target: string, path: string): string => {
    const key = process.platform === "linux" ? target : target.toLowerCase();
    const owner = claimed.get(key) ?? path;
    claimed.set(key, owner);
    return owner;
  };
  const take = (target: string, path: string): void => {
    const owner = claim(target, path);
    if (owner !== path) throw new FileFault("same-target", `${owner} has its result at ${target} too.`);
  };
  const prepare = async (picture: FoundPicture) => {
    const folder =
      (isSet ? expectedTarget(picture, { work, destination }) : undefined) ??
      dirname(targetOf(picture, basename(picture.path), destination));
    const out = isSet ? (destination.out ?? dirname(picture.path)) : destination.out;
    await checkLinks(picture, { folder, destination: { ...destination, out } });
    await checkFolder(folder);
    if (swept.has(folder)) return;
    swept.add(folder);
    await sweepParts(folder);
  };

  const runOne = async (picture: FoundPicture, workOn: WorkOn = workAlone): Promise<FileReport> => {
    const { path } = picture;
    const blank = { path, notes: [], credits: 0, isCached: false, sourceBytes: 0 };
    if (signal.aborted || fault) return end({ ...blank, outcome: "stopped", ...fault });
    let sourceBytes = 0;
    let credits = 0;
    try {
      const bytes = await read(path);
      sourceBytes = bytes.length;
      await prepare(picture);
      const expected = expectedTarget(picture, { work, destination });
      if (expected !== undefined) {
        if (isLeftAsIs(picture, { bytes, expected, options }))
          return end({ ...blank, sourceBytes, outcome: "unchanged", reason: text.sameFormat });
        take(expected, path);
        if (backend.kind === "server" && !destination.isInPlace)
          await checkTarget(isSet ? join(expected, setFileName) : expected, {
            source: path,
            isForced: mayReplace(expected),
            cache,
          });
      }
      const worked = await workOn(
        { name: basename(path), bytes },
        { signal, progress: ({ fraction }) => options.onProgress?.(path, fraction) },
      );
      const report = { ...blank, sourceBytes, isCached: worked.isCached };
      if (worked.kind === "unchanged") {
        const name = ownName(path, bytes);
        const unchanged = { ...report, outcome: "unchanged", reason: worked.reason } as const;
        if (destination.out === undefined && name === basename(path)) return end(unchanged);
        const resultPath = await place(picture, name, { bytes, made: bytes });
        return end({ ...unchanged, resultPath, resultBytes: sourceBytes });
      }
      const { result, notes, confidence, likeness } = worked;
      credits = worked.credits;
      const { sizeBytes: resultBytes, width, height } = result;
      const facts = { resultBytes, width, height, notes, confidence, likeness };
      if (options.failOnLarger && worked.bytes.length > sourceBytes)
        throw new FileFault(
          "larger",
          `The result would be larger: ${worked.bytes.length} bytes in place of ${sourceBytes}.`,
        );
      const name = resultName(
        work.steps.map(({ operation }) => operation),
        { name: basename(path), sourceFormat: worked.source.format, resultFormat: result.format },
      );
      const resultPath = await place(picture, name, { bytes, made: worked.bytes });
      return end({ ...report, ...facts, outcome: "done", resultPath, credits });
    } catch (problem) {
      if (signal.aborted) return end({ ...blank, sourceBytes, outcome: "stopped" });
      if (problem === stopped) return end({ ...blank, sourceBytes, outcome: "stopped", ...faultOfRun() });
      return end({ ...blank, sourceBytes, credits, outcome: "failed", ...faultOf(problem) });
    }
  };

  const place = async (
    picture: FoundPicture,
    name: string,
    { bytes, made }: { bytes: Uint8Array; made: Uint8Array },
  ): Promise<string> => {
    const target = targetOf(picture, name, destination);
    const dates = destination.keepsDates ? await stat(picture.path) : undefined;
    const source = { path: picture.path, bytes, dates };
    const isForced = mayReplace(target);
    const set = isSet ? await openSet(made) : undefined;
    const place = set ? folderOfSet(target) : target;
    take(place, picture.path);
    for (const file of set?.files ?? [])
      await publish({ bytes: file.bytes, target: join(place, file.name), source, isInPlace: false, isForced, cache });
    if (!set)
      await publish({ bytes: made, target, source, isInPlace: destination.isInPlace === true, isForced, cache });
    return place;
  };

  const alone = <T>(act: () => Promise<T>): Promise<T> =>
    limit(() => {
      if (signal.aborted || fault) throw stopped;
      return act();
    });

  /** Reads pictures into a batch until it is full. */
  const fill = async (batch: Batch, { max, next, reports }: Lane): Promise<Promise<FileReport>[]> => {
    const running: Promise<FileReport>[] = [];
    let [files, bytes] = [0, 0];
    while (files < max && bytes < maxBatchBytes) {
      const picture = next();
      if (!picture) break;
      // Wait until it has joined the batch, or has finished without it.
      await new Promise<void>((goOn) => {
        const report = runOne(picture, (read, working) => {
          const onJoin = () => {
            files += 1;
            bytes += read.bytes.length;
            goOn();
          };
          return batch.workOn(read, { ...working, alone, onJoin });
        });
        reports.set(picture, report);
        running.push(report);
        report.then(() => goOn(), goOn);
      });
    }
    return running;
  };

  /** One batch after another, until there are no more pictures. */
  const runLane = async (lane: Lane): Promise<void> => {
    for (;;) {
      const batch = openBatch(signal);
      const running = await fill(batch, lane);
      if (running.length === 0) return;
      await batch.send();
      await Promise.all(running);
    }
  };

  const runTogether = async (pictures: readonly FoundPicture[], max: number): Promise<FileReport[]> => {
    const reports: Lane["reports"] = new Map();
    const waiting = pictures.values();
    const next = () => waiting.next().value;
    await Promise.all(Array.from({ length: lanes }, () => runLane({ max, next, reports })));
    return Promise.all(pictures.map((picture) => reports.get(picture) ?? runOne(picture)));
  };

  return {
    async run(pictures) {
      // Of two pictures with the same target, the first gets it, whichever finishes sooner.
      for (const picture of pictures) {
        sources.add(picture.path);
        const expected = expectedTarget(picture, { work, destination });
        if (expected !== undefined) claim(expected, picture.path);
      }
      const { together = 1 } = options;
      const isWorth = Math.min(together, pictures.length) > 1 && !signal.aborted;
      const max = isWorth ? Math.min(together, (await backend.batches?.maxFiles(work)) ?? 1) : 1;
      if (max > 1) return runTogether(pictures, max);
      return Promise.all(pictures.map((picture) => limit(() => runOne(picture))));
    },
  };
}

type Lane = {
  /** Files per batch. */
  max: number;
  next(): FoundPicture | undefined;
  reports: Map<FoundPicture, Promise<FileReport>>;
};

/** A picture that would be converted to the format it already has, with the output beside it: there is no other place for a result. */
function isLeftAsIs(
  { path }: FoundPicture,
  { bytes, expected, options }: { bytes: Uint8Array; expected: string; options: RunOptions },
): boolean {
  const { steps } = options.work;
  const [{ operation, options: wish }] = steps;
  const format = sniffFormat(bytes);
  if (steps.length > 1 || operation !== "convert" || expected !== path || options.destination.isInPlace) return false;
  return format !== undefined && keepsFormat(wish as TaskOptions<"convert">, format); // by the operation
}

/** The name of a picture that is its own result, which may have the extension of another format. */
function ownName(path: string, bytes: Uint8Array): string {
  const name = basename(path);
  const format = sniffFormat(bytes);
  return format === undefined ? name : resultName([], { name, sourceFormat: format, resultFormat: format });
}

/** The files of a web set go in a folder named like its ZIP. */
const folderOfSet = (target: string): string => target.slice(0, -extname(target).length);

/** The result's path as far as the names determine it; undefined if it depends on the result. */
function expectedTarget(
  picture: FoundPicture,
  { work: { steps }, destination }: Pick<RunOptions, "work" | "destination">,
): string | undefined {
  const name = basename(picture.path);
  const ending = extname(name).slice(1).toLowerCase();
  const sourceFormat = inputFormats.find((format) => formats[format].extensions.some((one) => one === ending));
  const asked = steps.flatMap(({ options }) => options["target_format"] ?? []).at(-1);
  const isSet = makesSet({ steps });
  const resultFormat = isSet ? "zip" : (inputFormats.find((format) => format === asked) ?? sourceFormat);
  if (!resultFormat) return undefined;
  const operations = steps.map(({ operation }) => operation);
  const target = targetOf(picture, resultName(operations, { name, sourceFormat, resultFormat }), destination);
  return isSet ? folderOfSet(target) : target;
}

async function read(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (bytes.length === 0) throw new DomainError("not-an-image", { detail: "The file is empty." });
  // An engine or a server would say the same, after the file was sent.
  if (!sniffFormat(bytes)) throw refuseUnread(bytes);
  return bytes;
}

/** An error as a code and a sentence. */
export function faultOf(problem: unknown): { code: string; reason: string } {
  if (problem instanceof DomainError) return { code: problem.code, reason: problem.detail + describeReset(problem) };
  if (problem instanceof FileFault) return { code: problem.code, reason: problem.message };
  if (problem instanceof NetworkLost) return { code: "network", reason: problem.message };
  return { code: "internal", reason: problem instanceof Error ? problem.message : String(problem) };
}

const describeReset = ({ resetsAt }: DomainError): string =>
  resetsAt ? ` New credits come on ${resetsAt.toISOString().slice(0, 16).replace("T", " at ")} UTC.` : "";

/** Text on one line: paths and messages may contain line breaks and terminal escapes. */
export const plain = (text: string): string => text.replace(/\p{Cc}/gu, " ");

/** Whether a file is a result of an earlier run beside its source. */
export const isEarlierResult = (path: string, suffixes: readonly string[]): boolean => {
  const stem = basename(path, extname(path));
  return suffixes.some((suffix) => suffix !== "" && stem.endsWith(suffix));
};
