import {
  type Credits,
  creditsPerFile,
  DomainError,
  keepsFormat,
  limits,
  manifestOf,
  manualComesLater,
  manualProfile,
  type TaskName,
  type TaskOptions,
} from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import { refuseUnread, sniffBytes, sniffFormat } from "@tintype/imaging";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../../http/caller.ts";
import {
  announcedBytes,
  isExtra,
  type KnownFields,
  type SpooledForm,
  type SpooledPicture,
  type SpoolOptions,
  spoolForm,
  urlField,
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
import { failureEnding, type Input, type JobRecord, type NewFile, testStep } from "../record/job.ts";
import type { FailedFetch } from "./fetch-pictures.ts";
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

type AskedStep = { operation: TaskName; options: object };

/** How a form becomes a request. */
export type Order = {
  known: KnownFields;
  /** The error text for a form without a picture. */
  noFiles: string;
  isCharged: boolean;
  isPreview?: boolean;
  /** Sent by the studio without a click: leaves half of the free engine time to other work. */
  isBackground?: true;
  /** Auxiliary pictures, by their fields. */
  extras?: Readonly<Record<string, Input["role"]>>;
  /** The picture to work on, if an earlier job keeps it. @throws not-found, gone and more */
  storedOf?(fields: Record<string, string>, files: readonly SpooledPicture[]): Promise<KeptPicture | undefined>;
  /** Reads a body that is not our form. @throws what `spoolForm` throws */
  readForm?(request: FastifyRequest, spooling: SpoolOptions): Promise<SpooledForm>;
  /** Responds in a shape of its own once the job has ended with a result. */
  respond?(record: JobRecord, answered: { reply: FastifyReply; credits: Credits | undefined }): Promise<FastifyReply>;
  /** The result is kept after the response, until it expires. */
  isKept?: true;
  /** Writes the job's related rows in the transaction that creates it. */
  alongside?(tx: Transaction, network: string): Promise<void>;
  /** The steps for each file. @throws invalid-request and more for invalid fields */
  stepsOf(fields: Record<string, string>): Promise<readonly [AskedStep, ...AskedStep[]]>;
};

/** A picture that an earlier job keeps, with its related blobs. */
export type KeptPicture = { file: NewFile; inputs: Input[] };

/** Text fields with addresses, in every form of a task that costs credits. An upload has only the first. */
export const addressFields = [urlField, outputField, webhookField] as const;

/** One task of the contract, with its own form. */
export function orderOf(task: TaskName): Order {
  const { fields, noFiles, creditsPerFile: price } = manifestOf(task);
  const extras = extrasOf(task);
  return {
    known: {
      texts: [...Object.keys(fields), ...(price > 0 ? addressFields : task === "upload" ? [urlField] : [])],
      files: ["files", ...Object.keys(extras)],
    },
    noFiles,
    isCharged: price > 0,
    extras,
    async stepsOf(sent) {
      const options = taskOptions[task].parse(sent);
      refuseManualProfile(options);
      return [{ operation: task, options }];
    },
  };
}

/** The fields of a task's auxiliary pictures, with their roles. */
export function extrasOf(task: TaskName): Record<string, Input["role"]> {
  const { secondPicture, editedMatte } = manifestOf(task);
  return {
    ...(secondPicture ? { [secondPicture.field]: secondPicture.role } : {}),
    ...(editedMatte ? { [editedMatte.field]: "matte" } : {}),
  };
}

/**
 * Spools a form, detects its files' formats, parses its options and builds a job from it. Nothing is charged yet.
 * @throws what `admit` and `spoolForm` throw, no-files, invalid-request, cannot-process; then nothing is kept
 */
export async function receiveJob(
  request: FastifyRequest,
  {
    order,
    caller,
    waited,
    signal,
    dependencies,
  }: { order: Order; caller: Caller; waited: boolean; signal: AbortSignal; dependencies: SubmitDependencies },
): Promise<ReceivedJob> {
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  const id = newId("job");
  request.log = request.log.child({ job: id });
  const tierLimits = limits[caller.tier];
  const isTest = caller.mode === "test";
  const isCharged = order.isCharged && !isTest;
  const network = caller.kind === "guest" ? caller.network : dependencies.networkOf(request.ip);
  const queue =
    isCharged && caller.kind === "person" ? { key: caller.key, isShared: false } : { key: network, isShared: true };
  if (!order.readForm && !request.isMultipart()) throw new DomainError("unsupported-media-type");
  const countPreviews = async (files: number) => {
    if (order.isPreview) await dependencies.previews.take({ caller: caller.key, network, files });
  };
  // Counts the first file before its bytes arrive. The number of the others is known only afterwards.
  await countPreviews(1);
  const announced = announcedBytes(request, tierLimits);
  // A paid plan shares no limits with its network.
  const sharedNetwork = caller.tier === "guest" || caller.tier === "hobby" ? network : null;
  const holder = caller.kind === "guest" ? network : caller.key;
  await dependencies.jobs.admit({
    jobId: id,
    queue,
    network,
    holder,
    limits: tierLimits,
    announcedBytes: announced,
    payer: isCharged ? caller : undefined,
    idempotencyKey: key,
    worker: { owner: caller.key, network: sharedNetwork },
    ...(order.isBackground ? { isBackground: true } : {}),
  });
  try {
    const keep = {
      blobs: dependencies.blobs,
      jobId: id,
      limits: tierLimits,
      hash: key !== undefined,
      headBytes: sniffBytes,
    };
    // `admit` has reserved the first step.
    let roomBytes = Math.min(announced ?? arrivalBytes, arrivalBytes);
    let arrivedBytes = 0;
    const form = await (order.readForm ?? spoolForm)(request, {
      ...keep,
      known: order.known,
      async onArrival(bytes) {
        arrivedBytes += bytes;
        for (; arrivedBytes > roomBytes; roomBytes += arrivalBytes)
          await dependencies.jobs.admitBytes(id, arrivalBytes, tierLimits);
      },
    });
    const stored = await order.storedOf?.(form.fields, form.files);
    if (!stored && form.urls.length === 0 && form.files.every(isExtra))
      throw new DomainError("no-files", { field: "files", detail: order.noFiles });
    if (stored && !form.files.every(isExtra))
      throw new DomainError("invalid-request", {
        field: "files",
        detail: "Send an image or name the job that keeps one, not both.",
      });
    refuseUrls(form, dependencies);
    const { [outputField]: outputUrl, [webhookField]: webhookUrl, ...fields } = filledIn(form.fields);
    const addresses = { outputUrl, webhookUrl, caller, waited };
    checkOutwardUrls(addresses);
    const steps = await order.stepsOf(fields);
    const fetching = {
      ...keep,
      caller,
      signal,
      jobs: dependencies.jobs,
      idempotencyKey: key,
      countedFor: queue.key,
      log: request.log,
    };
    const fetched = dependencies.urls ? await receiveUrls(form, dependencies.urls, fetching) : [];
    const received = [...form.files, ...fetched];
    const pictures = received.filter((file) => !isExtra(file));
    const inputs = [...inputsOf(order, form.files), ...(stored?.inputs ?? [])];
    dependencies.countBytesIn(received.reduce((sum, one) => sum + ("problem" in one ? 0 : one.sizeBytes), 0));
    const files = stored ? [stored.file] : pictures.map((picture) => look(picture, steps));
    await countPreviews(files.length - 1);
    // By content, also for fetched pictures: another picture at the same address makes another request.
    const sent = [
      ...received.map((one) => [one.field, one.name, "problem" in one ? "missed" : one.sha256]),
      ...(stored ? [["stored", stored.file.name, stored.file.input]] : []),
    ];
    const job = {
      id,
      holder: caller,
      queue,
      network: sharedNetwork,
      inputs,
      files,
      waited,
      creditsPerFile: isTest ? 0 : creditsPerFile(steps),
      steps: [...steps, ...(isTest ? [testStep] : [])] as NewJob["steps"], // its first is the order's first
      requestId: request.id,
      ...(key === undefined
        ? {}
        : { idempotency: { owner: caller.key, key, fingerprint: fingerprintFor({ steps, sent, isTest }) } }),
    };
    const alongside = order.alongside
      ? (tx: Transaction) => order.alongside?.(tx, network) ?? Promise.resolve()
      : order.isCharged
        ? writeAlongside(dependencies, { ...addresses, jobId: id })
        : undefined;
    return { ...job, ...(alongside ? { alongside } : {}), ...(outputUrl === undefined ? {} : { outputUrl }) };
  } catch (problem) {
    await dependencies.jobs.drop(id);
    throw problem;
  }
}

/** HTML forms send empty fields as blanks. */
const filledIn = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isAddressField(name) || value.trim() !== ""));
const isAddressField = (name: string) => name === outputField || name === webhookField;

type RequestContent = { steps: readonly [AskedStep, ...AskedStep[]]; sent: unknown; isTest: boolean };

/** The fingerprint of one step. It must not change, or keys in use would no longer match. */
function fingerprintFor({ steps, sent, isTest }: RequestContent): string {
  const [{ operation, options }] = steps;
  const requested = steps.length === 1 ? { task: operation, options } : { steps };
  return fingerprintOf({ ...requested, files: sent, ...(isTest ? { isTest } : {}) });
}

/**
 * Auxiliary pictures, which are not processed themselves.
 * @throws invalid-request when a field has more than one
 */
function inputsOf({ extras = {} }: Order, files: readonly SpooledPicture[]): Input[] {
  return Object.entries(extras).flatMap(([name, role]) => {
    const sent = files.filter(({ field }) => field === name);
    if (sent.length > 1)
      throw new DomainError("invalid-request", { field: name, detail: `Send one image in the field ${name}.` });
    return sent.map(({ blob }) => ({ role, blob }));
  });
}

function refuseManualProfile(options: object): void {
  if ("profile" in options && options.profile === manualProfile)
    throw new DomainError("cannot-process", { field: "profile", detail: manualComesLater });
}

/** Decides from a file's first bytes, before anything is charged. */
function look(picture: SpooledPicture | FailedFetch, steps: readonly AskedStep[]): NewFile {
  if ("problem" in picture)
    return { name: picture.name, sizeBytes: 0, input: "", ending: failureEnding(picture.problem) };
  const { blob, name, sizeBytes, head } = picture;
  const format = sizeBytes === 0 ? undefined : sniffFormat(head);
  const file: NewFile = { name, sizeBytes, input: blob, ...(format ? { format } : {}) };
  if (!format) {
    return { ...file, ending: failureEnding(refuseUnread(head)) };
  }
  const [step] = steps;
  const isKept =
    steps.length === 1 && step?.operation === "convert" && keepsFormat(step.options as TaskOptions<"convert">, format); // by the operation
  return isKept ? { ...file, isFree: true } : file;
}
