import { type ResultFormat, timeLimitForSize, timeLimitsOf } from "@tintype/contract";
import {
  addStep,
  type EngineTask,
  metadataOf,
  nameStep,
  type Outcome,
  type PictureLimits,
  pageForStep,
  type ResultFacts,
  standInOf,
  type Task,
} from "@tintype/imaging";
import type { Blobs, Checkout, Draft } from "../../../platform/blobs/blobs.ts";
import type { EnginePool } from "../../../platform/engine-pool.ts";
import type { PreviewPart } from "../limits/preview-parts.ts";
import type { ClaimedFile } from "../queue/store.ts";
import {
  endingOf,
  type FileEnding,
  type FileRecord,
  keepsCutOut,
  placeOf,
  requestedSteps,
  type Step,
  stepsToRun,
  testStep,
} from "../record/job.ts";
import { retrying } from "../record/retrying.ts";

/** What the steps of a file need from the worker. */
export type ProduceDependencies = {
  blobs: Blobs;
  run: EnginePool["run"];
  limits: PictureLimits;
  signal: AbortSignal;
  /** 0..1 over all steps, and the name of a stage that takes long. */
  progress(fraction: number, stage: string | undefined): void;
  /** Receives the engine time of each step in ms, including one that failed. */
  countEngineMs(ms: number): void;
  /** Called with what a preview shows, before its result is stored. @throws cannot-process */
  takePreviewPart(part: PreviewPart): Promise<void>;
  /** Stores the result, and the blobs kept with it. @throws full, cancelled */
  store(drafts: readonly Draft[]): Promise<void>;
  nameResult(job: Pick<ClaimedFile["job"], "steps">, file: FileRecord, result: ResultFacts): string;
};

/** A finished step: its result, and for a cut-out the whole picture and the other candidates. */
type DoneStep = { outcome: Outcome; draft: Draft; extras: ExtraDrafts | undefined };
type ExtraDrafts = { cutOut: Draft; mattes: Draft; sheet: Draft };

/**
 * Runs the steps of a claimed file one after the other, and stores the output of the last one. Each try uses names of its
 * own, so that a worker whose lease expired never overwrites a newer result or obstructs another try.
 * @throws the error of the step that failed, with its place in the recipe
 */
export async function produce(claimed: ClaimedFile, dependencies: ProduceDependencies): Promise<FileEnding> {
  const { claim, job, file } = claimed;
  const { index, tries } = claim;
  const steps = stepsToRun(job.steps);
  const names = {
    output: `out-${index}-${tries}`,
    kept: keepsCutOut(steps)
      ? {
          cutOut: `cut-${index}-${tries}`,
          original: `from-${index}-${tries}`,
          mattes: `mattes-${index}-${tries}`,
          sheet: `sheet-${index}-${tries}`,
        }
      : undefined,
  };
  const scratch = openScratch(dependencies.blobs, claim.jobId);
  try {
    const done = await runSteps(steps, { claimed, dependencies, scratch, names });
    const last = done.at(-1);
    const sum = sumOf(done);
    if (!last || !sum) throw new Error(`The job ${claim.jobId} has no step.`);
    // The picture that a cut-out was made from is kept for edits.
    const before = names.kept && done.at(-2);
    const extras = storedExtras(last);
    const drafts = [last.draft, before?.draft, extras.cutOut, extras.mattes, extras.sheet];
    await dependencies.store(drafts.filter((draft) => draft !== undefined));
    const page = before ? undefined : pageForStep(steps, 0);
    const kept = names.kept && {
      cutOut: extras.cutOut ? names.kept.cutOut : names.output,
      original: before ? names.kept.original : file.input,
      width: last.outcome.source.width,
      height: last.outcome.source.height,
      ...(page === undefined ? {} : { page }),
      ...(extras.mattes ? { candidates: { mattes: names.kept.mattes, sheet: names.kept.sheet } } : {}),
    };
    const name = dependencies.nameResult(job, file, sum.result);
    return endingOf(sum, { output: names.output, name, isRenamed: name !== file.name, kept });
  } finally {
    await scratch.close();
  }
}

type Scratch = ReturnType<typeof openScratch>;

/** The blobs of one try. At its end, those it read are released, and those it did not store are discarded. */
function openScratch(blobs: Blobs, jobId: string) {
  const checkouts: Checkout[] = [];
  const drafts: Draft[] = [];
  return {
    async checkout(name: string): Promise<string> {
      const taken = await retrying(() => blobs.checkout(placeOf(jobId, name)));
      checkouts.push(taken);
      return taken.path;
    },
    async draft(name: string): Promise<Draft> {
      const draft = await retrying(() => blobs.draft({ jobId, name }));
      drafts.push(draft);
      return draft;
    },
    async close(): Promise<void> {
      await Promise.allSettled([
        ...drafts.map((draft) => draft.discard()),
        ...checkouts.map((taken) => taken.release()),
      ]);
    },
  };
}

type BlobNames = { output: string; kept: Record<keyof ExtraDrafts | "original", string> | undefined };
type StepContext = { claimed: ClaimedFile; dependencies: ProduceDependencies; scratch: Scratch; names: BlobNames };

async function runSteps(
  steps: readonly Step[],
  { claimed, dependencies, scratch, names }: StepContext,
): Promise<DoneStep[]> {
  const { job, file } = claimed;
  const input = await scratch.checkout(file.input);
  const auxiliaryPaths: Record<string, string> = {};
  for (const { role, blob } of job.inputs) auxiliaryPaths[role] = await scratch.checkout(blob);
  const originalPage = job.inputs.find(({ role }) => role === "original")?.page;
  const metadata = metadataOf(steps);
  const done: DoneStep[] = [];
  for (const [i, { operation, options }] of steps.entries()) {
    const isLast = i + 1 === steps.length;
    const isBeforeLast = i + 2 === steps.length;
    const draft = await scratch.draft(names.kept && isBeforeLast ? names.kept.original : names.output);
    const extras = names.kept && isLast ? await draftExtras(scratch, names.kept) : undefined;
    const previous = done.at(-1);
    const standsFor = previous && standInOf(previous.outcome);
    const page = pageForStep(steps, i);
    const sum = sumOf(done);
    const task: Task = {
      name: operation,
      options,
      inputPath: previous?.draft.path ?? input,
      outputPath: draft.path,
      pictureName: file.name,
      auxiliaryPaths,
      ...(originalPage === undefined ? {} : { originalPage }),
      ...(extras
        ? { keptPath: extras.cutOut.path, candidatePaths: { mattes: extras.mattes.path, sheet: extras.sheet.path } }
        : {}),
      ...(page === undefined ? {} : { page }),
      limits: dependencies.limits,
      isIntermediate: !isLast,
      ...(metadata === undefined ? {} : { metadata }),
      ...(standsFor === undefined ? {} : { standsFor }),
    };
    const began = performance.now();
    const outcome = await dependencies
      .run({
        task,
        ...limitsOf(operation, sum?.kind === "done" ? sum.result.format : file.format),
        signal: dependencies.signal,
        progress: ({ fraction, stage }) => dependencies.progress((i + fraction) / steps.length, stage),
      })
      .catch((problem: unknown) => {
        const place = requestedSteps(steps.slice(0, i + 1)).length;
        throw nameStep(problem, { place, operation, steps: requestedSteps(steps).length });
      })
      .finally(() => dependencies.countEngineMs(performance.now() - began));
    const region = outcome.kind === "done" ? outcome.sourceRegion : undefined;
    if (region) await dependencies.takePreviewPart({ path: input, region });
    done.push({ outcome: operation === testStep.operation ? withLikenessOf(sum, outcome) : outcome, draft, extras });
    // A picture that needs no conversion is the sender's own, and is not marked.
    if (isBeforeLast && sumOf(done)?.kind === "unchanged" && steps.at(-1)?.operation === testStep.operation) break;
  }
  return done;
}

/** A test key's watermark is not one of the caller's steps: likeness is measured on the result below it. */
const withLikenessOf = (sum: Outcome | undefined, marked: Outcome): Outcome =>
  sum?.kind === "done" && sum.likeness !== undefined && marked.kind === "done"
    ? { ...marked, likeness: sum.likeness }
    : marked;

async function draftExtras(
  scratch: Scratch,
  { cutOut, mattes, sheet }: Record<keyof ExtraDrafts, string>,
): Promise<ExtraDrafts> {
  return {
    cutOut: await scratch.draft(cutOut),
    mattes: await scratch.draft(mattes),
    sheet: await scratch.draft(sheet),
  };
}

/** What the engine stored with the result. */
function storedExtras({ outcome, extras }: DoneStep): Partial<ExtraDrafts> {
  if (outcome.kind !== "done" || !extras) return {};
  const { cutOut, ...others } = extras;
  return { ...(outcome.hasKept ? { cutOut } : {}), ...(outcome.candidates ? others : {}) };
}

/** All steps merged into one outcome. */
const sumOf = (done: readonly DoneStep[]): Outcome | undefined =>
  done
    .map(({ outcome }) => outcome)
    .reduce<Outcome | undefined>((sum, next) => (sum ? addStep(sum, next) : next), undefined);

const markTimeLimitMs = 20_000;
const limitsOf = (operation: EngineTask, format: ResultFormat | undefined) =>
  operation === "test-mark"
    ? { timeLimitMs: markTimeLimitMs }
    : {
        ...timeLimitsOf(operation, format),
        timeLimitForSizeMs: (megapixels: number) => timeLimitForSize(operation, megapixels),
      };
