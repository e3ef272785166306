import type { RedisLink, RedisLog } from "../redis.ts";
import { type Work } from "./work.ts";
type Options = {
    redis: RedisLink;
    log: RedisLog;
};
/**
 * Hands out turns through BullMQ: a queue for each class and lane. A worker process fetches by hand, because a BullMQ worker
 * that runs by itself serves one queue only and cannot choose between two lanes.
 */
export declare function createBullmqWork({ redis, log }: Options): Work;
export {};
