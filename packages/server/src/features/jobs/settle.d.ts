import { DomainError } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Bus } from "../../platform/bus/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Database } from "../../platform/db/database.ts";
import type { Work, WorkClass } from "../../platform/work/work.ts";
import type { Ledger } from "../credits/ledger.ts";
import { type FileEnding } from "./job.ts";
import { type Finished, type Turn } from "./turns.ts";
export type Settling = {
    db: Database;
    clock: Clock;
    ledger: Ledger;
    blobs: Blobs;
    bus: Bus;
    work: Work;
    log: Pick<FastifyBaseLogger, "warn" | "error">;
    meter: {
        countFile(operation: string, outcome: string): void;
        countJob(operation: string, outcome: string): void;
        countLeaseLost(): void;
        countEngineLost(): void;
        observeWait(workClass: WorkClass, seconds: number): void;
    };
};
/**
 * The file's end; with the last file the job's end and the credits of what brought nothing, all in one transaction: neither
 * is ever seen without the other. Undefined where the turn was lost meanwhile: then nothing happened.
 */
export declare function endFile(use: Settling, turn: Turn, { ending, isOnlyFile }: {
    ending: FileEnding;
    isOnlyFile: boolean;
}): Promise<Finished | undefined>;
export type EarlyEnd = {
    state: "cancelled" | "failed";
    /** Told of each file that it ends. */
    code: "cancelled" | "interrupted";
};
/**
 * Ends a job before its work is done: stops the work, drops the pictures, and returns the credits of files not delivered.
 * A job that ended meanwhile is left alone, unless it must end as interrupted: then its waiting connection is gone with
 * its process, and what had not gone out whole goes back. Answers whether it ended it.
 */
export declare function endEarly(use: Settling, jobId: string, { state, code }: EarlyEnd): Promise<boolean>;
/** A file that two workers or engines were lost under. */
export declare const lostTwice: () => DomainError;
