import { type Credits, isFinal, type Job, type JobEvent } from "@tintype/contract";
import { type FileRecord, fileView, type JobRecord, jobView } from "./job.ts";

/** Progress of one file is told at most this often; what is being done is told at once. */
const progressGapMs = 150;

export type JobListener = (event: JobEvent, id: number) => void;

/** A job that this process works on: its record, who watches it, and the switch to stop it. */
export class LiveJob {
  readonly record: JobRecord;
  readonly abort = new AbortController();
  /** Resolves once the job has ended and its row says so. */
  readonly ended = Promise.withResolvers<JobRecord>();
  credits: Credits | undefined;
  readonly #listeners = new Set<JobListener>();
  readonly #told = new Map<number, { at: number; stage: string | undefined }>();
  #eventId = 0;

  constructor(record: JobRecord, credits: Credits | undefined) {
    this.record = record;
    this.credits = credits;
    // Nobody may be waiting; that is no unhandled rejection.
    this.ended.promise.catch(() => {});
  }

  view(): Job {
    return jobView(this.record, this.credits);
  }

  /** The id of the newest event: who has seen it has seen everything. */
  get eventId(): number {
    return this.#eventId;
  }

  watch(listener: JobListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tellFile(index: number): void {
    const file = this.record.files[index];
    if (!file) return;
    const now = performance.now();
    const told = this.#told.get(index);
    const isSame = told?.stage === file.stage && !isFinal(file.state);
    if (told && isSame && now - told.at < progressGapMs) return;
    this.#told.set(index, { at: now, stage: file.stage });
    this.#tell({ type: "file", file: fileView(file, index) });
  }

  tellJob(): void {
    const { state } = this.record;
    this.#tell({ type: "job", state, ...(this.credits ? { credits: this.credits } : {}) });
  }

  #tell(event: JobEvent): void {
    this.#eventId++;
    for (const listener of this.#listeners) listener(event, this.#eventId);
  }
}

export const isWaiting = (file: FileRecord): boolean => !isFinal(file.state);
