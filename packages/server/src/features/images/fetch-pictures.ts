import { Readable } from "node:stream";
import { DomainError, type Limits } from "@tintype/contract";
import { cleanName, type Spooled, urlField } from "../../http/upload.ts";
import type { Blobs, StoreOptions } from "../../platform/blobs/blobs.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";

/** A picture that could not be had: only its file fails. */
export type Missed = { field: typeof urlField; name: string; problem: DomainError };

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
} & Omit<StoreOptions, "limitBytes">;

/** A few at a time: a batch does not open two hundred connections to one server. */
const mostAtATime = 6;
const mostRedirects = 3;

/**
 * Brings pictures from addresses into a job's blobs, in the order of the addresses.
 * @throws full, cancelled, unavailable; what is wrong with one address or its picture is in the answer
 */
export async function fetchPictures(urls: readonly string[], fetching: Fetching): Promise<(Spooled | Missed)[]> {
  const fetched: (Spooled | Missed)[] = [];
  const waiting = urls.entries();
  const work = async () => {
    // All workers share the one iterator.
    for (const [index, url] of waiting) fetched[index] = await fetchPicture(url, fetching.firstBlob + index, fetching);
  };
  await Promise.all(Array.from({ length: Math.min(mostAtATime, urls.length) }, work));
  return fetched;
}

async function fetchPicture(url: string, blobNumber: number, fetching: Fetching): Promise<Spooled | Missed> {
  const { outbound, blobs, jobId, limits, makeRoom, signal, ...keep } = fetching;
  const [name, blob] = [nameIn(url), `in-${blobNumber}`];
  const limitBytes = limits.megabytesPerFile * 1e6;
  try {
    const { status, headers, body } = await outbound.send(url, { method: "GET", maxRedirects: mostRedirects, signal });
    try {
      if (status !== 200) throw new DomainError("url-refused", { cause: `status ${status}` });
      const announced = Number(headers["content-length"] ?? Number.NaN);
      if (announced > limitBytes) throw tooLarge(limits);
      await makeRoom(Number.isSafeInteger(announced) ? announced : limitBytes);
      const stream = Readable.from(within(body, { limits, signal }));
      const stored = await blobs.write({ jobId, name: blob }, stream, { ...keep, limitBytes });
      return { blob, name, field: urlField, ...stored };
    } finally {
      body.on("error", () => {}).destroy();
    }
  } catch (problem) {
    if (problem instanceof DomainError && isOfPicture(problem)) return { field: urlField, name, problem };
    throw problem;
  }
}

const isOfPicture = ({ code }: DomainError) => code === "url-refused" || code === "too-large";

/** Passes a body on up to the plan's limit. An upload is read to its end; a server that sends on without one is cut off. */
async function* within(body: Readable, { limits, signal }: { limits: Limits; signal: AbortSignal }) {
  let sizeBytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.megabytesPerFile * 1e6) throw tooLarge(limits);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError(signal.aborted ? "cancelled" : "url-refused", { cause });
  }
}

const tooLarge = ({ megabytesPerFile }: Limits) =>
  new DomainError("too-large", { detail: `A picture is larger than the ${megabytesPerFile} MB that your plan takes.` });

/** The last part of the path; a query may hold a signature, and is no part of a name. */
function nameIn(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  try {
    return cleanName(decodeURIComponent(path));
  } catch {
    return cleanName(path);
  }
}
