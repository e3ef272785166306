import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Ledger } from "../features/credits/ledger.ts";
import type { Jobs } from "../features/jobs/jobs.ts";
import type { Lease } from "../features/jobs/lease.ts";
import type { Settling } from "../features/jobs/settle.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Clock } from "../platform/clock.ts";
import type { Links } from "./links.ts";
import type { Stores } from "./stores.ts";
export type ApiRole = {
    app: FastifyInstance;
    jobs: Jobs;
    sweep(): Promise<void>;
    /** Takes no further job, and waits `graceMs` at most for the callers that wait. */
    drain(graceMs: number): Promise<void>;
    close(): Promise<void>;
};
type ApiRoleDependencies = {
    config: Config;
    logger: FastifyBaseLogger;
    clock: Clock;
    stores: Stores;
    links: Links;
    ledger: Ledger;
    lease: Lease;
    settling: Settling;
    metrics: Metrics;
    isStopping(): boolean;
};
/** Opens the part of the service that answers people and clears up for all. */
export declare function openApiRole({ lease, settling, ...use }: ApiRoleDependencies): Promise<ApiRole>;
export {};
