import {
  creditsPerFile,
  DomainError,
  type InputFormat,
  limits,
  manifestOf,
  manualProfile,
  type OperationManifest,
  type TaskName,
  taskOptions,
  text,
} from "@tintype/contract";
import { sniffBytes, sniffFormat } from "@tintype/imaging";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import { announcedBytes, extraField, type KnownFields, type Spooled, spoolForm } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { newId } from "../../platform/id.ts";
import { fingerprintOf, readIdempotencyKey } from "../credits/idempotency.ts";
import type { NewJob } from "../jobs/begin.ts";
import { failureEnding, type Input, type NewFile, testStep } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";

export type Submitting = {
  jobs: Jobs;
  blobs: Blobs;
  /** A keyed hash of the caller's network. */
  networkOf(address: string): string;
  countBytesIn(bytes: number): void;
};

type AskedStep = { operation: TaskName; options: object };

/** What a form asks for. */
export type Order = {
  known: KnownFields;
  /** The sentence for a form without a picture. */
  noFiles: string;
  isCharged: boolean;
  secondPicture?: OperationManifest["secondPicture"];
  /** What is done to each file. @throws invalid-request and more for fields that are wrong */
  stepsOf(fields: Record<string, string>): Promise<readonly [AskedStep, ...AskedStep[]]>;
};

/** One task of the contract, by its own form. */
export function orderOf(task: TaskName): Order {
  const { fields, secondPicture, noFiles, creditsPerFile: price } = manifestOf(task);
  return {
    known: { texts: Object.keys(fields), files: ["files", ...(secondPicture ? [secondPicture.field] : [])] },
    noFiles,
    isCharged: price > 0,
    secondPicture,
    async stepsOf(sent) {
      const options = taskOptions[task].parse(sent);
      refuseManualProfile(options);
      return [{ operation: task, options }];
    },
  };
}

/**
 * Takes in a form and makes a job of it: spooled, looked at, its options parsed; nothing is charged yet.
 * @throws what `admit` and `spoolForm` throw, no-files, invalid-request, cannot-process; then nothing is kept
 */
export async function receiveJob(
  request: FastifyRequest,
  { order, caller, waited, use }: { order: Order; caller: Caller; waited: boolean; use: Submitting },
): Promise<NewJob> {
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  const id = newId("job");
  const tierLimits = limits[caller.tier];
  const isTest = caller.mode === "test";
  const isCharged = order.isCharged && !isTest;
  const network = caller.kind === "guest" ? caller.network : use.networkOf(request.ip);
  const line =
    isCharged && caller.kind === "person" ? { key: caller.key, isShared: false } : { key: network, isShared: true };
  if (!request.isMultipart()) throw new DomainError("unsupported-media-type");
  const announced = announcedBytes(request, tierLimits);
  // Whoever repeats a request that was charged needs no credit for it.
  const payer = isCharged && key === undefined ? caller : undefined;
  await use.jobs.admit({ jobId: id, line, network, limits: tierLimits, announcedBytes: announced, payer });
  try {
    const form = await spoolForm(request, {
      blobs: use.blobs,
      jobId: id,
      limits: tierLimits,
      known: order.known,
      hash: key !== undefined,
      headBytes: sniffBytes,
    });
    const pictures = form.files.filter(({ field }) => field !== extraField);
    if (pictures.length === 0) throw new DomainError("no-files", { field: "files", detail: order.noFiles });
    const inputs = inputsOf(order, form.files);
    const steps = await order.stepsOf(form.fields);
    use.countBytesIn(form.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    const files = pictures.map((picture) => look(picture, steps));
    const sent = form.files.map(({ field, name, sha256 }) => [field, name, sha256]);
    return {
      ...{ id, holder: caller, line, inputs, files, waited },
      creditsPerFile: isTest ? 0 : creditsPerFile(steps),
      steps: [...steps, ...(isTest ? [testStep] : [])] as NewJob["steps"], // its first is the order's first
      ...(key === undefined
        ? {}
        : { idempotency: { owner: caller.key, key, fingerprint: fingerprintFor({ steps, sent, isTest }) } }),
    };
  } catch (problem) {
    await use.jobs.drop(id);
    throw problem;
  }
}

type Asked = { steps: readonly [AskedStep, ...AskedStep[]]; sent: unknown; isTest: boolean };

/** One step stands as it did before there were several: a key that was used then means the same now. */
function fingerprintFor({ steps, sent, isTest }: Asked): string {
  const [{ operation, options }] = steps;
  const wish = steps.length === 1 ? { task: operation, options } : { steps };
  return fingerprintOf({ ...wish, files: sent, ...(isTest ? { isTest } : {}) });
}

/**
 * Pictures that are not to be worked on themselves.
 * @throws invalid-request where there is more than one
 */
function inputsOf({ secondPicture }: Order, files: readonly Spooled[]): Input[] {
  const extras = files.filter(({ field }) => field === extraField);
  if (extras.length > 1)
    throw new DomainError("invalid-request", {
      field: extraField,
      detail: `Send one picture in the field ${extraField}.`,
    });
  return extras.flatMap(({ blob }) => (secondPicture ? [{ role: secondPicture.role, blob }] : []));
}

function refuseManualProfile(options: object): void {
  if ("profile" in options && options.profile === manualProfile)
    throw new DomainError("cannot-process", {
      detail: "The Manual Studio profile is coming soon. Choose another profile.",
    });
}

/** What its first bytes tell of a file is settled here, before it costs anything. */
function look({ blob, name, sizeBytes, head }: Spooled, steps: readonly AskedStep[]): NewFile {
  const format = sizeBytes === 0 ? undefined : sniffFormat(head);
  const file: NewFile = { name, sizeBytes, input: blob, ...(format ? { format } : {}) };
  if (!format) {
    const detail = sizeBytes === 0 ? "The file is empty." : undefined;
    return { ...file, ending: failureEnding(new DomainError("not-an-image", { detail })) };
  }
  const options = steps.length === 1 ? (steps[0]?.options ?? {}) : {};
  if ("target_format" in options && options.target_format === (format satisfies InputFormat))
    return { ...file, ending: { state: "unchanged", notes: [], reason: text.sameFormat } };
  return file;
}
