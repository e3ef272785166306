import { DomainError, type Limits } from "@tintype/contract";
import { outwardUrl, webhookUrl } from "@tintype/contract/schemas";
import type { Caller } from "../../http/caller.ts";
import { type Form, isExtra, type Spooled, urlField } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
import type { NewJob } from "../jobs/begin.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { type FetchLog, fetchPictures, type Missed } from "./fetch-pictures.ts";
import { type Outputs, outputField } from "./outputs.ts";

/** The parts that work with addresses of callers; undefined if the operator allows none. */
export type UrlUse = { outbound: Outbound; outputs: Outputs; webhooks: Webhooks; rateLimits: RateLimits };

/** The form's field with the address that is told of the job's end. */
export const webhookField = "webhook_url";

const textFields = [outputField, webhookField] as const;

/** In a minute a caller has this many times their batch fetched: a call of a few bytes else moves gigabytes. */
const batchesPerMinute = 2;
const minuteMs = 60_000;

type Receiving = {
  caller: Caller;
  /** The holder that the fetches are counted for: the caller, or a guest's network. */
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
export function refuseUrls(form: Form): void {
  const [field] = [...(form.urls.length > 0 ? [urlField] : []), ...textFields.filter((name) => form.fields[name])];
  if (field === undefined) return;
  throw new DomainError("invalid-request", {
    field,
    detail: `This server takes no addresses: ${field} is switched off (TINTYPE_URL_INPUT). Send the picture itself.`,
  });
}

/**
 * Fetches the pictures that a form names by address. Looks before whether the caller can pay for the whole form.
 * @throws too-many-requests, out-of-credits, network-allowance, full, cancelled
 */
export async function receiveUrls(
  form: Form,
  { outbound, rateLimits }: UrlUse,
  { caller, countedFor, limits, jobId, idempotencyKey, signal, jobs, blobs, ...keep }: Receiving,
): Promise<(Spooled | Missed)[]> {
  const { urls, files } = form;
  if (urls.length === 0) return [];
  const pictures = urls.length + files.filter((file) => !isExtra(file)).length;
  await jobs.requireCredits(caller, { files: pictures, idempotencyKey });
  const rule = { limit: batchesPerMinute * limits.filesPerBatch, windowMs: minuteMs, calls: urls.length };
  const { isAllowed, retryAfterSeconds } = await rateLimits.take(`urls:${countedFor}`, rule);
  if (!isAllowed)
    throw new DomainError("too-many-requests", {
      detail: `The server fetches ${rule.limit} pictures a minute for you. Please wait a moment.`,
      retryAfterSeconds,
    });
  return fetchPictures(urls, {
    ...{ outbound, blobs, jobId, limits, signal, ...keep },
    firstBlob: files.length,
    makeRoom: (bytes) => jobs.admitBytes(jobId, bytes),
  });
}

type Told = { outputUrl: string | undefined; webhookUrl: string | undefined; caller: Caller; waited: boolean };

/** @throws invalid-request where an address cannot be sent to, whatever listens there */
export function checkOutwardUrls({ outputUrl, webhookUrl: url, caller, waited }: Told): void {
  if (outputUrl !== undefined) parseUrl(outwardUrl, { field: outputField, url: outputUrl });
  if (url === undefined) return;
  const refuse = (detail: string) => {
    throw new DomainError("invalid-request", { field: webhookField, detail });
  };
  if (caller.kind === "guest") refuse("Guests have no webhooks. Sign in, or use an API key.");
  if (waited) refuse("A webhook tells of a job that is not waited for: send Prefer: respond-async.");
  parseUrl(webhookUrl, { field: webhookField, url });
}

function parseUrl(schema: typeof outwardUrl, { field, url }: { field: string; url: string }): void {
  const [issue] = schema.safeParse(url).error?.issues ?? [];
  if (issue) throw new DomainError("invalid-request", { field, detail: issue.message });
}

/** Writes, with a job that is not waited for, the address of its result and the webhooks to tell of its end. */
export function writeAlongside(
  { outputs, webhooks }: UrlUse,
  { outputUrl, webhookUrl, caller, waited, jobId }: Told & { jobId: string },
): NewJob["alongside"] | undefined {
  if (waited) return undefined;
  return async (tx) => {
    if (outputUrl !== undefined) await outputs.keep(tx, { jobId, url: outputUrl });
    if (caller.kind === "person") await webhooks.keep(tx, { jobId, accountId: caller.accountId, url: webhookUrl });
  };
}
