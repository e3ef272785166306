import { type Limits } from "@tintype/contract";
import type { Caller } from "../../http/caller.ts";
import { type Form, type Spooled } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
import type { NewJob } from "../jobs/begin.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { type FetchLog, type Missed } from "./fetch-pictures.ts";
import { type Outputs } from "./outputs.ts";
/** The parts that work with addresses of callers; undefined if the operator allows none. */
export type UrlUse = {
    outbound: Outbound;
    outputs: Outputs;
    webhooks: Webhooks;
    rateLimits: RateLimits;
};
/** The form's field with the address that is told of the job's end. */
export declare const webhookField = "webhook_url";
type Receiving = {
    caller: Caller;
    /** Whom the fetches are counted for: the caller, or a guest's network. */
    countedFor: string;
    limits: Limits;
    jobId: string;
    hash: boolean;
    headBytes: number;
    idempotencyKey: string | undefined;
    signal: AbortSignal;
    jobs: Jobs;
    blobs: Blobs;
    log: FetchLog;
};
/** On a server that takes no addresses. @throws invalid-request where there is one */
export declare function refuseUrls(form: Form): void;
/**
 * Fetches the pictures that a form names by address. Looks before whether the caller can pay for the whole form.
 * @throws too-many-requests, out-of-credits, network-allowance, full, cancelled
 */
export declare function receiveUrls(form: Form, { outbound, rateLimits }: UrlUse, { caller, countedFor, limits, jobId, idempotencyKey, signal, jobs, blobs, ...keep }: Receiving): Promise<(Spooled | Missed)[]>;
type Told = {
    outputUrl: string | undefined;
    webhookUrl: string | undefined;
    caller: Caller;
    waited: boolean;
};
/** @throws invalid-request where a `webhook_url` cannot be told */
export declare function checkWebhookUrl({ webhookUrl, caller, waited }: Omit<Told, "outputUrl">): void;
/** Writes, with a job that is not waited for, the address of its result and the webhooks to tell of its end. */
export declare function writeAlongside({ outputs, webhooks }: UrlUse, { outputUrl, webhookUrl, caller, waited, jobId }: Told & {
    jobId: string;
}): NewJob["alongside"] | undefined;
export {};
