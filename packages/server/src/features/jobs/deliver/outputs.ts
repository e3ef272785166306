import { DomainError, type Reason } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../../../platform/clock.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createOutbox } from "../../../platform/outbox.ts";
import type { RetryPolicy } from "../../../platform/retry-policy.ts";
import { type JobRecord, succeeded } from "../record/job.ts";
import { type DueOutput, insertOutput, reserveOutput, settleOutput } from "./output-rows.ts";
import { type DeliveryDependencies, wholeResult } from "./result.ts";

/** The form field with the address that the result is sent to. */
export const outputField = "output_url";

/** Sends results to an address from the caller, such as a presigned URL of their own store. */
export type Outputs = {
  /** Records the address in the transaction that creates the job. The sweep then sends the result. */
  keep(tx: Queryable, output: { jobId: string; url: string }): Promise<void>;
  /** Sends the whole result of a finished job now, for a caller who waits. */
  send(record: JobRecord, url: string): Promise<SendOutcome>;
  /** Sends what is due. Every API process runs it each second. */
  sendDue(): Promise<void>;
  close(): Promise<void>;
};

/**
 * `hasBegun`: bytes of the result were sent to the address, which may have received them all, whatever its response. They
 * are not refunded: otherwise an address that responds 500 would get every result free.
 */
type SendOutcome = { headers: Record<string, string> } | { problem: DomainError; hasBegun: boolean };

type OutputDependencies = DeliveryDependencies & {
  db: Database;
  clock: Clock;
  outbound: Outbound;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
};

/** Enough for a large result over a slow connection. If the process dies meanwhile, another sends it again after `reservationMs`. */
const sendTimeoutMs = 120_000;
const reservationMs = 150_000;
/** Results are kept for 12 minutes. */
const retries: RetryPolicy = { delaysMs: [5_000, 30_000, 120_000] };

export function createOutputs(dependencies: OutputDependencies): Outputs {
  const { db, clock, outbound, jobs, blobs, archiveName, countBytesOut, log } = dependencies;

  const send: Outputs["send"] = async (record, url) => {
    const { headers, sizeBytes, ...result } = wholeResult(record, { blobs, archiveName });
    const stream = await result.open();
    const type = headers["content-type"] ?? "application/octet-stream";
    try {
      const response = await outbound.send(url, {
        method: "PUT",
        headers: { "content-type": type, "content-length": String(sizeBytes) },
        body: stream,
        timeoutMs: sendTimeoutMs,
      });
      response.body.on("error", () => {}).destroy();
      if (response.status < 200 || response.status > 299)
        throw new DomainError("url-refused", { reason: { code: "output-status", status: response.status } });
    } catch (problem) {
      stream.on("error", () => {}).destroy();
      const cause = problem instanceof DomainError ? problem.cause : problem;
      const hasBegun = stream.readableDidRead;
      // The catalogue's sentence is about addresses that are fetched.
      const known =
        problem instanceof DomainError && problem.reason.code !== "url-refused" ? problem.reason : undefined;
      const reason: Reason = hasBegun
        ? { code: "output-not-taken", jobId: record.id, ...(known ? { reason: known } : {}) }
        : (known ?? { code: "output-not-sent" });
      return { problem: new DomainError("url-refused", { field: outputField, reason, cause }), hasBegun };
    }
    countBytesOut(sizeBytes);
    await jobs.endDelivery(record);
    return { headers };
  };

  const due = createOutbox<DueOutput>({
    reserve: (busy) => reserveOutput(db, { now: clock.now(), reservationMs, busy }),
    ownerOf: (row) => row.queue_key,
    async send({ job_id: jobId, url }) {
      const record = await jobs.beginDelivery(jobId);
      if (record.state !== "done" || record.removedAt || !record.files.some(succeeded))
        return { refused: "There is no result to send." };
      const sent = await send(record, url);
      if ("problem" in sent) throw sent.problem;
      return "sent";
    },
    settle: ({ job_id: jobId }, settlement) => settleOutput(db, jobId, settlement),
    retries,
    clock,
    log,
    what: "an output",
    describe: ({ job_id: job, request_id: reqId }) => ({ job, ...(reqId === null ? {} : { reqId }) }),
  });
  return {
    keep: (tx, output) => insertOutput(tx, { ...output, dueAt: clock.now() }),
    send,
    sendDue: due.sendDue,
    close: due.close,
  };
}
