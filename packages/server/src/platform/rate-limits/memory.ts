import type { Clock } from "../clock.ts";
import type { RateLimits } from "./rate-limits.ts";

/** Maximum number of keys: a flood from many addresses must not fill the memory. The oldest are evicted. */
const maxKeys = 100_000;
/** Ended windows are evicted at most this often. */
const evictionIntervalMs = 60_000;

/** Counts calls in one process. A window starts with its first call. */
export function createMemoryRateLimits({ clock }: { clock: Clock }): RateLimits {
  const windows = new Map<string, { calls: number; endsAt: number }>();
  let evictAt = 0;
  const evict = (now: number) => {
    const [oldest] = windows.size >= maxKeys ? windows.keys() : [];
    if (oldest !== undefined) windows.delete(oldest);
    if (now < evictAt) return;
    evictAt = now + evictionIntervalMs;
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key);
  };
  return {
    async take(key, { limit, windowMs, calls = 1 }) {
      const now = clock.now().getTime();
      evict(now);
      const known = windows.get(key);
      const window = known && known.endsAt > now ? known : { calls: 0, endsAt: now + windowMs };
      if (window !== known) windows.set(key, window);
      const isAllowed = window.calls + calls <= limit;
      if (isAllowed) window.calls += calls;
      return {
        isAllowed,
        remaining: Math.max(0, limit - window.calls),
        retryAfterSeconds: isAllowed ? 0 : Math.ceil((window.endsAt - now) / 1000),
        resetSeconds: Math.ceil((window.endsAt - now) / 1000),
      };
    },
    async close() {
      windows.clear();
    },
  };
}
