import type { Clock } from "../clock.ts";
import type { RateLimits } from "./rate-limits.ts";
/** Counts calls in one process. A window begins with its first call. */
export declare function createMemoryRateLimits({ clock }: {
    clock: Clock;
}): RateLimits;
