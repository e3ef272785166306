import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { DomainError, lossNames, lossOf } from "@tintype/contract";
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
import { appendTrailers, type GainMapPlan, gainMapFor, planGainMap } from "./operations/keep-gain-map.ts";
import { keepMetadata, type MetadataPlan, maxBytesOf, planKeeping, reserveBytes } from "./operations/keep-metadata.ts";
import { type MotionPlan, motionFor, planMotion } from "./operations/keep-motion.ts";
import { openInput } from "./operations/open-input.ts";
import { type EngineContext, type NeuralOperation, type OpenedTask, openTask } from "./operations/operation.ts";
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
      const engine = { ...context, models: open, threads };
      const received = await openTask(task);
      const rawPreviews = [`${task.outputPath}.preview`, `${task.outputPath}.original-preview`] as const;
      let work = received;
      try {
        const { note, ...previews } = await openRawPreviews(received, rawPreviews);
        work = { ...received, ...previews, limits: { ...task.limits, ...reporting(context) } };
        const parts = await readParts(received.input, { isStandIn: task.standsFor !== undefined });
        const extras = await planExtras(received, { parts, signal: context.signal });
        const outcome = await runWithin((options) => operate({ ...work, options }, engine), received, extras);
        const noted = note === undefined ? outcome : { ...outcome, notes: [note, ...outcome.notes] };
        const whole = await attachExtras(noted, received, { extras, signal: context.signal });
        return withoutLosses(await nameParts(whole, received, parts), received);
      } catch (thrown) {
        const problem = asDomainError(thrown);
        if (!(problem instanceof DomainError) && !context.signal.aborted)
          await refuseIfBroken({ ...work, limits: task.limits });
        throw problem;
      } finally {
        for (const path of rawPreviews) await rm(path, { force: true });
      }
    },
    async warm() {
      for (const id of cutOutModels) await open.useIfThere(id, async () => {});
    },
  };
}

const reporting = ({ reportMegapixels }: RunContext) => (reportMegapixels ? { reportMegapixels } : {});

/** The previews of a camera's raw files, which take the place of the files. */
async function openRawPreviews(
  { input, auxiliaryPaths = {} }: OpenedTask,
  paths: readonly [input: string, original: string],
) {
  const preview = await extractRawPreview(input, paths[0]);
  const { original: path } = auxiliaryPaths;
  const original = path && (await extractRawPreview(await openInputFile(path), paths[1]));
  return {
    ...(preview ? { input: await openInputFile(preview.path), note: preview.note } : {}),
    ...(original ? { auxiliaryPaths: { ...auxiliaryPaths, original: original.path } } : {}),
  };
}

/** Runs the operation; for a JPEG with harmless warnings a second time, tolerating them. */
function operate(task: OpenedTask, engine: EngineContext): Promise<Outcome> {
  const operation: NeuralOperation = operations[task.name];
  return operation(task, engine).catch((problem: unknown) => {
    if (!isHarmlessWarning(problem)) throw problem;
    return operation({ ...task, limits: { ...task.limits, toleratesHarmlessWarnings: true } }, engine);
  });
}

/** What a result keeps besides the picture. */
type Extras = { motion: MotionPlan | undefined; map: GainMapPlan | undefined; metadata: MetadataPlan };

async function planExtras(task: OpenedTask, { parts, signal }: { parts: Parts; signal: AbortSignal }): Promise<Extras> {
  const map = parts.has("gainMap") ? await planGainMap(task, signal) : undefined;
  const metadata = await planKeeping(task);
  return { map, metadata, motion: parts.has("motion") ? await planMotion(task) : undefined };
}

/** Of a byte limit. A larger video is kept only if the picture leaves room for it. */
const mostMotionShare = 0.5;

/**
 * Reserves bytes of a limit for a requested video, the gain map and the metadata. The picture has the highest priority,
 * then these in that order.
 */
async function runWithin(
  run: (options: unknown) => Promise<Outcome>,
  { options }: OpenedTask,
  { motion, map, metadata }: Extras,
): Promise<Outcome> {
  const limit = optionOf(options, "max_bytes");
  const most = typeof limit === "number" ? limit : 0;
  const [mapBytes, motionBytes] = [map?.reservedBytes ?? 0, motion?.reservedBytes ?? 0];
  const wanted = (motionBytes <= most * mostMotionShare ? [motionBytes, 0] : [0]).flatMap((bytes) => [
    bytes + mapBytes + metadata.reservedBytes,
    bytes + mapBytes,
    bytes,
  ]);
  const reserves = new Set([...wanted.filter((bytes) => bytes < most), 0]);
  for (const bytes of [...reserves].slice(0, -1))
    try {
      const reduced = reserveBytes(options, bytes);
      const outcome = await run(reduced);
      if (!missesLikeness(outcome, reduced)) return outcome;
    } catch (problem) {
      if (!isUnreachable(problem)) throw problem;
    }
  return run(options);
}

/** Writes what there is room for into the file of the result. */
async function attachExtras(
  outcome: Outcome,
  task: OpenedTask,
  { extras, signal }: { extras: Extras; signal: AbortSignal },
): Promise<Outcome> {
  const maxBytes = maxBytesOf(outcome, task);
  const motion = await motionFor(outcome, task, { plan: extras.motion, maxBytes });
  const besideMotion = maxBytes - (motion?.besideMapBytes ?? 0);
  const gainMap = await gainMapFor(outcome, task, { plan: extras.map, maxBytes: besideMotion, signal });
  const left = gainMap ? besideMotion - gainMap.addedBytes : maxBytes - (motion?.addedBytes ?? 0);
  const kept = await keepMetadata(outcome, task, { ...extras.metadata, maxBytes: left });
  return appendTrailers(kept, task, { map: gainMap?.map, motion: motion?.motion });
}

/** Adds notes on the parts of the source besides its picture: those missing from the result, and those kept. Not for previews. */
async function nameParts(outcome: Outcome, task: OpenedTask, parts: Parts): Promise<Outcome> {
  if (task.name === "preview" || parts.size === 0) return outcome;
  const isStandIn = outcome.kind === "done" && outcome.isStandIn === true;
  const partNotes = describeParts(parts, await readParts(await openInputFile(task.outputPath), { isStandIn }));
  return { ...outcome, notes: [...partNotes, ...outcome.notes] };
}

/** @throws would-lose if the result has lost what the task's `forbid` names */
function withoutLosses(outcome: Outcome, { options }: OpenedTask): Outcome {
  const forbid = optionOf(options, "forbid");
  if (typeof forbid !== "string") return outcome;
  const named = forbid.split(",").map((loss) => loss.trim());
  const found = new Set<string | undefined>(outcome.notes.map(lossOf));
  if (isEnlarged(outcome) && optionOf(options, "canvas") === undefined) found.add("upscale");
  const lost = lossNames.filter((loss) => named.includes(loss) && found.has(loss));
  if (lost.length > 0)
    throw new DomainError("would-lose", { field: "forbid", reason: { code: "losses-forbidden", lost } });
  return outcome;
}

/** Whether the result has longer sides than its source, which may have been turned. Drawings and documents have no pixels of their own. */
function isEnlarged({ source, result }: Outcome): boolean {
  if (source.format === "svg" || source.format === "pdf" || result.format === "zip") return false;
  const sorted = ({ width, height }: { width: number; height: number }) => [
    Math.min(width, height),
    Math.max(width, height),
  ];
  const [before, after] = [sorted(source), sorted(result)];
  return after.some((side, index) => side > (before[index] ?? 0));
}

/** Whether the original was returned because nothing within the limit kept the likeness: a larger limit may allow it. */
const missesLikeness = (outcome: Outcome, options: unknown): boolean => {
  const limit = optionOf(options, "max_bytes");
  const isOver = typeof limit === "number" && outcome.result.sizeBytes > limit;
  return isOver && outcome.kind === "done" && outcome.nothingSaved === true;
};

const isUnreachable = (problem: unknown) => problem instanceof DomainError && problem.code === "size-unreachable";

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
async function refuseIfBroken(task: OpenedTask): Promise<void> {
  await checkDecodes(await openInput({ ...task, standsFor: undefined }));
}
