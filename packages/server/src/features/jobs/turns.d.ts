import type { TaskName, TierName } from "@tintype/contract";
import { type Database, type Queryable } from "../../platform/db/database.ts";
import type { FileEnding, FileRecord, Input, JobRecord, Step } from "./job.ts";
/** A worker's changes of a file's row. Each statement names the row's owner, therefore none undoes another's work. */
/** A file is given up after so many workers or engines were lost under it. */
export declare const maxTries = 2;
export type Turn = {
    jobId: string;
    index: number;
    worker: string;
    tries: number;
};
export type Claim = {
    turn: Turn;
    file: FileRecord;
    job: {
        operation: TaskName;
        tier: TierName;
        steps: Step[];
        inputs: Input[];
        waited: boolean;
        files: number;
    };
    /** How long the file was waiting. */
    waitedSeconds: number;
};
/** Takes the file up, unless another worker did or its job has ended. */
export declare function claimFile(db: Database, { jobId, index, worker }: Omit<Turn, "tries">): Promise<Claim | undefined>;
export declare function isStillMine(db: Database, turn: Turn): Promise<boolean>;
export type Finished = Pick<JobRecord, "state" | "version" | "operation" | "waited" | "replay"> & {
    filesLeft: number;
};
/**
 * Writes how the file ended, and with the last file how the job ended. Undefined where the turn was lost: then nothing changed.
 * The job's row is locked before the file's, as everywhere.
 */
export declare function finishFile(db: Queryable, turn: Turn, { ending, now, deleteAfter }: {
    ending: FileEnding;
    now: Date;
    deleteAfter: Date;
}): Promise<Finished | undefined>;
/**
 * Lets a file go that the turn did not finish. `isLoss`: the engine was lost under it, which counts as a try; else the
 * try is taken back. Answers how the file stands then; undefined where the turn was lost.
 */
export declare function releaseFile(db: Database, turn: Turn, { isLoss }: {
    isLoss: boolean;
}): Promise<FileRecord | undefined>;
/** A file in hand, and how far it has come. */
export type InHand = {
    turn: Turn;
    progress: number;
    stage: string | undefined;
};
/** Writes how far files have come; answers those turns that are still this worker's. */
export declare function noteProgress(db: Database, worker: string, files: readonly InHand[]): Promise<Set<string>>;
/** Lets go of rows that name this worker while it does not have them in hand: their end could not be written. */
export declare function releaseOrphans(db: Database, worker: string, inHand: readonly string[]): Promise<{
    jobId: string;
    file: FileRecord;
}[]>;
