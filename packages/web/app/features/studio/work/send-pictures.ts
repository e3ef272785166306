import { retry } from "@tintype/client/core";
import { type Api, sentenceOf } from "@tintype/contract/api";
import { upload } from "../../../lib/api/upload.ts";
import { waitForRetry } from "../../../lib/api/wait-for-retry.ts";

/** Tries after the first one. */
const maxRetries = 5;

export type Sending = {
  api: Api;
  /** Below `/api`. */
  path: string;
  files: readonly File[];
  /** Files among them go along and are not worked on. */
  fields: Record<string, string | File>;
  /** The same for every try: a batch whose answer got lost is neither worked on nor charged twice. */
  idempotencyKey: string;
  onProgress(sentBytes: number, totalBytes: number): void;
  /** `isNews`: the attempt before it failed for another reason, or there was none. */
  onDelay(delay: { reason: string; waitSeconds: number; isNews: boolean }): void;
  signal: AbortSignal;
};

/** The server's answer: a job that works on them, or the message that there is nothing to do. */
export type Sent = { kind: "job"; jobId: string } | { kind: "nothing-to-do"; message: string };

/**
 * Sends a batch; tries again by itself where the server is full or the connection broke.
 * @throws ApiProblem, ConnectionLost
 */
export function sendPictures(sending: Sending): Promise<Sent> {
  const { signal, onDelay } = sending;
  let lastReason = "";
  const tell = (problem: unknown, delayMs: number) => {
    const reason = sentenceOf(problem);
    onDelay({ reason, waitSeconds: Math.ceil(delayMs / 1000), isNews: reason !== lastReason });
    lastReason = reason;
  };
  return retry(() => sendOnce(sending), waitForRetry({ retries: maxRetries, signal, onDelay: tell }));
}

async function sendOnce({ api, path, files, fields, idempotencyKey, onProgress, signal }: Sending): Promise<Sent> {
  const form = new FormData();
  // Texts first: the server can refuse by them before it has read a picture.
  for (const [name, value] of Object.entries(fields))
    if (typeof value === "string" && value !== "") form.append(name, value);
  for (const file of files) form.append("files", file, file.name);
  for (const [name, value] of Object.entries(fields)) if (typeof value !== "string") form.append(name, value);
  const { location, body } = await upload(api, {
    path,
    form,
    headers: { prefer: "respond-async", "idempotency-key": idempotencyKey },
    onProgress,
    signal,
  });
  const jobId = location?.split("/").at(-1);
  if (jobId) return { kind: "job", jobId };
  const answer: { message?: string } = JSON.parse(body); // docs/product.md: the one other answer is a JSON message
  return { kind: "nothing-to-do", message: answer.message ?? "" };
}
