import type { RedisLink, RedisLog } from "../redis.ts";
import type { RateLimits } from "./rate-limits.ts";
/** Counts calls in Redis, for all processes together; where Redis does not answer, `alone` counts them. */
export declare function createRedisRateLimits({ redis, alone, log, }: {
    redis: RedisLink;
    alone: RateLimits;
    log: RedisLog;
}): RateLimits;
