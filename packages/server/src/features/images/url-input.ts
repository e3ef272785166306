import { DomainError, type Limits } from "@tintype/contract";
import type { Caller } from "../../http/caller.ts";
import { type Form, type Spooled, urlField } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { fetchPictures, type Missed } from "./fetch-pictures.ts";
import { type Outputs, outputField } from "./outputs.ts";

/** What works with addresses that callers name; there where the operator allows it. */
export type UrlUse = { outbound: Outbound; outputs: Outputs; rateLimits: RateLimits };

/** In a minute a caller has this many times their batch fetched: a call of a few bytes else moves gigabytes. */
const batchesPerMinute = 2;
const minuteMs = 60_000;

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
};

/** On a server that takes no addresses. @throws invalid-request where there is one */
export function refuseUrls(form: Form): void {
  const field = form.urls.length > 0 ? urlField : form.fields[outputField] ? outputField : undefined;
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
  await jobs.requireCredits(caller, { files: urls.length, idempotencyKey });
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
