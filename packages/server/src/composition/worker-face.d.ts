import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Database } from "../platform/db/database.ts";
type FaceDependencies = {
    config: Config;
    logger: FastifyBaseLogger;
    db: Database;
    metrics: Metrics;
    isStopping(): boolean;
};
/** The server of a process without callers: its health and its metrics. */
export declare function createWorkerFace({ config, logger, db, metrics, isStopping, }: FaceDependencies): Promise<FastifyInstance>;
export {};
