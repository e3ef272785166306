import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
/**
 * Jobs of the previous release kept their files in one JSON column, and its process may run beside this one during an
 * upgrade. Jobs that have ended, or whose lease has run out, get rows as all jobs have them; the sweep then ends the unfinished
 * ones as interrupted, their credits returned. If this process alone has the database, none of the others is alive.
 */
export declare function adoptOldJobs(db: Database, { clock, exclusive }: {
    clock: Clock;
    exclusive: boolean;
}): Promise<void>;
