import { open, rm, stat } from "node:fs/promises";
import { ModelError } from "./model-error.ts";

type Download = {
  url: string;
  /** The partial file; the download resumes after its last byte. */
  partPath: string;
  signal?: AbortSignal | undefined;
  onBytes?(done: number, total: number | undefined): void;
};

const maxAttempts = 5;
/** An attempt is given up if the server sends nothing for this long. */
const stallTimeoutMs = 30_000;

/**
 * Downloads a URL into `partPath`, resuming an earlier attempt, also of an earlier process. It does not verify the
 * content: the caller checks the checksum and starts over if it differs.
 * @throws ModelError when the address is not allowed, refuses, or keeps disconnecting; the signal's reason when aborted
 */
export async function download(request: Download): Promise<void> {
  checkAddress(request.url);
  let last: unknown;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const before = await sizeOf(request.partPath);
    try {
      return await fetchOnce(request);
    } catch (problem) {
      request.signal?.throwIfAborted();
      if (problem instanceof Refused) throw new ModelError(problem.message);
      last = problem;
      // Only attempts without progress count: a large file over a bad connection arrives in the end.
      if ((await sizeOf(request.partPath)) > before) attempt = -1;
    }
  }
  throw new ModelError(`${request.url} could not be fetched: the connection kept breaking off.`, { cause: last });
}

/** A final response: a retry will not help. */
class Refused extends Error {}

/**
 * Plain HTTP can be tampered with in transit; only this machine is exempt, for operators' own mirrors and for tests.
 */
function checkAddress(address: string): void {
  const { protocol, hostname } = new URL(address);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  if (protocol !== "https:" && !(protocol === "http:" && isLocal))
    throw new ModelError(`A model is fetched over https only, not from ${address}.`);
}

async function fetchOnce({ url, partPath, signal, onBytes }: Download) {
  const stalled = new AbortController();
  const watch = setTimeout(() => stalled.abort(new Error(`silent for ${stallTimeoutMs} ms`)), stallTimeoutMs);
  const have = await sizeOf(partPath);
  try {
    const response = await fetch(url, {
      signal: signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal,
      headers: have > 0 ? { range: `bytes=${have}-` } : {},
    });
    const { start, total } = await startOf(response, { have, partPath });
    if (!response.body) return;
    const file = await open(partPath, start === 0 ? "w" : "r+");
    try {
      let done = start;
      for await (const piece of response.body) {
        await file.write(piece, 0, piece.length, done);
        done += piece.length;
        watch.refresh();
        onBytes?.(done, total);
      }
      await file.sync();
      // Without a content-length, fetch accepts a truncated body as complete; with a known total this detects it.
      if (total !== undefined && done < total) throw new Error(`${done} of ${total} bytes`);
    } finally {
      await file.close();
    }
  } finally {
    clearTimeout(watch);
  }
}

/** The offset of the response's first byte, and the total length. */
async function startOf(response: Response, { have, partPath }: { have: number; partPath: string }) {
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const known = (value: number) => (Number.isFinite(value) ? value : undefined);
  if (response.status === 200) return { start: 0, total: known(length) };
  const range = /^bytes (\d+)-\d+\/(\d+|[*])$/.exec(response.headers.get("content-range") ?? "");
  if (response.status === 206 && Number(range?.[1]) === have) return { start: have, total: known(Number(range?.[2])) };
  await response.body?.cancel();
  // The partial file is as long as the file or longer, or Content-Range is missing: start over without a range.
  if (response.status === 416 || response.status === 206) {
    await rm(partPath, { force: true });
    throw new Error(`status ${response.status} to a request to go on at ${have}`);
  }
  if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`);
  throw new Refused(`${response.url} answers with status ${response.status}.`);
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0;
