import { type JobEvent } from "@tintype/contract";
import type { Caller } from "../../http/caller.ts";
import type { JobRecord } from "./job.ts";
import type { Jobs } from "./jobs.ts";
export type JobStreamOptions = {
    jobs: Jobs;
    caller: Caller;
    send(event: JobEvent, id: number): void;
    /** The version that the client saw last; NaN for none. */
    seen: number;
};
/**
 * Tells one client what happens to a job, from its rows and from what is said of it between them. The id of an event is
 * the version of the job's row: between two versions progress alone is told.
 */
export declare function createJobStream({ jobs, caller, send, seen }: JobStreamOptions): {
    /** Resolves when the job has ended, or the client is gone. */
    run(first: JobRecord): Promise<void>;
    close(): void;
};
