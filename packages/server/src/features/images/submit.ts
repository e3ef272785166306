import {
  DomainError,
  type InputFormat,
  limits,
  manualProfile,
  type TaskName,
  taskOptions,
  tasks,
  text,
} from "@tintype/contract";
import { sniffBytes, sniffFormat } from "@tintype/imaging";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import { extraField, type Spooled, spoolForm } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { newId } from "../../platform/id.ts";
import { fingerprintOf, readIdempotencyKey } from "../credits/idempotency.ts";
import { applyFailure, type FileRecord } from "../jobs/job.ts";
import { backgroundOption, type Jobs, type NewJob } from "../jobs/jobs.ts";

export type Submitting = { jobs: Jobs; blobs: Blobs; countBytesIn(bytes: number): void };

/**
 * Takes in a form and makes a job of it: spooled, looked at, its options parsed; nothing is charged yet.
 * @throws what `spoolForm` throws, no-files, invalid-request, cannot-process, full; then nothing is kept
 */
export async function receiveJob(
  request: FastifyRequest,
  { task, caller, waited, use }: { task: TaskName; caller: Caller; waited: boolean; use: Submitting },
): Promise<NewJob> {
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  use.jobs.checkRoom(1);
  const id = newId("job");
  try {
    const form = await spoolForm(request, {
      blobs: use.blobs,
      jobId: id,
      limits: limits[caller.tier],
      hash: key !== undefined,
      headBytes: sniffBytes,
    });
    const pictures = form.files.filter(({ field }) => field !== extraField);
    const extra = form.files.find(({ field }) => field === extraField);
    if (pictures.length === 0) throw new DomainError("no-files", { detail: tasks[task].noFiles });
    const options = taskOptions[task].parse(form.fields);
    refuseManualProfile(options);
    use.countBytesIn(form.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    const files = pictures.map((picture, index) => look(picture, { index, options }));
    const fingerprint = fingerprintOf({ task, options, files: form.files.map(({ name, sha256 }) => [name, sha256]) });
    return {
      id,
      holder: caller,
      operation: task,
      options: extra ? { ...options, [backgroundOption]: extra.blob } : options,
      files,
      waited,
      ...(key === undefined ? {} : { idempotency: { owner: caller.key, key, fingerprint } }),
    };
  } catch (problem) {
    await use.blobs.remove(id);
    throw problem;
  }
}

function refuseManualProfile(options: object): void {
  if ("profile" in options && options.profile === manualProfile)
    throw new DomainError("cannot-process", {
      detail: "The Manual Studio profile is coming soon. Choose another profile.",
    });
}

/** A file's first record. What its first bytes tell is settled here, before it costs anything. */
function look(
  { blob, name, sizeBytes, head }: Spooled,
  { index, options }: { index: number; options: object },
): FileRecord {
  const format = sizeBytes === 0 ? undefined : sniffFormat(head);
  const file: FileRecord = {
    name,
    sizeBytes,
    ...(format ? { format } : {}),
    input: blob,
    output: `out-${index}`,
    state: "waiting",
    progress: 0,
    notes: [],
    delivery: "none",
  };
  if (!format)
    applyFailure(file, new DomainError("not-an-image", { detail: sizeBytes === 0 ? "The file is empty." : undefined }));
  else if ("target_format" in options && options.target_format === (format satisfies InputFormat))
    Object.assign(file, { state: "unchanged", progress: 1, reason: text.sameFormat });
  return file;
}
