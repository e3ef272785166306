import { readFile } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import { DomainError, formats, inputFormats, keepsFormat, resultName, type TaskOptions, text } from "@tintype/contract";
import { refuseUnread, sniffFormat } from "@tintype/imaging";
import pLimit from "p-limit";
import { NetworkLost } from "./backend.ts";
import type { FoundPicture } from "./find-pictures.ts";
import { sweepParts } from "./part.ts";
import { checkFolder, checkLinks, checkTarget, type Destination, FileFault, publish, targetOf } from "./publish.ts";
import { codeOf } from "./whole-file.ts";
import { createWorkOn, type Workshop } from "./work-on.ts";

/** The end of one file. `stopped`: it was not begun, or was given up, and may be run again. */
export type FileReport = {
  path: string;
  outcome: "done" | "unchanged" | "failed" | "stopped";
  code?: string;
  reason?: string;
  resultPath?: string;
  sourceBytes: number;
  resultBytes?: number;
  width?: number;
  height?: number;
  notes: readonly string[];
  confidence?: number | undefined;
  credits: number;
  isCached: boolean;
};

export type RunOptions = Workshop & {
  destination: Destination;
  hands: number;
  /** A result with more bytes than its source is a failure. */
  failOnLarger?: boolean;
  signal: AbortSignal;
  onBegin?(path: string): void;
  onProgress?(path: string, fraction: number, stage?: string): void;
  onEnd?(report: FileReport): void;
};

/** Refusals that the next file would meet too. */
const fatal = ["unauthorized", "scope-missing", "out-of-credits", "network-allowance", "network"];

export type Runner = {
  /** @returns a report for each, in order; it never rejects for the fault of a file */
  run(pictures: readonly FoundPicture[]): Promise<FileReport[]>;
};

/** Works on files and puts the results in their places. */
export function createRunner(options: RunOptions): Runner {
  const { backend, cache, work, destination, hands, signal } = options;
  const workOn = createWorkOn(options);
  const limit = pLimit(hands);
  const claimed = new Map<string, string>();
  const swept = new Set<string>();
  let fault: { code: string; reason: string } | undefined;

  const end = (report: FileReport) => {
    if (report.code !== undefined && fatal.includes(report.code))
      fault ??= { code: report.code, reason: report.reason ?? "" };
    options.onEnd?.(report);
    return report;
  };
  /** The picture that has the place: the first to claim it. */
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
    const folder = dirname(targetOf(picture, basename(picture.path), destination));
    await checkLinks(picture, { folder, destination });
    await checkFolder(folder);
    if (swept.has(folder)) return;
    swept.add(folder);
    await sweepParts(folder);
  };

  const runOne = async (picture: FoundPicture): Promise<FileReport> => {
    const { path } = picture;
    const blank = { path, notes: [], credits: 0, isCached: false, sourceBytes: 0 };
    if (signal.aborted || fault) return end({ ...blank, outcome: "stopped", ...fault });
    options.onBegin?.(path);
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
        if (backend.kind === "server" && !destination.isInPlace) await checkTarget(expected, { source: path, cache });
      }
      const worked = await workOn(
        { name: basename(path), bytes },
        {
          signal,
          progress: ({ fraction, stage }) => options.onProgress?.(path, fraction, stage),
        },
      );
      const report = { ...blank, sourceBytes, isCached: worked.isCached };
      if (worked.kind === "unchanged") {
        if (destination.out === undefined) return end({ ...report, outcome: "unchanged", reason: worked.reason });
        const resultPath = await place(picture, basename(path), { bytes, made: bytes });
        return end({ ...report, outcome: "unchanged", reason: worked.reason, resultPath, resultBytes: sourceBytes });
      }
      const { result, notes, confidence } = worked;
      credits = worked.credits;
      const facts = { resultBytes: result.sizeBytes, width: result.width, height: result.height, notes, confidence };
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
      return end({ ...blank, sourceBytes, credits, outcome: "failed", ...faultOf(problem) });
    }
  };

  const place = async (
    picture: FoundPicture,
    name: string,
    { bytes, made }: { bytes: Uint8Array; made: Uint8Array },
  ): Promise<string> => {
    const target = targetOf(picture, name, destination);
    take(target, picture.path);
    const source = { path: picture.path, bytes };
    await publish({ bytes: made, target, source, isInPlace: destination.isInPlace === true, cache });
    return target;
  };

  return {
    run(pictures) {
      // Of two with one place the first has it, whichever is ready sooner.
      for (const picture of pictures) {
        const expected = expectedTarget(picture, { work, destination });
        if (expected !== undefined) claim(expected, picture.path);
      }
      return Promise.all(pictures.map((picture) => limit(() => runOne(picture))));
    },
  };
}

/** A picture in a folder that is converted, of the wished format already: there is no other place for a result. */
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

/** The result's place as far as the names tell it: undefined where only the result does. */
function expectedTarget(
  picture: FoundPicture,
  { work: { steps }, destination }: Pick<RunOptions, "work" | "destination">,
): string | undefined {
  const name = basename(picture.path);
  const ending = extname(name).slice(1).toLowerCase();
  const sourceFormat = inputFormats.find((format) => formats[format].extensions.some((one) => one === ending));
  const asked = steps.flatMap(({ options }) => options["target_format"] ?? []).at(-1);
  const resultFormat = inputFormats.find((format) => format === asked) ?? sourceFormat;
  if (!resultFormat) return undefined;
  const operations = steps.map(({ operation }) => operation);
  return targetOf(picture, resultName(operations, { name, sourceFormat, resultFormat }), destination);
}

async function read(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new FileFault("unreadable", `The file cannot be read (${codeOf(cause) ?? cause}).`, { cause });
  });
  if (bytes.length === 0) throw new DomainError("not-an-image", { detail: "The file is empty." });
  // An engine or a server would say the same, after the file was sent.
  if (!sniffFormat(bytes)) throw refuseUnread(bytes);
  return bytes;
}

/** A fault as a code and a sentence. */
export function faultOf(problem: unknown): { code: string; reason: string } {
  if (problem instanceof DomainError) return { code: problem.code, reason: problem.detail + sayReset(problem) };
  if (problem instanceof FileFault) return { code: problem.code, reason: problem.message };
  if (problem instanceof NetworkLost) return { code: "network", reason: problem.message };
  return { code: "internal", reason: problem instanceof Error ? problem.message : String(problem) };
}

const sayReset = ({ resetsAt }: DomainError): string =>
  resetsAt ? ` New credits come on ${resetsAt.toISOString().slice(0, 16).replace("T", " at ")} UTC.` : "";

/** The files of a folder that are results of an earlier run beside their sources. */
export const isEarlierResult = (path: string, suffixes: readonly string[]): boolean => {
  const name = basename(path);
  const stem = name.slice(0, name.lastIndexOf(".") < 0 ? name.length : name.lastIndexOf("."));
  return suffixes.some((suffix) => suffix !== "" && stem.endsWith(suffix));
};
