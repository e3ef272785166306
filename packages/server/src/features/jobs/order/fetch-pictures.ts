import { Readable } from "node:stream";
import { DomainError, type Limits } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import { cleanName, type SpooledPicture, urlField } from "../../../http/upload.ts";
import type { Blobs, StoreOptions } from "../../../platform/blobs/blobs.ts";
import { messageOf } from "../../../platform/log.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";

/** A picture that could not be fetched. Only its file fails. */
export type FailedFetch = { field: typeof urlField; name: string; problem: DomainError };

export type FetchOptions = {
  outbound: Outbound;
  blobs: Blobs;
  jobId: string;
  limits: Limits;
  /** The number of the first blob. */
  firstBlob: number;
  /** Reserves storage for this many bytes. @throws full */
  makeRoom(bytes: number): Promise<void>;
  signal: AbortSignal;
  log: Pick<FastifyBaseLogger, "info">;
} & Omit<StoreOptions, "limitBytes">;

/** Concurrent fetches: a batch must not open two hundred connections to one server. */
const maxConcurrent = 6;
const maxRedirects = 3;

/**
 * Fetches pictures into a job's blobs, in the order of their addresses.
 * @throws full, cancelled, unavailable; errors of a single address or picture are returned
 */
export async function fetchPictures(
  urls: readonly string[],
  fetching: FetchOptions,
): Promise<(SpooledPicture | FailedFetch)[]> {
  const fetched: (SpooledPicture | FailedFetch)[] = [];
  const waiting = urls.entries();
  const work = async () => {
    // All workers share one iterator.
    for (const [index, url] of waiting) fetched[index] = await fetchPicture(url, fetching.firstBlob + index, fetching);
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, urls.length) }, work));
  return fetched;
}

async function fetchPicture(
  url: string,
  blobNumber: number,
  fetching: FetchOptions,
): Promise<SpooledPicture | FailedFetch> {
  const { outbound, blobs, jobId, limits, makeRoom, signal, log, ...keep } = fetching;
  const [name, blob] = [nameOfUrl(url), `in-${blobNumber}`];
  const limitBytes = limits.megabytesPerFile * 1e6;
  try {
    const { status, headers, body } = await outbound.send(url, { method: "GET", maxRedirects, signal });
    try {
      if (status !== 200) throw notServed(status);
      const announced = Number(headers["content-length"] ?? Number.NaN);
      if (announced > limitBytes) throw tooLarge(limits);
      await makeRoom(Number.isSafeInteger(announced) ? announced : limitBytes);
      const stream = Readable.from(limitBody(body, { limits, signal }));
      const stored = await blobs.write({ jobId, name: blob }, stream, { ...keep, limitBytes });
      return { blob, name, field: urlField, ...stored };
    } finally {
      body.on("error", () => {}).destroy();
    }
  } catch (problem) {
    if (!(problem instanceof DomainError && isOfPicture(problem))) throw problem;
    const { code, cause } = problem;
    log.info({ job: jobId, code, cause: cause === undefined ? undefined : messageOf(cause) }, "cannot fetch an image");
    return { field: urlField, name, problem };
  }
}

const isOfPicture = ({ code }: DomainError) =>
  code === "url-refused" || code === "url-unavailable" || code === "too-large";

/** Statuses worth a retry. */
const retryableStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Only servers that we may reach get to respond with a status. */
const notServed = (status: number) =>
  new DomainError(retryableStatuses.has(status) ? "url-unavailable" : "url-refused", {
    reason: { code: "url-without-image", status },
  });

/** Streams a body up to the plan's limit, and aborts a server that sends more. */
async function* limitBody(body: Readable, { limits, signal }: { limits: Limits; signal: AbortSignal }) {
  let sizeBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.megabytesPerFile * 1e6) throw tooLarge(limits);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    if (signal.aborted) throw new DomainError("cancelled", { cause });
    const isLate = cause instanceof DOMException && cause.name === "TimeoutError";
    throw new DomainError("url-unavailable", { ...(isLate ? {} : { reason: { code: "url-cut-off" } }), cause });
  }
}

const tooLarge = ({ megabytesPerFile }: Limits) =>
  new DomainError("too-large", {
    reason: { code: "url-image-too-large", megabytes: megabytesPerFile },
  });

/** The last segment of the path. A query may contain a signature and is not part of a name. */
function nameOfUrl(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  try {
    return cleanName(decodeURIComponent(path));
  } catch {
    return cleanName(path);
  }
}
