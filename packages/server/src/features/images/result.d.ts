import { Readable } from "node:stream";
import { DomainError } from "@tintype/contract";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { type FileRecord, type JobRecord } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
/** The bytes that a job sends, and the headers that describe them. */
export type Result = {
    headers: Record<string, string>;
    sizeBytes: number;
    stream: Readable;
};
export type Delivering = {
    jobs: Jobs;
    blobs: Blobs;
    countBytesOut(bytes: number): void;
};
type Opening = {
    blobs: Blobs;
};
/** The error of a job without a result. */
export declare function failureOfAll(files: readonly FileRecord[]): DomainError;
/** A job's whole result: the picture for one file, a ZIP for more. @throws gone, unavailable */
export declare function openWhole(record: JobRecord, use: Opening): Promise<Result>;
/** One file's result. @throws gone, unavailable */
export declare function openPicture({ id, operation }: JobRecord, file: FileRecord, { blobs }: Opening): Promise<Result>;
export {};
