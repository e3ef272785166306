import {
  costsCredits,
  DomainError,
  type InputFormat,
  limits,
  manifestOf,
  manualProfile,
  type TaskName,
  taskOptions,
  tasks,
  text,
} from "@tintype/contract";
import { sniffBytes, sniffFormat } from "@tintype/imaging";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import { announcedBytes, extraField, type Spooled, spoolForm } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { newId } from "../../platform/id.ts";
import { fingerprintOf, readIdempotencyKey } from "../credits/idempotency.ts";
import type { NewJob } from "../jobs/begin.ts";
import { failureEnding, type Input, type NewFile } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { PreviewAllowance } from "./preview-allowance.ts";

export type Submitting = {
  jobs: Jobs;
  blobs: Blobs;
  previews: PreviewAllowance;
  /** A keyed hash of the caller's network. */
  networkOf(address: string): string;
  countBytesIn(bytes: number): void;
};

/**
 * Takes in a form and makes a job of it: spooled, looked at, its options parsed; nothing is charged yet.
 * @throws what `admit` and `spoolForm` throw, no-files, invalid-request, cannot-process; then nothing is kept
 */
export async function receiveJob(
  request: FastifyRequest,
  { task, caller, waited, use }: { task: TaskName; caller: Caller; waited: boolean; use: Submitting },
): Promise<NewJob> {
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  const id = newId("job");
  const tierLimits = limits[caller.tier];
  const isCharged = costsCredits(task);
  const network = caller.kind === "guest" ? caller.network : use.networkOf(request.ip);
  const line =
    isCharged && caller.kind === "person" ? { key: caller.key, isShared: false } : { key: network, isShared: true };
  if (!request.isMultipart()) throw new DomainError("unsupported-media-type");
  const countPreviews = async (files: number) => {
    if (task === "preview") await use.previews.take({ caller: caller.key, network, files });
  };
  // The first file before its bytes come; how many more there are is known after them.
  await countPreviews(1);
  const announced = announcedBytes(request, tierLimits);
  await use.jobs.admit({
    ...{ jobId: id, line, network, limits: tierLimits, announcedBytes: announced },
    ...{ payer: isCharged ? caller : undefined, idempotencyKey: key },
  });
  try {
    const form = await spoolForm(request, {
      blobs: use.blobs,
      jobId: id,
      limits: tierLimits,
      hash: key !== undefined,
      headBytes: sniffBytes,
    });
    const pictures = form.files.filter(({ field }) => field !== extraField);
    if (pictures.length === 0) throw new DomainError("no-files", { detail: tasks[task].noFiles });
    const inputs = inputsOf(task, form.files);
    const options = taskOptions[task].parse(form.fields);
    refuseManualProfile(options);
    use.countBytesIn(form.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    await countPreviews(pictures.length - 1);
    const files = pictures.map((picture) => look(picture, options));
    const sent = form.files.map(({ field, name, sha256 }) => [field, name, sha256]);
    const fingerprint = fingerprintOf({ task, options, files: sent });
    return {
      ...{ id, holder: caller, line, steps: [{ operation: task, options }], inputs, files, waited },
      ...(key === undefined ? {} : { idempotency: { owner: caller.key, key, fingerprint } }),
    };
  } catch (problem) {
    await use.jobs.drop(id);
    throw problem;
  }
}

/**
 * Pictures that are not to be worked on themselves.
 * @throws invalid-request where the task takes none, or there is more than one
 */
function inputsOf(task: TaskName, files: readonly Spooled[]): Input[] {
  const extras = files.filter(({ field }) => field === extraField);
  const { secondPicture } = manifestOf(task);
  if (extras.length > 0 && secondPicture?.field !== extraField)
    throw new DomainError("invalid-request", { detail: `This takes no picture in the field ${extraField}.` });
  if (extras.length > 1)
    throw new DomainError("invalid-request", { detail: `Send one picture in the field ${extraField}.` });
  return extras.flatMap(({ blob }) => (secondPicture ? [{ role: secondPicture.role, blob }] : []));
}

function refuseManualProfile(options: object): void {
  if ("profile" in options && options.profile === manualProfile)
    throw new DomainError("cannot-process", {
      detail: "The Manual Studio profile is coming soon. Choose another profile.",
    });
}

/** What its first bytes tell of a file is settled here, before it costs anything. */
function look({ blob, name, sizeBytes, head }: Spooled, options: object): NewFile {
  const format = sizeBytes === 0 ? undefined : sniffFormat(head);
  const file: NewFile = { name, sizeBytes, input: blob, ...(format ? { format } : {}) };
  if (!format) {
    const detail = sizeBytes === 0 ? "The file is empty." : undefined;
    return { ...file, ending: failureEnding(new DomainError("not-an-image", { detail })) };
  }
  if ("target_format" in options && options.target_format === (format satisfies InputFormat))
    return { ...file, ending: { state: "unchanged", notes: [], reason: text.sameFormat } };
  return file;
}
