import { Readable } from "node:stream";
import { type Credits, DomainError, formats, productName, text } from "@tintype/contract";
import { makeZip, predictLength } from "client-zip";
import type { FastifyReply } from "fastify";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { type FileRecord, failureOf, isWaiting, type JobRecord, succeeded } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { retrying } from "../jobs/retrying.ts";
import { contentDisposition, uniqueNames } from "./names.ts";
import { headerJson, reportOf, reportRow } from "./report.ts";

export type Delivering = { jobs: Jobs; blobs: Blobs; countBytesOut(bytes: number): void };

/** ZIP's own time format begins here; a fixed one, so that the same request gives the same bytes. */
const zipTime = new Date(Date.UTC(2000, 0, 1));

/**
 * Sends a finished job's whole result: the picture for one file, a ZIP for more, or the message that there was
 * nothing to convert. Once it is out the pictures are deleted. `id` names a job of the caller's that has ended.
 * @throws the file's own error for one file, nothing-succeeded for more, cancelled, gone
 */
export async function sendResult(
  id: string,
  {
    reply,
    credits,
    use,
  }: { reply: FastifyReply; credits?: (record: JobRecord) => Credits | undefined; use: Delivering },
): Promise<FastifyReply> {
  const record = await use.jobs.beginDelivery(id);
  const cost = credits?.(record);
  if (cost)
    reply.headers({
      "x-credits-charged": cost.charged,
      "x-credits-remaining": cost.remaining,
      "x-credits-limit": cost.limit,
    });
  const { files } = record;
  if (record.state === "cancelled") throw new DomainError("cancelled");
  if (!files.some(succeeded)) throw failureOfAll(files);
  if (files.every((file) => file.state === "unchanged")) {
    await use.jobs.endDelivery(id);
    return reply.code(200).send({ message: text.sameFormat });
  }
  if (record.removedAt) throw new DomainError("gone");
  const [only] = files;
  onDelivered(reply, () => use.jobs.endDelivery(id));
  return files.length === 1 && only ? sendPicture(record, { file: only, reply, use }) : sendZip(record, { reply, use });
}

/** Sends one file's result, of a job of the caller's. @throws the file's error, job-not-finished, gone */
export async function sendFile(
  id: string,
  { index, reply, use }: { index: number; reply: FastifyReply; use: Delivering },
): Promise<FastifyReply> {
  if (!Number.isSafeInteger(index) || index < 0 || index > maxIndex) throw new DomainError("not-found");
  const record = await use.jobs.beginDelivery(id, [index]);
  const file = record.files[index];
  if (!file) throw new DomainError("not-found");
  if (isWaiting(file)) throw new DomainError("job-not-finished", { retryAfterSeconds: 1 });
  if (!succeeded(file)) throw failureOf(file);
  if (record.state === "cancelled") throw new DomainError("cancelled");
  if (record.removedAt) throw new DomainError("gone");
  onDelivered(reply, () => use.jobs.endDelivery(id, [index]));
  return sendPicture(record, { file, reply, use });
}

/** Far above any plan's batch. */
const maxIndex = 100_000;

/** Calls back when the last byte has gone to the connection, and not when the caller hung up before. */
function onDelivered(reply: FastifyReply, then: () => Promise<void>): void {
  reply.raw.once("finish", () => {
    then().catch((problem: unknown) => reply.log.error({ err: problem }, "a delivered job was not removed"));
  });
}

function failureOfAll(files: readonly FileRecord[]): DomainError {
  const [first] = files;
  if (files.length === 1 && first) return failureOf(first);
  const reasons = [...new Set(files.map((file) => file.reason ?? ""))];
  const detail =
    reasons.length === 1
      ? reasons[0]
      : files
          .map((file) => `${file.name}: ${file.reason}`)
          .slice(0, 5)
          .join(" ");
  return new DomainError("nothing-succeeded", {
    detail: `None of the ${files.length} pictures could be worked on. ${detail}`,
  });
}

async function sendPicture(
  { id, operation }: JobRecord,
  { file, reply, use }: { file: FileRecord; reply: FastifyReply; use: Delivering },
): Promise<FastifyReply> {
  const { name, sizeBytes, mediaType, blob } = resultOf(file);
  const stream = await use.blobs.read({ jobId: id, name: blob });
  use.countBytesOut(sizeBytes);
  reply.headers({
    "content-type": mediaType,
    "content-length": sizeBytes,
    "content-disposition": contentDisposition(name),
    "x-report": headerJson({ operation, ...reportRow(file) }),
    ...(file.confidence === undefined ? {} : { "x-confidence": file.confidence.toFixed(3) }),
  });
  return reply.send(stream);
}

/** A file that needed no work is its own result. */
function resultOf(file: FileRecord): { name: string; sizeBytes: number; mediaType: string; blob: string } {
  const { result, input, output, name, sizeBytes } = file;
  if (result)
    return {
      name: result.name,
      sizeBytes: result.sizeBytes,
      mediaType: formats[result.format].mediaType,
      blob: output ?? "",
    };
  return {
    name,
    sizeBytes,
    mediaType: file.format ? formats[file.format].mediaType : "application/octet-stream",
    blob: input,
  };
}

async function sendZip(
  record: JobRecord,
  { reply, use }: { reply: FastifyReply; use: Delivering },
): Promise<FastifyReply> {
  const kept = record.files.filter(succeeded).map(resultOf);
  const names = uniqueNames(["report.json", ...kept.map(({ name }) => name)]);
  // A store that does not answer is a refusal before the first byte. Later it is asked again: a ZIP cannot be taken back.
  const first = await use.blobs.read({ jobId: record.id, name: kept[0]?.blob ?? "" });
  const report = Buffer.from(`${JSON.stringify(reportOf(record), null, 2)}\n`);
  const entries = [
    { name: "report.json", size: report.length, open: async () => report },
    ...kept.map(({ blob, sizeBytes }, i) => {
      const open = () => use.blobs.read({ jobId: record.id, name: blob });
      return { name: names[i + 1], size: sizeBytes, open: i === 0 ? async () => first : () => retrying(open) };
    }),
  ];
  const length = Number(predictLength(entries.map(({ name, size }) => ({ name, size, lastModified: zipTime }))));
  use.countBytesOut(length);
  reply.headers({
    "content-type": "application/zip",
    "content-length": length,
    "content-disposition": contentDisposition(`${productName.toLowerCase()}.zip`),
  });
  // Each picture is opened when its turn comes, not two hundred at once.
  const inputs = (async function* () {
    for (const { name, size, open } of entries) yield { name, size, lastModified: zipTime, input: await open() };
  })();
  return reply.send(Readable.fromWeb(makeZip(inputs)));
}
