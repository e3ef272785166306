import { creditsPerFile, DomainError, keepsFormat, limits, type TaskOptions } from "@tintype/contract";
import { refuseUnread, sniffBytes, sniffFormat } from "@tintype/imaging";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../../http/caller.ts";
import {
  announcedBytes,
  isPicture,
  type SpooledForm,
  type SpooledPicture,
  type SpoolOptions,
  spoolForm,
} from "../../../http/upload.ts";
import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/id.ts";
import { fingerprintOf, readIdempotencyKey } from "../../credits/idempotency.ts";
import { outputField } from "../deliver/outputs.ts";
import type { Jobs } from "../jobs.ts";
import { arrivalBytes } from "../limits/admission.ts";
import type { PreviewAllowance } from "../limits/preview-allowance.ts";
import type { NewJob } from "../queue/begin.ts";
import { failureEnding, type Input, type NewFile, testStep } from "../record/job.ts";
import type { FailedFetch } from "./fetch-pictures.ts";
import type { AskedStep, KeptPicture, Order } from "./order.ts";
import {
  checkOutwardUrls,
  type JobWebhooks,
  receiveUrls,
  refuseUrls,
  type UrlUse,
  webhookField,
  writeAlongside,
} from "./url-input.ts";

export type SubmitDependencies = {
  jobs: Jobs;
  blobs: Blobs;
  previews: PreviewAllowance;
  /** Undefined if the operator does not allow it. */
  urls: UrlUse | undefined;
  webhooks: JobWebhooks | undefined;
  /** A keyed hash of the caller's network. */
  networkOf(address: string): string;
  countBytesIn(bytes: number): void;
};

/** `outputUrl`: where the result is sent instead of the response. */
export type ReceivedJob = NewJob & { outputUrl?: string };

type OrderOfCaller = {
  order: Order;
  caller: Caller;
  waited: boolean;
  signal: AbortSignal;
  dependencies: SubmitDependencies;
};

/**
 * Spools a form, detects its files' formats, parses its options and builds a job from it. Nothing is charged yet.
 * @throws what `admit` and `spoolForm` throw, no-files, invalid-request, cannot-process; then nothing is kept
 */
export async function receiveJob(request: FastifyRequest, ordered: OrderOfCaller): Promise<ReceivedJob> {
  const submission = openSubmission(request, ordered);
  const { id, order, caller, waited, dependencies } = submission;
  request.log = request.log.child({ job: id });
  if (!order.readForm && !request.isMultipart()) throw new DomainError("unsupported-media-type");
  // Counts the first file before its bytes arrive. The number of the others is known only afterwards.
  await countPreviews(submission, 1);
  const announced = announcedBytes(request, submission.spooling.limits);
  await reserveUpload(submission, announced);
  try {
    const form = await readForm(request, { submission, announced });
    const stored = await order.storedOf?.(form.fields, form.files);
    requirePictures(form, { stored, noFiles: order.noFiles });
    refuseUrls(form, dependencies);
    const { [outputField]: outputUrl, [webhookField]: webhookUrl, ...fields } = filledIn(form.fields);
    const addresses = { outputUrl, webhookUrl, caller, waited };
    checkOutwardUrls(addresses);
    const steps = await order.stepsOf(fields);
    const received = await receivePictures(form, { submission, log: request.log });
    const files = stored ? [stored.file] : received.filter(isPicture).map((one) => inspectPicture(one, steps));
    await countPreviews(submission, files.length - 1);
    const job = {
      ...jobOf(submission, { steps, received, stored }),
      inputs: [...inputsOf(order, form.files), ...(stored?.inputs ?? [])],
      files,
      requestId: request.id,
    };
    const alongside = order.alongside
      ? (tx: Transaction) => order.alongside?.(tx, submission.network) ?? Promise.resolve()
      : order.isCharged
        ? writeAlongside(dependencies, { ...addresses, jobId: id })
        : undefined;
    return { ...job, ...(alongside ? { alongside } : {}), ...(outputUrl === undefined ? {} : { outputUrl }) };
  } catch (problem) {
    await dependencies.jobs.drop(id);
    throw problem;
  }
}

type Submission = ReturnType<typeof openSubmission>;

/** Under which id and limits a request is received. */
function openSubmission(request: FastifyRequest, ordered: OrderOfCaller) {
  const { order, caller, dependencies } = ordered;
  const id = newId("job");
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  const tierLimits = limits[caller.tier];
  const isTest = caller.mode === "test";
  const isCharged = order.isCharged && !isTest;
  const network = caller.kind === "guest" ? caller.network : dependencies.networkOf(request.ip);
  const queue =
    isCharged && caller.kind === "person" ? { key: caller.key, isShared: false } : { key: network, isShared: true };
  return {
    ...ordered,
    id,
    key,
    isTest,
    isCharged,
    network,
    /** A paid plan shares no limits with its network. */
    sharedNetwork: caller.tier === "guest" || caller.tier === "hobby" ? network : null,
    queue,
    spooling: {
      blobs: dependencies.blobs,
      jobId: id,
      limits: tierLimits,
      hash: key !== undefined || isCharged,
      headBytes: sniffBytes,
    },
  };
}

async function countPreviews({ order, caller, network, dependencies }: Submission, files: number): Promise<void> {
  if (order.isPreview) await dependencies.previews.take({ caller: caller.key, network, files });
}

function reserveUpload(submission: Submission, announced: number | undefined): Promise<void> {
  const { id, key, order, caller, network, sharedNetwork, queue, spooling } = submission;
  return submission.dependencies.jobs.admit({
    jobId: id,
    queue,
    network,
    holder: caller.kind === "guest" ? network : caller.key,
    limits: spooling.limits,
    announcedBytes: announced,
    payer: submission.isCharged ? caller : undefined,
    idempotencyKey: key,
    worker: { owner: caller.key, network: sharedNetwork },
    ...(order.isBackground ? { isBackground: true } : {}),
  });
}

/** Reads the form, and reserves storage as its bytes arrive. */
function readForm(
  request: FastifyRequest,
  { submission, announced = arrivalBytes }: { submission: Submission; announced: number | undefined },
): Promise<SpooledForm> {
  const { id, order, spooling, dependencies } = submission;
  // `admit` has reserved the first step.
  let roomBytes = Math.min(announced, arrivalBytes);
  let arrivedBytes = 0;
  const options: SpoolOptions = {
    ...spooling,
    known: { ...order.known, auxiliary: (order.auxiliaryFiles ?? []).map(({ field }) => field) },
    async onArrival(bytes) {
      arrivedBytes += bytes;
      for (; arrivedBytes > roomBytes; roomBytes += arrivalBytes)
        await dependencies.jobs.admitBytes(id, arrivalBytes, spooling.limits);
    },
  };
  return (order.readForm ?? spoolForm)(request, options);
}

/** @throws no-files; invalid-request when both pictures and a kept one are sent */
function requirePictures(
  { urls, files }: SpooledForm,
  { stored, noFiles }: { stored: KeptPicture | undefined; noFiles: string },
): void {
  const hasPictures = files.some(isPicture);
  if (!stored && urls.length === 0 && !hasPictures)
    throw new DomainError("no-files", { field: "files", detail: noFiles });
  if (stored && hasPictures)
    throw new DomainError("invalid-request", {
      field: "files",
      detail: "Send an image or name the job that keeps one, not both.",
    });
}

/** The pictures of the form, and those that it names by address. */
async function receivePictures(
  form: SpooledForm,
  { submission, log }: { submission: Submission; log: FastifyRequest["log"] },
): Promise<(SpooledPicture | FailedFetch)[]> {
  const { key, caller, queue, signal, spooling, dependencies } = submission;
  const { jobs, urls } = dependencies;
  const fetching = { ...spooling, caller, signal, jobs, idempotencyKey: key, countedFor: queue.key, log };
  const fetched = urls ? await receiveUrls(form, urls, fetching) : [];
  const received = [...form.files, ...fetched];
  dependencies.countBytesIn(received.reduce((sum, one) => sum + ("problem" in one ? 0 : one.sizeBytes), 0));
  return received;
}

type RequestContent = {
  steps: readonly [AskedStep, ...AskedStep[]];
  received: readonly (SpooledPicture | FailedFetch)[];
  stored: KeptPicture | undefined;
};

function jobOf(submission: Submission, content: RequestContent) {
  const { id, key, caller, queue, sharedNetwork, waited, isTest } = submission;
  const { steps } = content;
  return {
    id,
    holder: caller,
    queue,
    network: sharedNetwork,
    waited,
    creditsPerFile: isTest ? 0 : creditsPerFile(steps),
    steps: [...steps, ...(isTest ? [testStep] : [])] as NewJob["steps"], // its first is the order's first
    ...(key === undefined
      ? {}
      : { idempotency: { owner: caller.key, key, fingerprint: fingerprintFor(content, { isTest }) } }),
  };
}

/** HTML forms send empty fields as blanks. */
const filledIn = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isAddressField(name) || value.trim() !== ""));
const isAddressField = (name: string) => name === outputField || name === webhookField;

/** The fingerprint of one step. It must not change, or keys in use would no longer match. */
function fingerprintFor({ steps, received, stored }: RequestContent, { isTest }: { isTest: boolean }): string {
  const [{ operation, options }] = steps;
  const requested = steps.length === 1 ? { task: operation, options } : { steps };
  // By content, also for fetched pictures: another picture at the same address makes another request.
  const files = [
    ...received.map((one) => [one.field, one.name, "problem" in one ? "missed" : one.sha256]),
    ...(stored ? [["stored", stored.file.name, stored.file.input]] : []),
  ];
  return fingerprintOf({ ...requested, files, ...(isTest ? { isTest } : {}) });
}

/** @throws invalid-request when the field of an auxiliary file has more than one */
function inputsOf({ auxiliaryFiles = [] }: Order, files: readonly SpooledPicture[]): Input[] {
  return auxiliaryFiles.flatMap(({ field, role }) => {
    const sent = files.filter((file) => file.field === field);
    if (sent.length > 1)
      throw new DomainError("invalid-request", { field, detail: `Send one image in the field ${field}.` });
    return sent.map(({ blob }) => ({ role, blob }));
  });
}

/** Decides from a file's first bytes, before anything is charged. */
function inspectPicture(picture: SpooledPicture | FailedFetch, steps: readonly AskedStep[]): NewFile {
  if ("problem" in picture)
    return { name: picture.name, sizeBytes: 0, input: "", ending: failureEnding(picture.problem) };
  const { blob, name, sizeBytes, head } = picture;
  const format = sizeBytes === 0 ? undefined : sniffFormat(head);
  const file: NewFile = {
    name,
    sizeBytes,
    input: blob,
    ...(format ? { format } : {}),
    ...(picture.sha256 === undefined ? {} : { sha256: picture.sha256 }),
  };
  if (!format) return { ...file, ending: failureEnding(refuseUnread(head)) };
  const [step] = steps;
  const isKept =
    steps.length === 1 && step?.operation === "convert" && keepsFormat(step.options as TaskOptions<"convert">, format); // by the operation
  return isKept ? { ...file, isFree: true } : file;
}
