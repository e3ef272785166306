import { DomainError, type Limits } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import { type Spooled, urlField } from "../../http/upload.ts";
import type { Blobs, StoreOptions } from "../../platform/blobs/blobs.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
/** A picture that could not be had: only its file fails. */
export type Missed = {
    field: typeof urlField;
    name: string;
    problem: DomainError;
};
export type FetchLog = Pick<FastifyBaseLogger, "info">;
type Fetching = {
    outbound: Outbound;
    blobs: Blobs;
    jobId: string;
    limits: Limits;
    /** Blobs are numbered from here on. */
    firstBlob: number;
    /** Makes room for so many bytes. @throws full */
    makeRoom(bytes: number): Promise<void>;
    signal: AbortSignal;
    log: FetchLog;
} & Omit<StoreOptions, "limitBytes">;
/**
 * Brings pictures from addresses into a job's blobs, in the order of the addresses.
 * @throws full, cancelled, unavailable; what is wrong with one address or its picture is in the answer
 */
export declare function fetchPictures(urls: readonly string[], fetching: Fetching): Promise<(Spooled | Missed)[]>;
export {};
