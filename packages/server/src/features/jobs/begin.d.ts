import { type Credits, type TaskName } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import type { Work } from "../../platform/work/work.ts";
import type { Holder } from "../credits/allowance.ts";
import { type IdempotencyKey } from "../credits/idempotency.ts";
import type { Ledger } from "../credits/ledger.ts";
import { type Bounds, type Line } from "./admission.ts";
import { type Input, type JobRecord, type NewFile, type Step } from "./job.ts";
import type { JobWatch } from "./watch.ts";
export type NewJob = {
    id: string;
    holder: Holder;
    line: Line;
    /** The first one names the job. */
    steps: [Step & {
        operation: TaskName;
    }, ...Step[]];
    /** 0 for what is free. */
    creditsPerFile: number;
    inputs: Input[];
    files: NewFile[];
    /** A connection waits for the answer; after a crash no caller would ask for it again. */
    waited: boolean;
    /** The caller of a job that is not waited for wants to hear of its end for a while. */
    isHeard?: boolean;
    idempotency?: IdempotencyKey;
    /** Writes what belongs to the job, in the transaction that begins it. */
    alongside?: (tx: Transaction) => Promise<void>;
};
export type Beginning = {
    db: Database;
    clock: Clock;
    ledger: Ledger;
    work: Work;
    watch: JobWatch;
    bounds: Bounds;
    process: string;
    log: Pick<FastifyBaseLogger, "warn">;
};
export type Begun = {
    kind: "begun";
    id: string;
    /** The price and the remaining credits; undefined for free tasks. */
    credits: Credits | undefined;
    /** Of a job that is waited for or heard: resolves once it has ended. */
    ended: Promise<void>;
    /** Ends the listening of a caller who was answered before. */
    stopHearing(): void;
}
/** The same request is under way already, under the same key. */
 | {
    kind: "running";
    record: JobRecord;
};
/**
 * Charges a job and writes its rows in one transaction; then puts its files in line. Cut off in between, the sweep offers them.
 * @throws full, too-many-requests, out-of-credits, network-allowance, and what `claimKey` throws; then nothing has begun
 */
export declare function beginJob(use: Beginning, job: NewJob): Promise<Begun>;
/** @throws job-not-finished */
export declare function requireEnded({ state }: Pick<JobRecord, "state">): void;
