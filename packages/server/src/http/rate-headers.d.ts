import type { FastifyInstance, FastifyReply } from "fastify";
export type RateState = {
    limit: number;
    windowMs: number;
    remaining: number;
    resetSeconds: number;
};
/**
 * Tells a limit of the caller in the headers of draft-ietf-httpapi-ratelimit-headers-10; several stand side by side, as a
 * structured field's list.
 */
export declare function tellRate(reply: FastifyReply, name: string, { limit, windowMs, remaining, resetSeconds }: RateState): void;
/** Tells the limit that `@fastify/rate-limit` counts requests of a network by, which it writes in its own headers. */
export declare function tellNetworkRate(app: FastifyInstance, { windowMs }: {
    windowMs: number;
}): void;
