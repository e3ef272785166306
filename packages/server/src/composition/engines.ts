import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TaskName, tasks } from "@tintype/contract";
import { engineArguments, type ModelsConfig } from "@tintype/imaging";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Gauges } from "../http/metrics.ts";
import { EnginePool } from "../platform/engine-pool.ts";
import { openSandbox } from "./engine-sandbox.ts";

export type Engines = {
  /** Which engines work on a task. */
  poolFor(task: TaskName): EnginePool;
  gauges: Gauges;
  close(): Promise<void>;
};

/** A model engine holds a gigabyte; unused it goes after so long. */
const modelIdleMs = 120_000;

/**
 * Starts the engine processes: one pool for plain pictures, one for the tasks that need a model.
 * @throws Error where TINTYPE_SANDBOX asks for a sandbox that this system does not have
 */
export async function openEngines(
  config: Config,
  { models, log }: { models: ModelsConfig; log: FastifyBaseLogger },
): Promise<Engines> {
  const scratch = join(config.dataFolder, "scratch");
  // Engines of an earlier run leave files here when they are killed together with the server.
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const sandbox = await openSandbox(config, { models, scratch, log });
  const common = { scratch, sandbox, memoryLimitMb: config.TINTYPE_ENGINE_MEMORY_MB, log };
  const picture = new EnginePool({ ...common, size: config.TINTYPE_ENGINES });
  const model = new EnginePool({
    ...common,
    size: config.TINTYPE_MODEL_ENGINES,
    idleMs: modelIdleMs,
    arguments: engineArguments({ models }),
  });
  return {
    poolFor: (task) => (tasks[task].work === "model" ? model : picture),
    gauges: {
      queueDepth: () => picture.waiting + model.waiting,
      engineProcesses: () => picture.processIds.length + model.processIds.length,
      enginesBusy: () => picture.busy + model.busy,
    },
    async close() {
      await Promise.all([picture.close(), model.close()]);
    },
  };
}
