import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { catalogue, engineArguments, type ModelsConfig } from "@tintype/imaging";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Gauges } from "../http/metrics.ts";
import { EnginePool } from "../platform/engine-pool.ts";
import { noSandbox } from "../platform/sandbox.ts";
import type { WorkClass } from "../platform/work/work.ts";
import { openSandbox } from "./engine-sandbox.ts";

export type Engines = {
  /** A pool for each class that this process serves. */
  pools: Partial<Record<WorkClass, Pick<EnginePool, "size" | "run" | "close">>>;
  gauges: Omit<Gauges, "queue">;
};

/** A model engine holds a gigabyte: it ends after this idle time. */
const modelIdleMs = 120_000;

/** Spare engines handle peaks, when all others are busy. */
const spareIdleMs = 60_000;

type WarmModelOptions = {
  models: ModelsConfig;
  engines: number;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
  availableMb?: number;
};

/**
 * Whether engines may keep a cut-out's models loaded: the same amount of memory must stay free.
 * @param availableMb memory that is free now, in the container if there is one
 */
export function hasMemoryForWarmModels({
  models,
  engines,
  log,
  availableMb = process.availableMemory() / 1e6,
}: WarmModelOptions): boolean {
  const neededMb = 2 * engines * (models.overrides?.background?.memoryMb ?? catalogue.background.memoryMb);
  const details = { neededMb, availableMb: Math.round(availableMb) };
  if (availableMb < neededMb) log.warn(details, "TINTYPE_WARM: not enough free memory, models are loaded on first use");
  else log.info(details, "TINTYPE_WARM: loading the cut-out models and keeping them in memory");
  return availableMb >= neededMb;
}

/**
 * Starts the engine processes: a pool for plain pictures, and one for the tasks that need a model.
 * @throws Error where TINTYPE_SANDBOX asks for a sandbox that this system does not have
 */
export async function openEngines(
  config: Config,
  { classes, models, log }: { classes: readonly WorkClass[]; models: ModelsConfig; log: FastifyBaseLogger },
): Promise<Engines> {
  const scratch = join(config.dataFolder, "scratch");
  // Engines that were killed together with the server left files here.
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  // A process that serves no class starts no engine.
  const sandbox = classes.length > 0 ? await openSandbox(config, { models, scratch, log }) : noSandbox;
  const common = { scratch, sandbox, memoryLimitMb: config.TINTYPE_ENGINE_MEMORY_MB, log };
  const pools: Partial<Record<WorkClass, EnginePool>> = {};
  if (classes.includes("picture"))
    pools.picture = new EnginePool({
      ...common,
      size: config.TINTYPE_ENGINES,
      spare: config.TINTYPE_SPARE_ENGINES,
      spareIdleMs,
    });
  if (classes.includes("model")) {
    const isWarm =
      config.TINTYPE_WARM && hasMemoryForWarmModels({ models, engines: config.TINTYPE_MODEL_ENGINES, log });
    pools.model = new EnginePool({
      ...common,
      size: config.TINTYPE_MODEL_ENGINES,
      ...(isWarm ? {} : { idleMs: modelIdleMs }),
      arguments: engineArguments({ models, isWarm }),
    });
  }
  const all = Object.values(pools);
  return {
    pools,
    gauges: {
      engineProcesses: () => all.reduce((sum, { processIds }) => sum + processIds.length, 0),
      enginesBusy: () => all.reduce((sum, { busy }) => sum + busy, 0),
    },
  };
}
