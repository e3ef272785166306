import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import { type Database, type Queryable } from "../../platform/db/database.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { Jobs } from "../jobs/jobs.ts";
/** Tells addresses of the end of jobs, by Standard Webhooks. README.md beside this file has the rules. */
export type Webhooks = {
    /** Writes down whom to tell of a job's end, in the transaction that begins it: the account's endpoints, and `url`. */
    keep(tx: Queryable, told: {
        jobId: string;
        accountId: string;
        url: string | undefined;
    }): Promise<void>;
    /** Sends what is due. Any API process does it every second. */
    sendDue(): Promise<void>;
    close(): Promise<void>;
};
type WebhookDependencies = {
    db: Database;
    clock: Clock;
    jobs: Pick<Jobs, "view">;
    outbound: Outbound;
    /** Secrets are derived from it. */
    masterSecret: string;
    log: Pick<FastifyBaseLogger, "warn" | "error">;
};
export declare function createWebhooks(use: WebhookDependencies): Webhooks;
export {};
