import type { Redis } from "ioredis";
import type { RedisLink, RedisLog } from "../redis.ts";
import type { RateLimits } from "./rate-limits.ts";

const prefix = "tintype:rate:";
/** A request waits at most this long to be counted. */
const defaultTimeoutMs = 200;
/** After a timeout each process counts alone for this long, and no request waits. */
const pauseMs = 1_000;

/** Counts ARGV[3] calls in the window of KEYS[1], of which ARGV[1] are allowed in ARGV[2] ms; refused calls are not counted. */
const take = `
local calls = tonumber(redis.call("GET", KEYS[1]) or "0")
local isAllowed = calls + tonumber(ARGV[3]) <= tonumber(ARGV[1])
if isAllowed then
  local isFirst = calls == 0
  calls = redis.call("INCRBY", KEYS[1], ARGV[3])
  if isFirst then redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
end
return { isAllowed and 1 or 0, calls, redis.call("PTTL", KEYS[1]) }`;

type CountingRedis = Redis & {
  tintypeTake(key: string, limit: number, windowMs: number, calls: number): Promise<[number, number, number]>;
};

/** Counts calls in Redis, across all processes. If Redis does not respond, `alone` counts them. */
export function createRedisRateLimits({
  redis,
  alone,
  log,
  timeoutMs = defaultTimeoutMs,
}: {
  redis: RedisLink;
  alone: RateLimits;
  log: RedisLog;
  timeoutMs?: number;
}): RateLimits {
  redis.shared.defineCommand("tintypeTake", { numberOfKeys: 1, lua: take });
  let pausedUntil = 0;
  return {
    async take(key, rule) {
      if (performance.now() < pausedUntil) return alone.take(key, rule);
      try {
        const [allowed, calls, leftMs] = await redis.execute(
          timeoutMs,
          (shared) => (shared as CountingRedis).tintypeTake(prefix + key, rule.limit, rule.windowMs, rule.calls ?? 1), // defined above
        );
        const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000));
        return {
          isAllowed: allowed === 1,
          remaining: Math.max(0, rule.limit - calls),
          retryAfterSeconds: allowed === 1 ? 0 : resetSeconds,
          resetSeconds,
        };
      } catch (problem) {
        log.warn({ err: problem }, "rate limits are counted in this process only");
        pausedUntil = performance.now() + pauseMs;
        return alone.take(key, rule);
      }
    },
    close: () => alone.close(),
  };
}
