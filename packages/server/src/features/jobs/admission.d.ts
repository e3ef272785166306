import { DomainError, type Limits } from "@tintype/contract";
import type { Clock } from "../../platform/clock.ts";
import { type Database } from "../../platform/db/database.ts";
import type { QueueLimits } from "./store.ts";
/** Limits of files that wait, are in work and are taken in at a time. */
export type Bounds = {
    /** Files that wait or are in work, of everybody. */
    queueFiles: number;
    /** Of one caller. */
    callerFiles: number;
    /** Of all guests and free tasks of one network. */
    networkFiles: number;
    /** Uploads at a time from one network. */
    networkUploads: number;
    /** Bytes of pictures of everybody. */
    spoolBytes: number;
};
/** Guests and free tasks of a network stand in one line, since a cookie costs nothing. */
export type Line = {
    key: string;
    isShared: boolean;
};
export declare const lineLimits: (bounds: Bounds, { isShared }: Line) => QueueLimits;
export declare const full: () => DomainError;
export declare const lineFull: ({ isShared }: Line) => DomainError;
export type Upload = {
    jobId: string;
    line: Line;
    network: string;
    limits: Limits;
    announcedBytes: number | undefined;
};
/**
 * Writes the row that names an upload's prefix, before its first byte, if there is room for it.
 * @throws full where too many files wait or too many bytes are held, too-many-requests for one caller or network
 */
export declare function admitUpload({ db, clock, bounds, process }: {
    db: Database;
    clock: Clock;
    bounds: Bounds;
    process: string;
}, { jobId, line, network, limits, announcedBytes }: Upload): Promise<void>;
/** True while no job has begun on what was taken in under the prefix. */
export declare function isUpload(db: Database, jobId: string): Promise<boolean>;
/** Makes room for bytes of an upload that come besides what was announced. @throws full */
export declare function admitBytes({ db, bounds }: {
    db: Database;
    bounds: Bounds;
}, { jobId, bytes }: {
    jobId: string;
    bytes: number;
}): Promise<void>;
