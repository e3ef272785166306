import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { DomainError } from "@tintype/contract";
import sharp from "sharp";
import { createTileThreads } from "./cutout/tile-threads.ts";
import { openInputFile } from "./formats/input-file.ts";
import { isHarmlessWarning } from "./formats/jpeg/harmless-warnings.ts";
import { openSource } from "./formats/open-source.ts";
import { blockOtherLoaders } from "./formats/open-with-libvips.ts";
import { describeParts, type Parts } from "./formats/parts.ts";
import { readParts } from "./formats/read-parts.ts";
import { checkDecodes } from "./formats/source.ts";
import { extractRawPreview } from "./formats/tiff/camera-raw.ts";
import { optionOf } from "./metadata/choice.ts";
import type { ModelId } from "./model/catalogue.ts";
import type { ModelsConfig } from "./model/config.ts";
import { createModels } from "./model/session.ts";
import { operations } from "./operations/index.ts";
import { filmFor, planFilm } from "./operations/keep-film.ts";
import { gainMapFor, planGainMap, writeBehind } from "./operations/keep-gain-map.ts";
import { keepMetadata, maxBytesOf, planKeeping, reserveBytes } from "./operations/keep-metadata.ts";
import { openInput } from "./operations/open-input.ts";
import type { NeuralOperation } from "./operations/operation.ts";
import { asDomainError } from "./raster/codec-error.ts";
import type { Outcome, PictureFacts, PictureLimits, RunContext, Task } from "./task.ts";

export type Imaging = {
  run(task: Task, context: RunContext): Promise<Outcome>;
  /** Opens the models of a cut-out before the first request; a missing model is logged. */
  warm(): Promise<void>;
};

/** An engine process reads it from its arguments as JSON: see `engineArguments`. */
export type EngineConfig = {
  models?: ModelsConfig;
  /** Open the models of a cut-out at startup, and keep them open (`TINTYPE_WARM`). */
  isWarm?: boolean;
};

type ImagingOptions = EngineConfig & {
  /** Receives messages for the operator, such as a provider that cannot be used. */
  log?: (line: string) => void;
};

/** The engine of one process: one picture at a time, one libvips thread, no state between pictures except models. */
export function createImaging({ models, isWarm = false, log }: ImagingOptions = {}): Imaging {
  sharp.concurrency(1);
  sharp.cache(false);
  blockOtherLoaders();
  const open = createModels(isWarm ? { ...models, idleMs: maxTimerMs } : models, log ? { log } : {});
  const threads = createTileThreads({ count: (models?.threads ?? availableParallelism()) - 1 });
  return {
    async run(task, context) {
      const operation: NeuralOperation = operations[task.name];
      const previewPath = `${task.outputPath}.preview`;
      const originalPreviewPath = `${task.outputPath}.original-preview`;
      const preview = await extractRawPreview(task.inputPath, previewPath);
      const inputPath = preview?.path ?? task.inputPath;
      const original = task.originalPath && (await extractRawPreview(task.originalPath, originalPreviewPath));
      const paths = { inputPath, ...(original ? { originalPath: original.path } : {}) };
      const runOnce = async (given: Task) =>
        withNote(await operation({ ...given, ...paths }, { ...context, models: open, threads }), preview?.note);
      try {
        const { reportMegapixels } = context;
        const limits = { ...task.limits, ...(reportMegapixels ? { reportMegapixels } : {}) };
        const run = (given: Task) =>
          runOnce({ ...given, limits }).catch((problem: unknown) => {
            if (!isHarmlessWarning(problem)) throw problem;
            return runOnce({ ...given, limits: { ...limits, toleratesHarmlessWarnings: true } });
          });
        const parts = await readParts(await openInputFile(task.inputPath), { isStandIn: task.standsFor !== undefined });
        const plan = parts.has("gainMap") ? await planGainMap(task, context.signal) : undefined;
        const keeping = await planKeeping(task);
        const filmPlan = parts.has("film") ? await planFilm(task) : undefined;
        const outcome = await runWithin(run, task, {
          film: filmPlan?.reservedBytes ?? 0,
          map: plan?.reservedBytes ?? 0,
          metadata: keeping.reservedBytes,
        });
        const maxBytes = maxBytesOf(outcome, task);
        const film = await filmFor(outcome, task, { plan: filmPlan, maxBytes });
        const besideFilm = maxBytes - (film?.besideMapBytes ?? 0);
        const gainMap = await gainMapFor(outcome, task, { plan, maxBytes: besideFilm, signal: context.signal });
        const left = gainMap ? besideFilm - gainMap.addedBytes : maxBytes - (film?.addedBytes ?? 0);
        const kept = await keepMetadata(outcome, task, { ...keeping, maxBytes: left });
        const whole = await writeBehind(kept, task, { map: gainMap?.map, film: film?.film });
        return await nameParts(whole, task, parts);
      } catch (thrown) {
        const problem = asDomainError(thrown);
        if (!(problem instanceof DomainError) && !context.signal.aborted) await refuseIfBroken({ ...task, inputPath });
        throw problem;
      } finally {
        await rm(previewPath, { force: true });
        await rm(originalPreviewPath, { force: true });
      }
    },
    async warm() {
      for (const id of cutOutModels) await open.useIfThere(id, async () => {});
    },
  };
}

type Run = (task: Task) => Promise<Outcome>;

/** Of a byte limit. A larger video is kept only if the picture leaves room for it. */
const mostFilmShare = 0.5;

/** The bytes that a limit must leave for data besides the picture. */
type Reserved = { film: number; map: number; metadata: number };

/**
 * Reserves bytes of a limit for a requested video, the gain map and the metadata. The picture has the highest priority,
 * then these in that order.
 */
async function runWithin(run: Run, task: Task, { film, map, metadata }: Reserved): Promise<Outcome> {
  const limit = optionOf(task.options, "max_bytes");
  const most = typeof limit === "number" ? limit : 0;
  const filmBytes = film <= most * mostFilmShare ? [film, 0] : [0];
  const wanted = filmBytes.flatMap((bytes) => [bytes + map + metadata, bytes + map, bytes]);
  const reserves = new Set([...wanted.filter((bytes) => bytes < most), 0]);
  for (const bytes of [...reserves].slice(0, -1))
    try {
      const given = reserveBytes(task, bytes);
      const outcome = await run(given);
      if (!missesLikeness(outcome, given)) return outcome;
    } catch (problem) {
      if (!isUnreachable(problem)) throw problem;
    }
  return run(task);
}

/** Adds notes on the parts of the source besides its picture: those missing from the result, and those kept. Not for previews. */
async function nameParts(outcome: Outcome, task: Task, parts: Parts): Promise<Outcome> {
  if (task.name === "preview" || parts.size === 0) return outcome;
  const isStandIn = outcome.kind === "done" && outcome.isStandIn === true;
  const partNotes = describeParts(parts, await readParts(await openInputFile(task.outputPath), { isStandIn }));
  return { ...outcome, notes: [...partNotes, ...outcome.notes] };
}

/** Whether the original was returned because nothing within the limit kept the likeness: a larger limit may allow it. */
const missesLikeness = (outcome: Outcome, { options }: Task): boolean => {
  const limit = optionOf(options, "max_bytes");
  const isOver = typeof limit === "number" && outcome.result.sizeBytes > limit;
  return isOver && outcome.kind === "done" && outcome.nothingSaved === true;
};

const isUnreachable = (problem: unknown) => problem instanceof DomainError && problem.code === "size-unreachable";

const withNote = (outcome: Outcome, note: string | undefined): Outcome =>
  note !== undefined ? { ...outcome, notes: [note, ...outcome.notes] } : outcome;

const cutOutModels = ["background", "person", "person-landscape"] as const satisfies readonly ModelId[];
/** The longest delay of `setTimeout`: 24 days. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Format, size and frames of a picture from its header; for a document those of `page`, from 1, or by default the
 * first.
 * @throws as an operation does for that header
 */
export async function readFacts(
  path: string,
  limits: PictureLimits,
  page?: number,
): Promise<PictureFacts & { frames: number; hasAlpha: boolean }> {
  const { format, width, height, sizeBytes, isAnimated, pages, hasAlpha } = await openSource(path, limits, { page });
  return { format, width, height, sizeBytes, frames: isAnimated ? pages : 1, hasAlpha };
}

export { findMetadata } from "./operations/keep-metadata.ts";

/**
 * Damage appears only while pixels are read, as an error without a code. After such an error this check decodes the
 * picture: if it is damaged, the caller gets that reason, and the engine is not blamed.
 */
async function refuseIfBroken(task: Task): Promise<void> {
  await checkDecodes(await openInput({ ...task, standsFor: undefined }));
}
