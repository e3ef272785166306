import type { FastifyBaseLogger } from "fastify";
import { Redis } from "ioredis";
export type RedisLog = Pick<FastifyBaseLogger, "info" | "warn" | "error">;
/** One process's connections to a Redis. They come back by themselves when it was away. */
export type RedisLink = {
    /** Shared by everything that neither blocks nor subscribes. A command waits until the server is back. */
    readonly shared: Redis;
    /**
     * Runs commands on the shared connection, now or not at all.
     * @throws unavailable where Redis is away or takes longer than `timeoutMs`; the command may have run all the same
     */
    ask<Answer>(timeoutMs: number, commands: (redis: Redis) => Promise<Answer>): Promise<Answer>;
    /** A connection of its own: for a command that blocks, or for subscriptions. */
    open(): Redis;
    /** Cuts every connection; commands that still wait fail. */
    close(): void;
};
export declare function connectRedis({ url, log }: {
    url: string;
    log: RedisLog;
}): RedisLink;
/** @throws Error after `ms`; the promise goes on, and its own failure is then of no interest. */
export declare function withinMs<Answer>(ms: number, promise: Promise<Answer>): Promise<Answer>;
