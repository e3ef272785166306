import type { FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";
/** The counters of `@fastify/rate-limit`, kept by our port. Its keys are hashed where they are made. */
export declare function storeOf(rateLimits: RateLimits): FastifyRateLimitStoreCtor;
