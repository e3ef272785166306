import {
  creditsPerFile,
  DomainError,
  type InputFormat,
  limits,
  manifestOf,
  manualComesLater,
  manualProfile,
  type TaskName,
} from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import { sniffBytes, sniffFormat } from "@tintype/imaging";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import { announcedBytes, isExtra, type KnownFields, type Spooled, spoolForm, urlField } from "../../http/upload.ts";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { fingerprintOf, readIdempotencyKey } from "../credits/idempotency.ts";
import type { NewJob } from "../jobs/begin.ts";
import { failureEnding, type Input, type NewFile, testStep } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Missed } from "./fetch-pictures.ts";
import { outputField } from "./outputs.ts";
import type { PreviewAllowance } from "./preview-allowance.ts";
import { checkOutwardUrls, receiveUrls, refuseUrls, type UrlUse, webhookField, writeAlongside } from "./url-input.ts";

export type Submitting = {
  jobs: Jobs;
  blobs: Blobs;
  previews: PreviewAllowance;
  /** Undefined where the operator does not allow addresses. */
  urls: UrlUse | undefined;
  /** A keyed hash of the caller's network. */
  networkOf(address: string): string;
  countBytesIn(bytes: number): void;
};

/** `outputUrl`: where the result goes in place of the answer. */
export type Received = NewJob & { outputUrl?: string };

type AskedStep = { operation: TaskName; options: object };

/** The wish of a form. */
export type Order = {
  known: KnownFields;
  /** The sentence for a form without a picture. */
  noFiles: string;
  isCharged: boolean;
  isPreview?: boolean;
  /** Pictures that go along, by their fields. */
  extras?: Readonly<Record<string, Input["role"]>>;
  /** The picture to work on, where an earlier job keeps it. @throws not-found, gone and more */
  storedOf?(fields: Record<string, string>, files: readonly Spooled[]): Promise<Stored | undefined>;
  /** Writes what belongs to the job, in the transaction that begins it. */
  alongside?(tx: Transaction, network: string): Promise<void>;
  /** The steps for each file. @throws invalid-request and more for fields that are wrong */
  stepsOf(fields: Record<string, string>): Promise<readonly [AskedStep, ...AskedStep[]]>;
};

/** A picture that an earlier job keeps, and the blobs that go with it. */
export type Stored = { file: NewFile; inputs: Input[] };

/** Text fields with addresses, which every form of a task that costs credits has. An upload has the first. */
export const addressFields = [urlField, outputField, webhookField] as const;

/** One task of the contract, by its own form. */
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

/** The fields of pictures that go along with a task's picture, and the parts they play. */
export function extrasOf(task: TaskName): Record<string, Input["role"]> {
  const { secondPicture, mendedMatte } = manifestOf(task);
  return {
    ...(secondPicture ? { [secondPicture.field]: secondPicture.role } : {}),
    ...(mendedMatte ? { [mendedMatte.field]: "matte" } : {}),
  };
}

/**
 * Takes in a form and makes a job of it: spooled, looked at, its options parsed; nothing is charged yet.
 * @throws what `admit` and `spoolForm` throw, no-files, invalid-request, cannot-process; then nothing is kept
 */
export async function receiveJob(
  request: FastifyRequest,
  {
    order,
    caller,
    waited,
    signal,
    use,
  }: { order: Order; caller: Caller; waited: boolean; signal: AbortSignal; use: Submitting },
): Promise<Received> {
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  const id = newId("job");
  const tierLimits = limits[caller.tier];
  const isTest = caller.mode === "test";
  const isCharged = order.isCharged && !isTest;
  const network = caller.kind === "guest" ? caller.network : use.networkOf(request.ip);
  const line =
    isCharged && caller.kind === "person" ? { key: caller.key, isShared: false } : { key: network, isShared: true };
  if (!request.isMultipart()) throw new DomainError("unsupported-media-type");
  const countPreviews = async (files: number) => {
    if (order.isPreview) await use.previews.take({ caller: caller.key, network, files });
  };
  // The first file before its bytes come; how many more there are is known after them.
  await countPreviews(1);
  const announced = announcedBytes(request, tierLimits);
  await use.jobs.admit({
    ...{ jobId: id, line, network, limits: tierLimits, announcedBytes: announced },
    ...{ payer: isCharged ? caller : undefined, idempotencyKey: key },
  });
  try {
    const keep = { blobs: use.blobs, jobId: id, limits: tierLimits, hash: key !== undefined, headBytes: sniffBytes };
    const pictureBytes = tierLimits.megabytesPerFile * 1e6;
    // `admit` has made room for one picture of an upload that announces no length.
    const makeRoom = announced === undefined ? () => use.jobs.admitBytes(id, pictureBytes) : undefined;
    const form = await spoolForm(request, { ...keep, known: order.known, makeRoom });
    const stored = await order.storedOf?.(form.fields, form.files);
    if (!stored && form.urls.length === 0 && form.files.every(isExtra))
      throw new DomainError("no-files", { field: "files", detail: order.noFiles });
    if (stored && !form.files.every(isExtra))
      throw new DomainError("invalid-request", {
        field: "files",
        detail: "Send a picture or name the job that keeps one, not both.",
      });
    if (!use.urls) refuseUrls(form);
    const { [outputField]: outputUrl, [webhookField]: webhookUrl, ...fields } = filledIn(form.fields);
    const told = { outputUrl, webhookUrl, caller, waited };
    checkOutwardUrls(told);
    const steps = await order.stepsOf(fields);
    const fetching = {
      ...{ ...keep, caller, signal, jobs: use.jobs, idempotencyKey: key },
      ...{ countedFor: line.key, log: request.log },
    };
    const fetched = use.urls ? await receiveUrls(form, use.urls, fetching) : [];
    const received = [...form.files, ...fetched];
    const pictures = received.filter((file) => !isExtra(file));
    const inputs = [...inputsOf(order, form.files), ...(stored?.inputs ?? [])];
    use.countBytesIn(received.reduce((sum, one) => sum + ("problem" in one ? 0 : one.sizeBytes), 0));
    const files = stored ? [stored.file] : pictures.map((picture) => look(picture, steps));
    await countPreviews(files.length - 1);
    // By content, also what was fetched: another picture at the same address is another request.
    const sent = received.map((one) => [one.field, one.name, "problem" in one ? "missed" : one.sha256]);
    const job = {
      ...{ id, holder: caller, line, inputs, files, waited },
      creditsPerFile: isTest ? 0 : creditsPerFile(steps),
      steps: [...steps, ...(isTest ? [testStep] : [])] as NewJob["steps"], // its first is the order's first
      ...(key === undefined
        ? {}
        : { idempotency: { owner: caller.key, key, fingerprint: fingerprintFor({ steps, sent, isTest }) } }),
    };
    const alongside = order.alongside
      ? (tx: Transaction) => order.alongside?.(tx, network) ?? Promise.resolve()
      : use.urls && order.isCharged
        ? writeAlongside(use.urls, { ...told, jobId: id })
        : undefined;
    return { ...job, ...(alongside ? { alongside } : {}), ...(outputUrl === undefined ? {} : { outputUrl }) };
  } catch (problem) {
    await use.jobs.drop(id);
    throw problem;
  }
}

/** A form's blank field is one that was not filled in. */
const filledIn = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isAddressField(name) || value.trim() !== ""));
const isAddressField = (name: string) => name === outputField || name === webhookField;

type Asked = { steps: readonly [AskedStep, ...AskedStep[]]; sent: unknown; isTest: boolean };

/** One step stands as it did before there were several: a key that was used then means the same now. */
function fingerprintFor({ steps, sent, isTest }: Asked): string {
  const [{ operation, options }] = steps;
  const wish = steps.length === 1 ? { task: operation, options } : { steps };
  return fingerprintOf({ ...wish, files: sent, ...(isTest ? { isTest } : {}) });
}

/**
 * Pictures that are not to be worked on themselves.
 * @throws invalid-request where there is more than one of a field
 */
function inputsOf({ extras = {} }: Order, files: readonly Spooled[]): Input[] {
  return Object.entries(extras).flatMap(([name, role]) => {
    const sent = files.filter(({ field }) => field === name);
    if (sent.length > 1)
      throw new DomainError("invalid-request", { field: name, detail: `Send one picture in the field ${name}.` });
    return sent.map(({ blob }) => ({ role, blob }));
  });
}

function refuseManualProfile(options: object): void {
  if ("profile" in options && options.profile === manualProfile)
    throw new DomainError("cannot-process", { detail: manualComesLater });
}

/** Decides by a file's first bytes, before it costs anything. */
function look(picture: Spooled | Missed, steps: readonly AskedStep[]): NewFile {
  if ("problem" in picture)
    return { name: picture.name, sizeBytes: 0, input: "", ending: failureEnding(picture.problem) };
  const { blob, name, sizeBytes, head } = picture;
  const format = sizeBytes === 0 ? undefined : sniffFormat(head);
  const file: NewFile = { name, sizeBytes, input: blob, ...(format ? { format } : {}) };
  if (!format) {
    const detail = sizeBytes === 0 ? "The file is empty." : undefined;
    return { ...file, ending: failureEnding(new DomainError("not-an-image", { detail })) };
  }
  const options = steps.length === 1 ? (steps[0]?.options ?? {}) : {};
  if ("target_format" in options && options.target_format === (format satisfies InputFormat))
    return { ...file, isFree: true };
  return file;
}
