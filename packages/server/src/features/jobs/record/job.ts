import {
  auxiliaryFilesOf,
  type Credits,
  DomainError,
  editableMs,
  type InputFormat,
  isErrorCode,
  isFinal,
  isLastStep,
  type Job,
  type JobFile,
  type JobState,
  judgedView,
  type Reason,
  stageText,
  type TaskName,
  type TierName,
  tasks,
} from "@tintype/contract";
import type { EngineTask, Estimate, Outcome, PictureFacts, ResultFacts } from "@tintype/imaging";
import type { Lane, Offer, WorkClass } from "../../../platform/work/work.ts";
import { nothingSaved } from "../../credits/ledger.ts";
import { describeNotes, reasonSentence, type StoredNote, type StoredReason } from "./sentences.ts";

/**
 * The delivery of a result. One that has begun counts as delivered for credits, but the file is kept for another attempt.
 * `sending`: only to the `output_url` of a caller who waits, which may still refuse it.
 */
export type Delivery = "none" | "sending" | "begun" | "whole";

export type Step = { operation: EngineTask; options: unknown };
/** The watermark step of a job made with a test key. It comes last, or before a web set, so that every picture of the set is marked. */
export const testStep: Step = { operation: "test-mark", options: {} };
/** The steps that the caller requested. */
export const requestedSteps = (steps: readonly Step[]): { operation: TaskName; options: unknown }[] =>
  steps.flatMap(({ operation, options }) => (operation === "test-mark" ? [] : [{ operation, options }]));
/** The steps as an engine runs them. The watermark keeps to the byte limit of the result that it covers. */
export function stepsToRun(steps: readonly Step[]): readonly Step[] {
  const last = requestedSteps(steps).at(-1);
  if (!last) return steps;
  if (isLastStep(last.operation)) return [...steps.filter(({ operation }) => operation !== last.operation), last];
  return steps.map((step) => (step.operation === testStep.operation ? { ...step, options: byteLimitOf(last) } : step));
}

const byteLimitOf = ({ options }: Step) =>
  typeof options === "object" && options !== null && "max_bytes" in options ? { max_bytes: options.max_bytes } : {};
const isOfTestKey = (steps: readonly Step[]): boolean => steps.some(({ operation }) => operation === "test-mark");
/** A blob that every file of a job uses. */
export type Input = { role: string; blob: string; page?: number };

/**
 * Blobs of a cut-out that can be edited: the whole cut-out and the picture it was made from, both of the same size in px.
 * If there are other candidates: the data to render them, and the thumbnails of all.
 */
export type KeptCutOut = {
  cutOut: string;
  original: string;
  width: number;
  height: number;
  /** For a PDF: the page of the original. */
  page?: number;
  candidates?: { mattes: string; sheet: string };
};

/** Every blob of a cut-out that can be edited. */
export const blobsOf = ({ cutOut, original, candidates }: KeptCutOut): string[] => [
  cutOut,
  original,
  ...Object.values(candidates ?? {}),
];

/** Where a blob is stored. One that an earlier job of the same owner keeps has that job's id before its name. */
export function placeOf(jobId: string, blob: string): { jobId: string; name: string } {
  const slash = blob.indexOf("/");
  return slash < 0 ? { jobId, name: blob } : { jobId: blob.slice(0, slash), name: blob.slice(slash + 1) };
}

/** A file of a job, as in its row. */
export type FileRecord = {
  index: number;
  class: WorkClass;
  lane: Lane;
  priority: number;
  state: JobFile["state"];
  /** Times a worker claimed it. */
  tries: number;
  /** Times it yielded to others. */
  yields: number;
  /** Engine time so far, ms. */
  engineMs: number;
  /** Set for callers without a paid plan: a keyed hash of their network. */
  network: string | null;
  worker?: string;
  name: string;
  sizeBytes: number;
  format?: InputFormat;
  /** The blobs that it was read from and written to. */
  input: string;
  output?: string;
  progress: number;
  stage?: string;
  source?: PictureFacts;
  result?: ResultFacts & {
    name: string;
    estimate?: Estimate;
    kept?: KeptCutOut;
    nothingSaved?: true;
    /** Unchanged, but its name has another extension than the file's, which was that of another format. */
    renamed?: true;
    /** The confidence of each candidate of a cut-out. The result is the first. */
    candidates?: number[];
    incomplete?: true;
    /** As measured by the engine. */
    likeness?: number;
  };
  notes: StoredNote[];
  confidence?: number;
  reason?: StoredReason;
  code?: string;
  smallestBytes?: number;
  /** It continues a result for free: the charged file that pays for it. */
  chain?: { jobId: string; index: number };
  delivery: Delivery;
};

export type JobRecord = {
  id: string;
  owner: string;
  tier: TierName;
  operation: TaskName;
  steps: Step[];
  inputs: Input[];
  state: JobState;
  waited: boolean;
  charged: number;
  /** Incremented with each change of state. */
  version: number;
  files: FileRecord[];
  createdAt: Date;
  finishedAt: Date | null;
  removedAt: Date | null;
  /** For a job whose result is sent to an address: the state of that delivery. */
  output?: NonNullable<Job["output"]>;
};

/** A file of a request. Whatever its first bytes decide is already decided. */
export type NewFile = Pick<FileRecord, "name" | "sizeBytes" | "input"> & {
  format?: InputFormat;
  ending?: FileEnding;
  /** Already in the requested format, and free of charge. */
  isFree?: true;
  /** SHA-256 of its bytes, hex. */
  sha256?: string;
  chain?: FileRecord["chain"];
};

/** The columns of a file's row that its end writes. */
export type FileEnding = Pick<
  FileRecord,
  "output" | "source" | "result" | "confidence" | "reason" | "code" | "smallestBytes"
> & {
  state: "done" | "unchanged" | "failed" | "cancelled";
  notes: StoredNote[];
};

/** Leaves time for retries of the deletion within the promised 15 minutes. */
const deliverableMs = 12 * 60_000;

/** The cut-out of a job that ends with one can be edited. A test key's cut-outs cannot: its results are marked. */
export const keepsCutOut = (steps: readonly Step[]): boolean => {
  const last = steps.at(-1);
  return last?.operation === "remove-background" && hasFlag(last, "editable");
};
/** Whether the job's pictures are kept after their delivery, for edits or further previews. */
export const keepsPictures = (steps: readonly Step[]): boolean => {
  const last = steps.at(-1);
  return keepsCutOut(steps) || (last?.operation === "preview" && hasFlag(last, "keep"));
};
/** A result may contain the video of a motion photo, which has metadata of its own. */
export const keepsFilm = (steps: readonly Step[]): boolean => {
  const last = requestedSteps(steps).at(-1);
  return last?.operation === "compress" && hasFlag(last, "keep_film");
};
const hasFlag = ({ options }: Step, name: string) =>
  typeof options === "object" && options !== null && (options as Record<string, unknown>)[name] === true;

/** Results are deleted once delivered, or this long after the end of the work. */
export const keptMs = (steps: readonly Step[]): number => (keepsPictures(steps) ? editableMs : deliverableMs);

export const succeeded = ({ state }: Pick<FileRecord, "state">): boolean => state === "done" || state === "unchanged";
export const isWaiting = ({ state }: Pick<FileRecord, "state">): boolean => !isFinal(state);
const expiresAt = ({ finishedAt, steps }: JobRecord): Date | undefined =>
  finishedAt ? new Date(finishedAt.getTime() + keptMs(steps)) : undefined;

/** A single step that runs a model sends the whole file to an engine of class `model`. */
export const classOf = (steps: readonly Step[]): WorkClass =>
  requestedSteps(steps).some(({ operation }) => tasks[operation].work === "model") ? "model" : "picture";

/** The id of a file in the queue, and back. */
export const fileIdOf = (jobId: string, index: number): string => `${jobId}.${index}`;
/** What follows the index tells offers of one file apart. */
export function readFileId(fileId: string): { jobId: string; index: number } {
  const dot = fileId.lastIndexOf(".");
  return { jobId: fileId.slice(0, dot), index: Number.parseInt(fileId.slice(dot + 1), 10) };
}
export const offerOf = (jobId: string, file: Pick<FileRecord, "index" | "class" | "lane" | "priority">): Offer => ({
  fileId: fileIdOf(jobId, file.index),
  workClass: file.class,
  lane: file.lane,
  priority: file.priority,
});

/** How a file ends, from the engine's answer. */
export function endingOf(
  outcome: Outcome,
  {
    output,
    name,
    isRenamed,
    kept,
  }: { output: string; name: string; isRenamed: boolean; kept?: KeptCutOut | undefined },
): FileEnding {
  const { source, notes } = outcome;
  if (outcome.kind === "unchanged") {
    const { reason } = outcome;
    const result = { ...outcome.result, name, ...(isRenamed ? ({ renamed: true } as const) : {}) };
    return { state: "unchanged", source, result, notes, reason, output };
  }
  const { result, confidence, nothingSaved, incomplete, likeness } = outcome;
  const candidates = kept?.candidates && outcome.candidates;
  const ending = {
    state: "done",
    source,
    result: {
      ...{ ...result, name },
      ...(kept ? { kept } : {}),
      ...(nothingSaved ? { nothingSaved } : {}),
      ...(candidates ? { candidates } : {}),
      ...(incomplete ? { incomplete } : {}),
      ...(likeness === undefined ? {} : { likeness }),
    },
    notes,
    output,
    ...(nothingSaved ? { reason: { code: "nothing-saved" } as const } : {}),
  } as const;
  return confidence === undefined ? ending : { ...ending, confidence };
}

/** How a failed file ends. The caller learns the error's code and its reason; its detail and cause are not stored. */
export function failureEnding(problem: unknown): FileEnding {
  const { code, reason, smallestBytes } = problem instanceof DomainError ? problem : new DomainError("engine-failed");
  return {
    state: code === "cancelled" ? "cancelled" : "failed",
    notes: [],
    code,
    reason,
    ...(smallestBytes === undefined ? {} : { smallestBytes }),
  };
}

/** The failed file's error, to throw when it is the whole answer. */
export const failureOf = ({
  code,
  reason,
  smallestBytes,
  input = "",
}: Pick<FileRecord, "code" | "reason" | "smallestBytes"> & { input?: string }): DomainError =>
  new DomainError(code !== undefined && isErrorCode(code) ? code : "engine-failed", {
    ...(typeof reason === "string" ? { detail: reason } : { reason }),
    smallestBytes,
    field:
      code === "size-unreachable"
        ? "max_bytes"
        : code === "url-refused" || code === "url-unavailable"
          ? refusedField(input)
          : typeof reason === "object"
            ? fieldOf(reason)
            : undefined,
  });

/** The field that the reason is about, of the step that it is about. */
function fieldOf(reason: Reason): string | undefined {
  switch (reason.code) {
    case "step-failed":
      return fieldOf(reason.reason);
    case "preview-parts-seen":
      return "part";
    case "auxiliary-file-failed":
      return auxiliaryFilesOf(reason.operation).find(({ role }) => role === reason.role)?.field;
    default:
      return undefined;
  }
}

/** A picture that could not be fetched has no input. If there is an input, the result could not be sent. */
const refusedField = (input: string): string => (input === "" ? "image_url" : "output_url");

/** Files to refund: those without a result, those that compress could not make smaller, and in a cancelled job those not delivered. */
export function owedFiles(
  files: readonly Pick<FileRecord, "index" | "state" | "delivery" | "reason" | "result">[],
  state: JobState,
): { index: number; reason: string }[] {
  return files.flatMap((file) => {
    if (file.state === "done" && file.result?.nothingSaved) return [{ index: file.index, reason: nothingSaved }];
    if (file.state === "done" && (state !== "cancelled" || file.delivery !== "none")) return [];
    const fallback = state === "cancelled" ? "The job was cancelled." : "The file failed.";
    return [{ index: file.index, reason: file.reason === undefined ? fallback : reasonSentence(file.reason) }];
  });
}

export const factsView = <Format extends string>({ format, width, height, sizeBytes }: Facts<Format>) => ({
  format,
  width,
  height,
  size_bytes: sizeBytes,
});
type Facts<Format> = Omit<PictureFacts, "format"> & { format: Format };

/** In thousandths: a sum of fractions would be 0.8400000000000001. */
export const roundProgress = (progress: number): number => Math.round(progress * 1000) / 1000;

function fileView(file: FileRecord): JobFile {
  const { index, result, source, stage, confidence, reason, code, format } = file;
  const { notes, noteCodes } = describeNotes(file.notes);
  return {
    index,
    name: file.name,
    state: file.state,
    progress: roundProgress(file.progress),
    ...(stage === undefined ? {} : { stage: stageText(stage) }),
    source: source ? factsView(source) : { size_bytes: file.sizeBytes, ...(format ? { format } : {}) },
    ...(result ? { result: { ...factsView(result), name: result.name } } : {}),
    ...(result?.nothingSaved ? { nothing_saved: true as const } : {}),
    notes,
    ...(noteCodes ? { note_codes: noteCodes } : {}),
    ...(confidence === undefined ? {} : { confidence }),
    ...(result ? judgedView(result) : {}),
    ...(reason === undefined ? {} : { reason: reasonSentence(reason) }),
    ...(code === undefined ? {} : { code }),
    ...(file.smallestBytes === undefined ? {} : { smallest_bytes: file.smallestBytes }),
    delivered: file.delivery === "whole",
  };
}

/** Claiming a file does not update the job's row, so whether work has started follows from the files. */
const stateView = ({ state, files }: JobRecord): JobState =>
  state === "queued" && files.some((file) => file.state === "working" || file.tries > 0) ? "running" : state;

/** `position`: the number of others' files before this job's next one. */
export function jobView(job: JobRecord, { credits, position }: { credits?: Credits; position?: number } = {}): Job {
  const done = job.files.reduce((sum, file) => sum + (isFinal(file.state) ? 1 : file.progress), 0);
  const expires = expiresAt(job);
  return {
    id: job.id,
    operation: job.operation,
    steps: requestedSteps(job.steps).map(({ operation }) => operation),
    ...(isOfTestKey(job.steps) ? { test: true as const } : {}),
    state: stateView(job),
    progress: job.files.length === 0 ? 1 : roundProgress(done / job.files.length),
    created_at: job.createdAt.toISOString(),
    ...(job.finishedAt ? { finished_at: job.finishedAt.toISOString() } : {}),
    ...(expires ? { expires_at: expires.toISOString() } : {}),
    ...(position === undefined ? {} : { position }),
    files: job.files.map(fileView),
    ...(job.output ? { output: job.output } : {}),
    ...(credits ? { credits } : {}),
  };
}
