import { retry } from "@tintype/client/core";
import { type Api, sentenceOf } from "@tintype/contract/api";
import { upload } from "../../../lib/api/upload.ts";
import { waitForRetry } from "../../../lib/api/wait-for-retry.ts";

/** Attempts after the first one. */
const maxRetries = 5;

export type SendOptions = {
  api: Api;
  /** Below `/api`. */
  path: string;
  files: readonly File[];
  /** Files among the fields are sent along but not processed. */
  fields: Record<string, string | File>;
  /** The same for every attempt, so that a batch whose response was lost is neither processed nor charged twice. */
  idempotencyKey: string;
  onProgress(sentBytes: number, totalBytes: number): void;
  /** `isNews`: this is the first failure, or the previous attempt failed for another reason. */
  onDelay(delay: { reason: string; waitSeconds: number; isNews: boolean }): void;
  signal: AbortSignal;
};

/** The server's answer: a job, or a message that there is nothing to do. */
export type SendOutcome = { kind: "job"; jobId: string } | { kind: "nothing-to-do"; message: string };

/**
 * Sends a batch. Retries when the server is full or the connection breaks.
 * @throws ApiProblem, ConnectionLost
 */
export function sendPictures(options: SendOptions): Promise<SendOutcome> {
  const { signal, onDelay } = options;
  let lastReason = "";
  const reportDelay = (problem: unknown, delayMs: number) => {
    const reason = sentenceOf(problem);
    onDelay({ reason, waitSeconds: Math.ceil(delayMs / 1000), isNews: reason !== lastReason });
    lastReason = reason;
  };
  return retry(() => sendOnce(options), waitForRetry({ retries: maxRetries, signal, onDelay: reportDelay }));
}

async function sendOnce({
  api,
  path,
  files,
  fields,
  idempotencyKey,
  onProgress,
  signal,
}: SendOptions): Promise<SendOutcome> {
  const form = new FormData();
  // Text fields first, so that the server can reject them before it has read a picture.
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
  const response: { message?: string } = JSON.parse(body); // docs/product.md: the only other answer is a JSON message
  return { kind: "nothing-to-do", message: response.message ?? "" };
}
