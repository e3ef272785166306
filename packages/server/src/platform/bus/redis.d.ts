import { type RedisLink } from "../redis.ts";
import type { Bus } from "./bus.ts";
/** Messages between processes through Redis' publish and subscribe: a message reaches those who listen to its channel only. */
export declare function createRedisBus({ redis }: {
    redis: RedisLink;
}): Bus;
