import { Readable } from "node:stream";
import { DomainError, text } from "@tintype/contract";
import type { FastifyReply } from "fastify";
import { readRange } from "../../../http/range.ts";
import type { ByteRange } from "../../../platform/blobs/blobs.ts";
import { creditsShown, type JobCost } from "../../credits/allowance.ts";
import { type FileRecord, failureOf, isWaiting, type JobRecord, type KeptCutOut, succeeded } from "../record/job.ts";
import type { Deliveries, DeliveryScope } from "./delivery.ts";
import type { Outputs } from "./outputs.ts";
import { type DeliveryDependencies, failureOfAll, fileResult, type Result, wholeResult } from "./result.ts";

/**
 * Sends a finished job's whole result: the picture for one file, a ZIP for more, or the message that there was nothing to
 * convert, unless the caller wants a picture or a file's name has the extension of another format. The pictures are deleted once it is sent, but not after a `range` that is not
 * all of it. `id` must name an ended job of the caller.
 * @throws the file's own error for one file, nothing-succeeded for more, cancelled, gone
 */
export async function sendResult(id: string, context: AnswerContext): Promise<FastifyReply> {
  const { reply, range, dependencies } = context;
  const record = await beginWhole(id, context);
  if (isMessage(record, context)) {
    await dependencies.jobs.endDelivery(record);
    return reply.code(200).send({ message: text.sameFormat });
  }
  if (record.removedAt) throw new DomainError("gone");
  return sendStarted(wholeResult(record, dependencies), { record, range, reply, dependencies });
}

/**
 * The headers of what `sendResult` sends, for a HEAD. No delivery begins, and nothing is opened.
 * @throws what `sendResult` throws
 */
export function describeResult(record: JobRecord, context: AnswerContext): FastifyReply {
  requireResult(record, context);
  if (isMessage(record, context)) return context.reply.code(200).send({ message: text.sameFormat });
  if (record.removedAt) throw new DomainError("gone");
  return sendHeaders(wholeResult(record, context.dependencies), context.reply);
}

const isMessage = ({ files }: JobRecord, { wantsPicture }: AnswerContext) =>
  !wantsPicture && files.every(({ state, result }) => state === "unchanged" && !result?.renamed);

/**
 * The bytes that a GET of a whole result asks for, or undefined for all: of a ZIP there are no parts. It is read before the
 * delivery begins, since a refusal is not a delivery.
 * @throws range-not-satisfiable
 */
export function rangeOfResult(record: JobRecord, reply: FastifyReply): ByteRange | undefined {
  return record.files.length === 1 ? rangeOfFile(record, { index: 0, reply }) : undefined;
}

/** The same for one file's result. A file that has none is refused by `sendFile`. @throws range-not-satisfiable */
export function rangeOfFile(
  { files, removedAt }: JobRecord,
  { index, reply }: { index: number; reply: FastifyReply },
): ByteRange | undefined {
  const result = files[index]?.result;
  return result && !removedAt ? readRange(reply, result.sizeBytes) : undefined;
}

/**
 * Sends a finished job's whole result to the caller's address, and responds without a body.
 * @throws url-refused, and what `sendResult` throws
 */
export async function sendToOutputUrl(
  id: string,
  { outputUrl, outputs, ...context }: AnswerContext & { outputUrl: string; outputs: Outputs },
): Promise<FastifyReply> {
  const { reply, dependencies } = context;
  const record = await beginWhole(id, context, { isToAddress: true });
  if (record.removedAt) throw new DomainError("gone");
  const sent = await outputs.send(record, outputUrl);
  if ("problem" in sent) {
    if (sent.hasBegun) {
      await dependencies.jobs.keepSent(id);
      reply.header("location", `/api/jobs/${id}`);
    } else addCreditHeaders(await dependencies.jobs.endUnsent(id, sent.problem), context);
    throw sent.problem;
  }
  for (const name of ["x-report", "x-confidence", "x-incomplete", "x-likeness"]) {
    const value = sent.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  return reply.code(204).send();
}

type AnswerContext = {
  reply: FastifyReply;
  credits?: (record: JobRecord) => JobCost | undefined;
  dependencies: DeliveryDependencies;
  /** `Prefer: return=representation`. */
  wantsPicture?: boolean;
  /** The part that a GET asks for. */
  range?: ByteRange | undefined;
};

/** Marks the whole result as being delivered, and adds the credit headers. */
async function beginWhole(id: string, context: AnswerContext, scope: DeliveryScope = {}): Promise<JobRecord> {
  const record = await context.dependencies.jobs.beginDelivery(id, scope);
  requireResult(record, context);
  return record;
}

function requireResult(record: JobRecord, context: AnswerContext): void {
  addCreditHeaders(record, context);
  if (record.state === "cancelled") throw new DomainError("cancelled");
  if (!record.files.some(succeeded)) throw failureOfAll(record.files);
}

function addCreditHeaders(record: JobRecord, { reply, credits }: AnswerContext): void {
  const cost = credits?.(record);
  if (cost) reply.headers(creditHeaders(cost));
}

type FileContext = { index: number; reply: FastifyReply; dependencies: DeliveryDependencies };

/** Sends the result of one file of a caller's job. @throws the file's error, job-not-finished, gone */
export async function sendFile(
  id: string,
  { index, range, reply, dependencies }: FileContext & { range?: ByteRange | undefined },
): Promise<FastifyReply> {
  if (!Number.isSafeInteger(index) || index < 0 || index > maxIndex) throw new DomainError("not-found");
  const record = await dependencies.jobs.beginDelivery(id, { indexes: [index] });
  const result = fileResult(record, requireFile(record, index), dependencies);
  return sendStarted(result, { record, indexes: [index], range, reply, dependencies });
}

/**
 * The headers of what `sendFile` sends, for a HEAD. No delivery begins, and nothing is opened.
 * @throws what `sendFile` throws
 */
export function describeFile(record: JobRecord, { index, reply, dependencies }: FileContext): FastifyReply {
  return sendHeaders(fileResult(record, requireFile(record, index), dependencies), reply);
}

function requireFile(record: JobRecord, index: number): FileRecord {
  const file = record.files[index];
  if (!file) throw new DomainError("not-found");
  if (isWaiting(file)) throw new DomainError("job-not-finished", { retryAfterSeconds: 1 });
  if (!succeeded(file)) throw failureOf(file);
  if (record.state === "cancelled") throw new DomainError("cancelled");
  if (record.removedAt) throw new DomainError("gone");
  return file;
}

/**
 * Sends the thumbnails of a cut-out's candidates, which does not count as delivery. `record` must be a job of the caller.
 * @throws what an edit of the file throws; cannot-process when there is only one
 */
export async function sendSheet(
  record: JobRecord,
  { index, reply, dependencies }: { index: string; reply: FastifyReply; dependencies: DeliveryDependencies },
): Promise<FastifyReply> {
  const { kept } = keptFile(record, index);
  if (!kept.candidates) throw new DomainError("cannot-process", { detail: "This cut-out has no other candidate." });
  const stream = await dependencies.blobs.read({ jobId: record.id, name: kept.candidates.sheet });
  return reply.header("content-type", "image/png").send(stream);
}

/** A cut-out that its job keeps for edits. */
export type KeptFile = Pick<FileRecord, "name" | "sizeBytes"> & { kept: KeptCutOut; candidates: number };

/** @throws not-found, job-not-finished, the file's own error, gone */
export function keptFile(record: JobRecord, index: string): KeptFile {
  const file = /^[0-9]{1,6}$/.test(index) ? record.files[Number(index)] : undefined;
  if (!file) throw new DomainError("not-found");
  if (isWaiting(file)) throw new DomainError("job-not-finished", { retryAfterSeconds: 1 });
  if (file.state === "failed" || file.state === "cancelled") throw failureOf(file);
  const { result } = file;
  if (!result?.kept)
    throw new DomainError("cannot-process", {
      detail: "Only a cut-out that was made with editable can be edited. Run remove-background again.",
    });
  if (record.removedAt || record.state === "cancelled")
    throw new DomainError("gone", {
      detail: "The free edits of this cut-out have expired. Remove the background again.",
    });
  const candidates = result.candidates?.length ?? 1;
  return { name: file.name, sizeBytes: file.sizeBytes, kept: result.kept, candidates };
}

/** Far above any plan's batch size. */
const maxIndex = 100_000;

type DeliveryOf = {
  record: Pick<JobRecord, "id" | "steps" | "waited">;
  /** Default: all. */
  indexes?: readonly number[];
  reply: FastifyReply;
  jobs: Pick<Deliveries, "endDelivery" | "noteDelivered">;
};

/**
 * The stream of a result, whose delivery is recorded: before the last bytes, so that a process that dies after them has not
 * worked for nothing, and once they are flushed to the connection, which deletes what was delivered. Nothing is recorded if
 * the caller hangs up earlier.
 */
export function recordDelivery(stream: Readable, { record, indexes, reply, jobs }: DeliveryOf): Readable {
  reply.raw.once("finish", () => {
    jobs
      .endDelivery(record, indexes)
      .catch((problem: unknown) => reply.log.error({ err: problem }, "cannot delete a delivered job"));
  });
  if (!record.waited) return stream;
  return Readable.from(
    withLastAfter(stream, () => jobs.noteDelivered(record, indexes)),
    { objectMode: false },
  );
}

/** The chunks of a stream, the last one after `beforeLast`. */
async function* withLastAfter(stream: Readable, beforeLast: () => Promise<void>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (held) yield held;
    held = chunk;
  }
  await beforeLast();
  if (held) yield held;
}

type Sending = Omit<DeliveryOf, "jobs"> & { range: ByteRange | undefined; dependencies: DeliveryDependencies };

/**
 * Sends a result whose delivery has begun. A part does not end it: the result stays for the other parts until it expires,
 * and is paid for.
 */
async function sendStarted(
  result: Result,
  { range, dependencies, reply, ...delivery }: Sending,
): Promise<FastifyReply> {
  const { stream, sentBytes, isWhole } = await openForReply(result, { range, reply });
  dependencies.countBytesOut(sentBytes);
  return reply
    .headers(result.headers)
    .send(isWhole ? recordDelivery(stream, { ...delivery, reply, jobs: dependencies.jobs }) : stream);
}

/** Opens a result or a part of it, and sets the status and the headers about its bytes. */
export async function openForReply(
  result: Result,
  { range, reply }: { range: ByteRange | undefined; reply: FastifyReply },
): Promise<{ stream: Readable; sentBytes: number; isWhole: boolean }> {
  const { sizeBytes } = result;
  if (!range || !result.openRange) {
    const stream = await result.open();
    reply.headers({ "content-length": sizeBytes, ...rangesHeader(result, reply) });
    return { stream, sentBytes: sizeBytes, isWhole: true };
  }
  const { first, last } = range;
  const stream = await result.openRange(range);
  const sentBytes = last - first + 1;
  reply.code(206).headers({
    "content-length": sentBytes,
    "content-range": `bytes ${first}-${last}/${sizeBytes}`,
    ...rangesHeader(result, reply),
  });
  return { stream, sentBytes, isWhole: sentBytes === sizeBytes };
}

const sendHeaders = (result: Result, reply: FastifyReply): FastifyReply =>
  reply.headers({ ...result.headers, "content-length": result.sizeBytes, ...rangesHeader(result, reply) }).send();

/** Whether the address sends parts. The address of a POST does not. */
export const rangesHeader = ({ openRange }: Result, { request }: FastifyReply): Record<string, string> =>
  request.method === "POST" ? {} : { "accept-ranges": openRange ? "bytes" : "none" };

export function creditHeaders(cost: JobCost): Record<string, number> {
  const shown = creditsShown(cost);
  if (!shown) return {};
  return {
    "x-credits-charged": shown.charged,
    "x-credits-remaining": shown.remaining,
    "x-credits-limit": shown.limit,
  };
}
