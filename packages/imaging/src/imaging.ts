import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { DomainError } from "@tintype/contract";
import sharp from "sharp";
import { createTileThreads } from "./cutout/tile-threads.ts";
import { checkDecodes } from "./formats/check-decodes.ts";
import { isHarmlessWarning } from "./formats/jpeg/harmless-warnings.ts";
import { blockOtherLoaders } from "./formats/libvips-loaders.ts";
import { openSource } from "./formats/open-source.ts";
import { extractRawPreview } from "./formats/tiff/camera-raw.ts";
import { keepMetadata, leaveRoom, planKeeping } from "./metadata/keep.ts";
import type { ModelId } from "./model/catalogue.ts";
import type { ModelsConfig } from "./model/config.ts";
import { createModels } from "./model/session.ts";
import { operations } from "./operations/index.ts";
import type { NeuralOperation } from "./operations/operation.ts";
import type { Outcome, PictureFacts, PictureLimits, RunContext, Task } from "./task.ts";

export type Imaging = {
  run(task: Task, context: RunContext): Promise<Outcome>;
  /** Opens the models of a cut-out before the first one needs them; a model that is not there is logged. */
  warm(): Promise<void>;
};

/** An engine process reads it as JSON from its arguments: see `engineArguments`. */
export type EngineConfig = {
  models?: ModelsConfig;
  /** Open the models of a cut-out at the start, and keep them (`TINTYPE_WARM`). */
  isWarm?: boolean;
};

type ImagingOptions = EngineConfig & {
  /** Receives messages for the operator, such as a provider that cannot be used. */
  log?: (line: string) => void;
};

/** The engine, for one process: one picture at a time, one libvips thread, nothing kept between pictures but models. */
export function createImaging({ models, isWarm = false, log }: ImagingOptions = {}): Imaging {
  sharp.concurrency(1);
  sharp.cache(false);
  blockOtherLoaders();
  const open = createModels(isWarm ? { ...models, idleMs: longestTimerMs } : models, log ? { log } : {});
  const threads = createTileThreads({ count: (models?.threads ?? availableParallelism()) - 1 });
  return {
    async run(task, context) {
      const operation: NeuralOperation = operations[task.name];
      const previewPath = `${task.outputPath}.preview`;
      const preview = await extractRawPreview(task.inputPath, previewPath);
      const inputPath = preview?.path ?? task.inputPath;
      const runOnce = async (given: Task) =>
        withNote(await operation({ ...given, inputPath }, { ...context, models: open, threads }), preview?.note);
      try {
        const { tellMegapixels } = context;
        const limits = { ...task.limits, ...(tellMegapixels ? { tellMegapixels } : {}) };
        const run = (given: Task) =>
          runOnce({ ...given, limits }).catch((problem: unknown) => {
            if (!isHarmlessWarning(problem)) throw problem;
            return runOnce({ ...given, limits: { ...limits, toleratesHarmlessWarnings: true } });
          });
        const keeping = await planKeeping(task);
        const outcome = await run(leaveRoom(task, keeping)).catch((problem: unknown) => {
          // The picture comes before its metadata.
          if (keeping.reservedBytes > 0 && isUnreachable(problem)) return run(task);
          throw problem;
        });
        return await keepMetadata(outcome, task, keeping);
      } catch (problem) {
        if (!(problem instanceof DomainError) && !context.signal.aborted) await refuseIfBroken({ ...task, inputPath });
        throw problem;
      } finally {
        await rm(previewPath, { force: true });
      }
    },
    async warm() {
      for (const id of cutOutModels) await open.useIfThere(id, async () => {});
    },
  };
}

const isUnreachable = (problem: unknown) => problem instanceof DomainError && problem.code === "size-unreachable";

const withNote = (outcome: Outcome, note: string | undefined): Outcome =>
  note !== undefined && outcome.kind === "done" ? { ...outcome, notes: [note, ...outcome.notes] } : outcome;

const cutOutModels = ["background", "person", "person-landscape"] as const satisfies readonly ModelId[];
/** The longest that `setTimeout` waits, 24 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Format, size and frames of a picture, by its header. @throws what an operation throws by it */
export async function readFacts(path: string, limits: PictureLimits): Promise<PictureFacts & { frames: number }> {
  const { format, width, height, sizeBytes, isAnimated, pages } = await openSource(path, limits);
  return { format, width, height, sizeBytes, frames: isAnimated ? pages : 1 };
}

/**
 * Damage appears only while pixels are read, as an error without a kind. This check blames the picture for an error
 * that its damage caused: the caller learns it, and the engine is not blamed.
 */
async function refuseIfBroken({ inputPath, limits }: Task): Promise<void> {
  await checkDecodes(await openSource(inputPath, limits));
}
