import { type Database } from "../../platform/db/database.ts";
import type { JobRecord } from "./job.ts";
/**
 * Marks results as begun to be delivered, all or those of some indexes, and answers the job as it then stands. A job
 * that is cancelled waits on the same row: either the results count as had, or this finds the job cancelled and marks nothing.
 */
export declare function beginDelivery(db: Database, id: string, indexes?: readonly number[]): Promise<JobRecord | undefined>;
/** Marks results as gone out whole. Answers whether nothing is left to deliver. */
export declare function endDelivery(db: Database, id: string, indexes: readonly number[]): Promise<boolean>;
/** A delivered result could not be removed: the sweep removes it, and does not wait for results that were never fetched. */
export declare function removeSoon(db: Database, id: string, now: Date): Promise<void>;
/**
 * The job's pictures are gone from the blobs: their names are forgotten, here and in the ledger, and so is the prefix.
 * `isDelivered`: everything that could be delivered was.
 */
export declare function forgetPictures(db: Database, id: string, { now, isDelivered }: {
    now: Date;
    isDelivered: boolean;
}): Promise<void>;
