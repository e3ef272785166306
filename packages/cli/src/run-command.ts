import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { DomainError, manifestOf, type OperationName } from "@tintype/contract";
import {
  createRunner,
  type FileReport,
  type FoundPicture,
  findPictures,
  isEarlierResult,
  makesSet,
  plain,
  readStep,
  recipeWork,
  type Work,
} from "@tintype/toolkit";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { askForNetworks } from "./install-command.ts";
import { onInterruption } from "./interruption.ts";
import { auxiliaryFilesIn, findingOf, optionsIn, type RunFlags } from "./operation-flags.ts";
import { formatReport, jsonOf, summaryOf, warnLinkOut } from "./output.ts";
import { type Progress, plainLines, progressBar } from "./progress.ts";
import { openSession, type Session, settingsFor } from "./session.ts";

const refuse = (detail: string): never => {
  throw new DomainError("invalid-request", { detail });
};

/** Finds the steps once the session is open: a recipe's name may be defined by the server. */
type FindWork = (session: Session) => Promise<Work>;

export const runOperation = (name: OperationName, pictures: readonly string[], flags: RunFlags): Promise<number> =>
  run(pictures, flags, async ({ settings }) => {
    const files = auxiliaryFilesIn(name, flags);
    return {
      steps: [readStep(name, { ...settings.operations[name], ...optionsIn(name, flags) })],
      ...(files.length > 0 ? { auxiliaryPaths: Object.fromEntries(files) } : {}),
    };
  });

export const runRecipe = (name: string, pictures: readonly string[], flags: RunFlags): Promise<number> =>
  run(pictures, flags, ({ backend }) => recipeWork(name, backend));

async function run(paths: readonly string[], flags: RunFlags, findWork: FindWork): Promise<number> {
  const isPiped = paths.includes("-");
  checkFlags(paths, flags);
  const [found] = isPiped ? [[]] : [await findSources(paths, flags)];
  const session = await openSession(flags, { pictures: flags.watch ? Number.POSITIVE_INFINITY : found.length });
  const { backend, concurrency } = session;
  const isAlone = backend.kind === "offline" && concurrency === 1;
  const interruption = onInterruption({ isHandled: !isAlone });
  try {
    const work = await findWork(session);
    for (const path of Object.values(work.auxiliaryPaths ?? {})) await requireFile(path);
    process.stderr.write(`${backend.locationNote}\n`);
    if (flags.dryRun) {
      const { printQuote } = await import("./quote-command.ts");
      return await printQuote(found, {
        ...session,
        work,
        isJson: flags.json === true,
        isInPlace: flags.inPlace === true,
      });
    }
    if (backend.kind === "offline" && !(await askForNetworks(work, session.networks))) return exitCodes.someFailed;
    if (isPiped) {
      const { runPipe } = await import("./pipe.ts");
      return await runPipe({ work, session, signal: interruption.signal, isJson: flags.json === true });
    }
    return await runFound(found, { paths, flags, work, session, signal: interruption.signal });
  } finally {
    interruption.leave();
    await session.close();
  }
}

/** @throws invalid-request for incompatible flags */
function checkFlags(paths: readonly string[], flags: RunFlags): void {
  const { out, suffix, inPlace, watch, dryRun, keepDates, force } = flags;
  if (inPlace && (out !== undefined || suffix !== undefined))
    refuse("--in-place replaces the pictures; it does not go with --out or --suffix.");
  if (out === "") refuse("Please name a folder with --out.");
  if (!paths.includes("-")) return;
  if (paths.length > 1) refuse("With - for stdin no other picture can be given.");
  if (out !== undefined || suffix !== undefined || inPlace || watch || dryRun)
    refuse("With - the result goes to stdout: --out, --suffix, --in-place, --watch and --dry-run have no meaning.");
  if (keepDates || force) refuse("With - no file is written: --keep-dates and --force have no meaning.");
}

async function findSources(paths: readonly string[], flags: RunFlags): Promise<FoundPicture[]> {
  const { out } = await settingsFor(flags);
  const without = out === undefined || flags.inPlace ? [] : [out];
  try {
    return await findPictures(paths, { cwd: process.cwd(), without, onLinkOut: warnLinkOut, ...findingOf(flags) });
  } catch (problem) {
    // A watched folder may be empty for now.
    if (flags.watch && problem instanceof DomainError) return [];
    throw problem;
  }
}

async function requireFile(path: string): Promise<void> {
  await readFile(path).catch(() => refuse(`${path} cannot be read.`));
}

type RunInput = { paths: readonly string[]; flags: RunFlags; work: Work; session: Session; signal: AbortSignal };

async function runFound(found: readonly FoundPicture[], { paths, flags, work, session, signal }: RunInput) {
  const { settings, backend, cache, concurrency, together } = session;
  const out = flags.inPlace ? undefined : settings.out && resolve(settings.out);
  const suffix = flags.inPlace ? undefined : settings.suffix;
  requirePlace(work, { out, suffix, isInPlace: flags.inPlace === true });
  const suffixes = [suffix ?? "", ...work.steps.map(({ operation }) => manifestOf(operation).nameSuffix ?? "")];
  const isSource = ({ path }: FoundPicture) =>
    out !== undefined || paths.some((one) => resolve(one) === path) || !isEarlierResult(path, suffixes);
  const progress = await chooseProgress(flags, found.length);
  const begun = performance.now();
  const reports: FileReport[] = [];
  const runner = createRunner({
    backend,
    cache,
    work,
    concurrency,
    together,
    signal,
    failOnLarger: flags.failOnLarger === true,
    isInPlace: flags.inPlace === true,
    destination: {
      ...{ out, suffix, isInPlace: flags.inPlace === true },
      ...{ isForced: flags.force === true, keepsDates: flags.keepDates === true },
    },
    onProgress: (path, fraction) => progress.move(path, fraction),
    onEnd(report) {
      // A watched picture may be read while another program is still writing it: its last outcome counts.
      const earlier = reports.findIndex(({ path, outcome }) => path === report.path && outcome === "failed");
      if (earlier >= 0) reports.splice(earlier, 1);
      reports.push(report);
      progress.end(report);
    },
  });
  const pictures = found.filter(isSource);
  progress.add(pictures.length);
  await runner.run(pictures);
  if (flags.watch && !signal.aborted) {
    const { watchPictures } = await import("./watch.ts");
    await watchPictures(paths, {
      out,
      finding: findingOf(flags),
      isSource,
      signal,
      onPictures: (more) => runner.run(more),
    });
  }
  progress.stop();
  if (!flags.json) process.stdout.write(summaryOf(reports, { seconds: (performance.now() - begun) / 1000 }));
  printUnfinished(reports, { flags, isInterrupted: signal.aborted });
  // Ctrl-C is the normal way to stop watching, unless it interrupts the first pass.
  const isCut = !flags.watch || reports.some(({ outcome }) => outcome === "stopped");
  return exitCodeOf(reports, { isInterrupted: signal.aborted && isCut });
}

/** @throws invalid-request if a result would have the path of its source */
function requirePlace(
  work: Work,
  { out, suffix, isInPlace }: { out?: string | undefined; suffix?: string | undefined; isInPlace: boolean },
) {
  if (makesSet(work) && out === undefined) refuse("Please choose where the web sets go: --out <folder>.");
  const hasOtherName = work.steps.some(({ operation, options }) => {
    const form = manifestOf(operation);
    return form.nameSuffix !== undefined || options["target_format"] !== undefined;
  });
  if (out === undefined && !suffix && !isInPlace && !hasOtherName)
    refuse("Please choose where results go: --out <folder>, --suffix <text> or --in-place.");
}

async function chooseProgress(flags: RunFlags, files: number): Promise<Progress> {
  if (flags.json) return { ...plainLines(() => {}), end: (report) => void process.stdout.write(`${jsonOf(report)}\n`) };
  // A dumb terminal prints cursor movements as characters.
  if (process.stderr.isTTY && process.env["TERM"] !== "dumb" && files > 1 && !flags.watch) return progressBar();
  return plainLines((line) => process.stdout.write(line));
}

/** On stderr: failures, for those who see a bar, and how to resume after a stop. */
function printUnfinished(
  reports: readonly FileReport[],
  { flags, isInterrupted }: { flags: RunFlags; isInterrupted: boolean },
): void {
  const failed = reports.filter(({ outcome }) => outcome === "failed");
  if (flags.json) for (const report of failed) process.stderr.write(`${formatReport(report)}\n`);
  const left = reports.filter(({ outcome }) => outcome === "stopped");
  if (left.length === 0) return;
  const why = isInterrupted ? "Stopped." : plain(left.find(({ reason }) => reason)?.reason ?? "Stopped.");
  const files = left.length === 1 ? "1 file is not done" : `${left.length} files are not done`;
  process.stderr.write(`${why}\n${files}. The same command goes on with ${left.length === 1 ? "it" : "them"}.\n`);
}
