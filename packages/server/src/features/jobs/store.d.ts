import type { TaskName, TierName } from "@tintype/contract";
import { type Database, type Queryable } from "../../platform/db/database.ts";
import type { Lane, WorkClass } from "../../platform/work/work.ts";
import { type FileRecord, type JobRecord, type NewFile, type Step } from "./job.ts";
/** The job whole, with its files. */
export declare function findJob(db: Queryable, id: string): Promise<JobRecord | undefined>;
/** Jobs of these owners that were made since then, the newest first; `before`: older than the one with this id. */
export declare function findJobsOf(db: Queryable, { owners, since, before, limit, }: {
    owners: readonly string[];
    since: Date;
    before: string | undefined;
    limit: number;
}): Promise<JobRecord[]>;
/** A list as one parameter: the statement stays the same text however long it is. */
export declare const list: (values: readonly string[]) => import("drizzle-orm").SQL<unknown>;
export type JobInsert = {
    id: string;
    owner: string;
    tier: TierName;
    operation: TaskName;
    steps: Step[];
    inputs: JobRecord["inputs"];
    waited: boolean;
    /** See the column. */
    process: string | null;
    charged: number;
    replay: boolean;
    files: NewFile[];
    class: WorkClass;
    lane: Lane;
    line: string;
    now: Date;
};
/** Files that may wait or be in work: of everybody, and of one line. */
export type QueueLimits = {
    all: number;
    line: number;
};
export type Inserted = {
    kind: "made";
    files: Pick<FileRecord, "index" | "class" | "lane" | "tag">[];
}
/** `gone`: this process was taken for dead while the upload came, and its pictures were removed. */
 | {
    kind: "full" | "line-full" | "gone";
};
/**
 * Puts the job and its files in their rows and in line, in one statement: start-time fair queueing, where a file's tag
 * is the head of the line or follows the caller's last one, whichever is later. A transaction that holds the caller's counter while
 * calling is counted exactly; two callers at the same moment may pass the limit of all by a few files.
 */
export declare function insertJob(db: Queryable, job: JobInsert, limits: QueueLimits): Promise<Inserted>;
/** Files of others that go before the job's next one. Undefined where none of its files waits, or one is in work. */
export declare function positionOf(db: Database, { id, files }: JobRecord): Promise<number | undefined>;
