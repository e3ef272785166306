import {
  type Credits,
  DomainError,
  type InputFormat,
  isErrorCode,
  isFinal,
  type Job,
  type JobFile,
  type JobState,
  type TaskName,
  type TierName,
} from "@tintype/contract";
import type { Outcome, PictureFacts } from "@tintype/imaging";

/** How far a result has gone out: a delivery that was only begun counts as had, but the file stays to be asked for again. */
export type Delivery = "none" | "begun" | "whole";

/** A file of a job, as it stands in the job's row. */
export type FileRecord = {
  name: string;
  sizeBytes: number;
  format?: InputFormat;
  /** The blobs it comes from and goes to. */
  input: string;
  output: string;
  state: JobFile["state"];
  progress: number;
  stage?: string;
  source?: PictureFacts;
  result?: PictureFacts & { name: string };
  notes: string[];
  confidence?: number;
  reason?: string;
  code?: string;
  delivery: Delivery;
};

export type JobRecord = {
  id: string;
  owner: string;
  tier: TierName;
  operation: TaskName;
  options: unknown;
  state: JobState;
  waited: boolean;
  fast: boolean;
  charged: number;
  /** A repeat of a request that was charged before: its credits stand elsewhere, and stay. */
  replay: boolean;
  files: FileRecord[];
  attempt: number;
  createdAt: Date;
  finishedAt: Date | null;
  removedAt: Date | null;
};

/** Results are deleted once delivered, and at the latest this long after the work ended. */
export const keptMs = 15 * 60_000;

export const succeeded = (file: FileRecord): boolean => file.state === "done" || file.state === "unchanged";
const expiresAt = ({ finishedAt }: JobRecord): Date | undefined =>
  finishedAt ? new Date(finishedAt.getTime() + keptMs) : undefined;

/** The file's record after the engine's answer. */
export function applyOutcome(file: FileRecord, outcome: Outcome, nameResult: (facts: PictureFacts) => string): void {
  file.progress = 1;
  delete file.stage;
  file.source = outcome.source;
  if (outcome.kind === "unchanged") {
    file.state = "unchanged";
    file.reason = outcome.reason;
    return;
  }
  file.state = "done";
  file.result = { ...outcome.result, name: nameResult(outcome.result) };
  file.notes = outcome.notes;
  if (outcome.confidence !== undefined) file.confidence = outcome.confidence;
}

/** The file's record after it failed; only what the catalogue of errors says reaches the caller. */
export function applyFailure(file: FileRecord, problem: unknown): void {
  const { code, detail } = problem instanceof DomainError ? problem : new DomainError("engine-failed");
  file.state = code === "cancelled" ? "cancelled" : "failed";
  file.progress = 1;
  delete file.stage;
  delete file.result;
  file.code = code;
  file.reason = detail;
}

/** The failed file's error, to be thrown where it is the whole answer. */
export const failureOf = ({ code, reason }: FileRecord): DomainError =>
  new DomainError(code !== undefined && isErrorCode(code) ? code : "engine-failed", { detail: reason });

/** What became of a job whose files are all through. */
export function finalState(files: readonly FileRecord[], { cancelled }: { cancelled: boolean }): JobState {
  if (cancelled) return "cancelled";
  return files.some(succeeded) ? "done" : "failed";
}

/** Files whose credit goes back: those that brought nothing, and in a cancelled job what nobody has had. */
export function owedFiles(job: Pick<JobRecord, "files" | "state">): { index: number; reason: string }[] {
  return job.files.flatMap((file, index) => {
    const wasHad = file.delivery !== "none";
    if (file.state === "done" && (job.state !== "cancelled" || wasHad)) return [];
    return [
      { index, reason: file.reason ?? (job.state === "cancelled" ? "The job was cancelled." : "The file failed.") },
    ];
  });
}

const factsView = ({ format, width, height, sizeBytes }: PictureFacts) => ({
  format,
  width,
  height,
  size_bytes: sizeBytes,
});

export function fileView(file: FileRecord, index: number): JobFile {
  const { result, source, stage, confidence, reason, code, format } = file;
  return {
    index,
    name: file.name,
    state: file.state,
    progress: file.progress,
    ...(stage === undefined ? {} : { stage }),
    source: source ? factsView(source) : { size_bytes: file.sizeBytes, ...(format ? { format } : {}) },
    ...(result ? { result: { ...factsView(result), name: result.name } } : {}),
    notes: file.notes,
    ...(confidence === undefined ? {} : { confidence }),
    ...(reason === undefined ? {} : { reason }),
    ...(code === undefined ? {} : { code }),
    delivered: file.delivery === "whole",
  };
}

export function jobView(job: JobRecord, credits?: Credits): Job {
  const done = job.files.reduce((sum, file) => sum + (isFinal(file.state) ? 1 : file.progress), 0);
  const expires = expiresAt(job);
  return {
    id: job.id,
    operation: job.operation,
    state: job.state,
    progress: job.files.length === 0 ? 1 : done / job.files.length,
    created_at: job.createdAt.toISOString(),
    ...(job.finishedAt ? { finished_at: job.finishedAt.toISOString() } : {}),
    ...(expires ? { expires_at: expires.toISOString() } : {}),
    files: job.files.map(fileView),
    ...(credits ? { credits } : {}),
  };
}
