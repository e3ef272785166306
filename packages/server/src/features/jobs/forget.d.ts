import type { Database } from "../../platform/db/database.ts";
import type { Leaving } from "../accounts/leaving.ts";
/** The jobs' part in the end of an account: what runs is cancelled, its pictures and its rows are deleted. */
export declare const leaveJobs: (use: {
    db: Database;
    /** Stops a job and deletes its pictures. */
    cancel(id: string, owners: readonly string[]): Promise<unknown>;
}) => Leaving;
