import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import { type Database, type Queryable } from "../../platform/db/database.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { type JobRecord } from "../jobs/job.ts";
import { type Delivering } from "./result.ts";
/** The form's field with the address that the result is sent to. */
export declare const outputField = "output_url";
/** Results go to an address that the caller named, such as a presigned one of their own store. */
export type Outputs = {
    /** Writes the address down, in the transaction that begins the job; the result then goes there by itself. */
    keep(tx: Queryable, output: {
        jobId: string;
        url: string;
    }): Promise<void>;
    /**
     * Sends the whole result of a finished job now, for a caller who waits.
     * @throws url-refused where the address does not take it
     */
    send(record: JobRecord, url: string): Promise<Record<string, string>>;
    /** Sends what is due. Any API process does it every second. */
    sendDue(): Promise<void>;
    close(): Promise<void>;
};
type OutputDependencies = Delivering & {
    db: Database;
    clock: Clock;
    outbound: Outbound;
    log: Pick<FastifyBaseLogger, "warn" | "error">;
};
export declare function createOutputs(use: OutputDependencies): Outputs;
export {};
