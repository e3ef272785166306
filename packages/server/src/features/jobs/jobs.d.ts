import { type Credits, type Job } from "@tintype/contract";
import type { JobList } from "@tintype/contract/schemas";
import { type Caller } from "../../http/caller.ts";
import type { Holder } from "../credits/allowance.ts";
import { type Bounds, type Upload } from "./admission.ts";
import { type Begun, type NewJob } from "./begin.ts";
import { type JobRecord } from "./job.ts";
import type { Lease } from "./lease.ts";
import { type Settling } from "./settle.ts";
import { type QueueFacts } from "./sweep.ts";
import { type JobWatch } from "./watch.ts";
export type JobDependencies = Settling & {
    lease: Lease;
    bounds: Bounds;
    exclusive: boolean;
};
/** Every job of the service, from the moment its pictures come in until they are gone, through any process. */
export type Jobs = {
    watch: JobWatch;
    /**
     * Makes room for an upload, and writes down its prefix. `payer` needs a credit, unless they came under the key before.
     * @throws full, too-many-requests, out-of-credits, network-allowance
     */
    admit(upload: Upload & {
        payer: Holder | undefined;
        idempotencyKey?: string | undefined;
    }): Promise<void>;
    /**
     * Looks whether a payer can pay for so many pictures, before the server fetches them; as `admit` does for one.
     * @throws out-of-credits, network-allowance
     */
    requireCredits(payer: Holder, needs: {
        files: number;
        idempotencyKey: string | undefined;
    }): Promise<void>;
    /** Makes room for bytes that the server fetches. @throws full */
    admitBytes(jobId: string, bytes: number): Promise<void>;
    /** The upload came to nothing. It is removed later where its store or the database does not answer now. */
    drop(jobId: string): Promise<void>;
    begin(job: NewJob): Promise<Begun>;
    /** The job, if it is one of these owners'. @throws not-found for anybody else's, just like for one that never was */
    find(id: string, owners: readonly string[]): Promise<JobRecord>;
    /** Jobs of the last day, the newest first, as their owner sees them; `next` asks for those before. */
    list(caller: Caller, page: {
        before?: string | undefined;
        size: number;
    }): Promise<JobList>;
    /** The job as its owner sees it, with what it cost and what they have left now. */
    view(record: JobRecord, caller: Holder): Promise<Job>;
    credits(record: JobRecord, caller: Holder): Promise<Credits | undefined>;
    /** Stops the work, drops the pictures, and returns the credits of files not delivered. @throws not-found */
    cancel(id: string, owners: readonly string[]): Promise<JobRecord>;
    /** The answer of a waited job could not be given: what had not gone out goes back, as soon as the database can be asked. */
    abandon(id: string): void;
    /** Marks results as begun to be delivered; answers the job as it then stands. */
    beginDelivery(id: string, indexes?: readonly number[]): Promise<JobRecord>;
    /** Results went out whole: all of the job's pictures go where `indexes` is left out, or once all have gone out. */
    endDelivery(id: string, indexes?: readonly number[]): Promise<void>;
    /** The work of any API process for all; a timer does it every second or so, and tests call it themselves. */
    sweep(): Promise<void>;
    /** As the last sweep found the queue. */
    facts(): QueueFacts | undefined;
    /** Takes no further job, and waits `graceMs` at most for those whose callers wait. */
    drain(graceMs: number): Promise<void>;
    isDraining(): boolean;
    /** Ends the jobs whose callers still wait: they are told that the server restarts. */
    close(): Promise<void>;
};
export declare function createJobs(use: JobDependencies): Jobs;
