import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";

/** The counters of `@fastify/rate-limit`, kept by our port. Its keys are hashed where they are made. */
export function storeOf(rateLimits: RateLimits): FastifyRateLimitStoreCtor {
  return class Store implements FastifyRateLimitStore {
    incr(...[key, callback, windowMs, limit]: Parameters<FastifyRateLimitStore["incr"]>) {
      rateLimits.take(key, { limit, windowMs }).then(
        ({ isAllowed, remaining, resetSeconds }) =>
          callback(null, { current: isAllowed ? limit - remaining : limit + 1, ttl: resetSeconds * 1000 }),
        (problem: Error) => callback(problem),
      );
    }
    child() {
      return this;
    }
  };
}
