import { manifestOf, type TaskName } from "@tintype/contract";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import { type KnownFields } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { NewJob } from "../jobs/begin.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { PreviewAllowance } from "./preview-allowance.ts";
import { type UrlUse } from "./url-input.ts";
export type Submitting = {
    jobs: Jobs;
    blobs: Blobs;
    previews: PreviewAllowance;
    /** Undefined where the operator does not allow addresses. */
    urls: UrlUse | undefined;
    /** A keyed hash of the caller's network. */
    networkOf(address: string): string;
    countBytesIn(bytes: number): void;
};
/** `outputUrl`: where the result goes in place of the answer. */
export type Received = NewJob & {
    outputUrl?: string;
};
type AskedStep = {
    operation: TaskName;
    options: object;
};
/** The wish of a form. */
export type Order = {
    known: KnownFields;
    /** The sentence for a form without a picture. */
    noFiles: string;
    isCharged: boolean;
    isPreview?: boolean;
    secondPicture?: ReturnType<typeof manifestOf>["secondPicture"];
    /** The steps for each file. @throws invalid-request and more for fields that are wrong */
    stepsOf(fields: Record<string, string>): Promise<readonly [AskedStep, ...AskedStep[]]>;
};
/** Text fields with addresses, which every form of a task that costs credits has. */
export declare const addressFields: readonly ["image_url", "output_url", "webhook_url"];
/** One task of the contract, by its own form. */
export declare function orderOf(task: TaskName): Order;
/**
 * Takes in a form and makes a job of it: spooled, looked at, its options parsed; nothing is charged yet.
 * @throws what `admit` and `spoolForm` throw, no-files, invalid-request, cannot-process; then nothing is kept
 */
export declare function receiveJob(request: FastifyRequest, { order, caller, waited, signal, use, }: {
    order: Order;
    caller: Caller;
    waited: boolean;
    signal: AbortSignal;
    use: Submitting;
}): Promise<Received>;
export {};
