import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Bus } from "../platform/bus/bus.ts";
import type { Clock } from "../platform/clock.ts";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";
import type { Work } from "../platform/work/work.ts";
/** Messages between processes of one service. All of them may be lost: the database's rows are the truth. */
export type Links = {
    work: Work;
    bus: Bus;
    rateLimits: RateLimits;
    close(): Promise<void>;
};
type LinksOptions = {
    clock: Clock;
    log: FastifyBaseLogger;
};
/** Within this process, or through Redis where `REDIS_URL` names one; only then its code is loaded. */
export declare function openLinks(config: Config, options: LinksOptions): Promise<Links>;
export {};
