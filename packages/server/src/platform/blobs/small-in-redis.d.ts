import type { RedisLink } from "../redis.ts";
import type { Blobs } from "./blobs.ts";
/**
 * Keeps small blobs in Redis and all others in `blobs`. A small blob goes to `blobs` too while Redis is away. A Redis that loses
 * its memory loses the small blobs in it: their files fail, and their credits come back. Engines work on copies in `scratch`, a
 * folder that nothing else uses; it is emptied here.
 */
export declare function keepSmallInRedis({ redis, blobs, scratch, }: {
    redis: RedisLink;
    blobs: Blobs;
    scratch: string;
}): Promise<Blobs>;
