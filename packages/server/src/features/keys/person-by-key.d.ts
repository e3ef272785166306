import type { Person } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { RateLimits, RateRule, RateVerdict } from "../../platform/rate-limits/rate-limits.ts";
type Dependencies = {
    db: Database;
    clock: Clock;
    rateLimits: RateLimits;
    callsPerMinute: number;
};
export type KeyUse = {
    network: string;
    /** Hears how the key's limit stands. */
    onCounted(rate: RateRule & RateVerdict): void;
};
/** Whoever an API key stands for, as they are now; undefined for a bearer that is no key. */
export declare function createPersonByKey({ db, clock, rateLimits, callsPerMinute }: Dependencies): (bearer: string, { network, onCounted }: KeyUse) => Promise<Person | undefined>;
export {};
