import { DomainError } from "@tintype/contract";
import { outwardUrl, webhookUrl } from "@tintype/contract/schemas";
import type { Caller } from "../../../http/caller.ts";
import { isPicture, type SpooledForm, type SpooledPicture, urlField } from "../../../http/upload.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { RateLimits } from "../../../platform/rate-limits/rate-limits.ts";
import { type Outputs, outputField } from "../deliver/outputs.ts";
import type { Jobs } from "../jobs.ts";
import type { NewJob } from "../queue/begin.ts";
import { type FailedFetch, type FetchOptions, fetchPictures } from "./fetch-pictures.ts";

/** What is needed to fetch pictures from addresses and send results to them. */
export type UrlUse = { outbound: Outbound; outputs: Outputs; rateLimits: RateLimits };

/** The webhooks that are sent when a job ends. */
export type JobWebhooks = {
  /** Records the deliveries in the transaction that creates the job: to the account's endpoints, and to `url`. */
  keep(tx: Queryable, job: { jobId: string; accountId: string; url: string | undefined }): Promise<void>;
};

/** The form field with the address of a webhook for the job's end. */
export const webhookField = "webhook_url";

/** Amplification limit, in full batches per caller and minute: a call of a few bytes can move gigabytes. */
const batchesPerMinute = 2;
const minuteMs = 60_000;

type ReceiveUrlsOptions = Pick<FetchOptions, "limits" | "jobId" | "signal" | "blobs" | "log"> & {
  caller: Caller;
  /** Whose fetches are counted: the caller's, or a guest's network's. */
  countedFor: string;
  hash: boolean;
  headBytes: number;
  idempotencyKey: string | undefined;
  jobs: Jobs;
};

type AllowedUrls = { urls: UrlUse | undefined; webhooks: JobWebhooks | undefined };

/** @throws invalid-request for an address in a field that this server does not accept */
export function refuseUrls({ fields, urls: pictures }: SpooledForm, { urls, webhooks }: AllowedUrls): void {
  const refuse = (field: string, { detail, setting }: { detail: string; setting: string }) => {
    // The setting is only logged: callers cannot change it.
    throw new DomainError("invalid-request", { field, detail, cause: `${setting} is off` });
  };
  if (!urls && pictures.length > 0)
    refuse(urlField, {
      detail: "This server does not fetch images. Send the image itself in the field files.",
      setting: "TINTYPE_URL_INPUT",
    });
  if (!urls && fields[outputField])
    refuse(outputField, {
      detail: "This server does not send results to URLs. Leave out output_url: the response is the result.",
      setting: "TINTYPE_URL_INPUT",
    });
  if (!webhooks && fields[webhookField])
    refuse(webhookField, {
      detail: "Webhooks are switched off on this server. Leave out webhook_url and follow the job's events.",
      setting: "TINTYPE_WEBHOOKS",
    });
}

/**
 * Fetches the pictures that a form names by address, after checking that the caller can pay for the whole form.
 * @throws too-many-requests, out-of-credits, network-allowance, full, cancelled
 */
export async function receiveUrls(
  form: SpooledForm,
  { outbound, rateLimits }: UrlUse,
  { caller, countedFor, limits, jobId, idempotencyKey, signal, jobs, blobs, ...keep }: ReceiveUrlsOptions,
): Promise<(SpooledPicture | FailedFetch)[]> {
  const { urls, files } = form;
  if (urls.length === 0) return [];
  const pictures = urls.length + files.filter(isPicture).length;
  await jobs.requireCredits(caller, { files: pictures, idempotencyKey });
  const rule = { limit: batchesPerMinute * limits.filesPerBatch, windowMs: minuteMs, calls: urls.length };
  const { isAllowed, retryAfterSeconds } = await rateLimits.take(`urls:${countedFor}`, rule);
  if (!isAllowed)
    throw new DomainError("too-many-requests", {
      detail: `You can have ${rule.limit} images fetched per minute. Please wait a moment.`,
      retryAfterSeconds,
    });
  return fetchPictures(urls, {
    outbound,
    blobs,
    jobId,
    limits,
    signal,
    ...keep,
    firstBlob: files.length,
    makeRoom: (bytes) => jobs.admitBytes(jobId, bytes, limits),
  });
}

type OutwardAddresses = {
  outputUrl: string | undefined;
  webhookUrl: string | undefined;
  caller: Caller;
  waited: boolean;
};

/** @throws invalid-request when an address can never be sent to, whatever listens there */
export function checkOutwardUrls({ outputUrl, webhookUrl: url, caller, waited }: OutwardAddresses): void {
  if (outputUrl !== undefined) parseUrl(outwardUrl, { field: outputField, url: outputUrl });
  if (url === undefined) return;
  const refuse = (detail: string) => {
    throw new DomainError("invalid-request", { field: webhookField, detail });
  };
  if (caller.kind === "guest") refuse("Webhooks need an account. Sign in, or use an API key.");
  if (waited) refuse("A webhook needs an asynchronous job: send Prefer: respond-async.");
  parseUrl(webhookUrl, { field: webhookField, url });
}

function parseUrl(schema: typeof outwardUrl, { field, url }: { field: string; url: string }): void {
  const [issue] = schema.safeParse(url).error?.issues ?? [];
  if (issue) throw new DomainError("invalid-request", { field, detail: issue.message });
}

/** Records, with an asynchronous job, the address of its result and the webhooks for its end. */
export function writeAlongside(
  { urls, webhooks }: AllowedUrls,
  { outputUrl, webhookUrl, caller, waited, jobId }: OutwardAddresses & { jobId: string },
): NewJob["alongside"] | undefined {
  if (waited || !(urls || webhooks)) return undefined;
  return async (tx) => {
    if (outputUrl !== undefined) await urls?.outputs.keep(tx, { jobId, url: outputUrl });
    if (caller.kind === "person") await webhooks?.keep(tx, { jobId, accountId: caller.accountId, url: webhookUrl });
  };
}
