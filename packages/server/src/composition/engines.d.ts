import { type ModelsConfig } from "@tintype/imaging";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Gauges } from "../http/metrics.ts";
import { EnginePool } from "../platform/engine-pool.ts";
import type { WorkClass } from "../platform/work/work.ts";
export type Engines = {
    /** A pool for each class that this process takes. */
    pools: Partial<Record<WorkClass, EnginePool>>;
    gauges: Omit<Gauges, "queue">;
};
/**
 * Starts the engine processes: a pool for plain pictures, and one for the tasks that need a model.
 * @throws Error where TINTYPE_SANDBOX asks for a sandbox that this system does not have
 */
export declare function openEngines(config: Config, { classes, models, log }: {
    classes: readonly WorkClass[];
    models: ModelsConfig;
    log: FastifyBaseLogger;
}): Promise<Engines>;
