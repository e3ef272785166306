import type { Bus } from "../../../platform/bus/bus.ts";

/** Messages between processes about jobs. Delivery is best effort: the rows are authoritative. */
export type JobMessage =
  /** The rows of the job have changed. */
  | { kind: "row"; version: number; isFinal: boolean }
  /** Progress of a file in work. Its row is updated less often. */
  | { kind: "progress"; index: number; progress: number; stage?: string };
/** Stops a job, or one of its files. */
export type WorkerMessage = { stop: string; index?: number };

const jobChannel = (jobId: string) => `job.${jobId}`;
const workerChannel = (process: string) => `worker.${process}`;

export const publishRow = (bus: Bus, jobId: string, row: { version: number; isFinal: boolean }): void =>
  bus.publish(jobChannel(jobId), JSON.stringify({ kind: "row", ...row } satisfies JobMessage));
export const publishProgress = (
  bus: Bus,
  jobId: string,
  progress: Omit<JobMessage & { kind: "progress" }, "kind">,
): void => bus.publish(jobChannel(jobId), JSON.stringify({ kind: "progress", ...progress } satisfies JobMessage));
export const publishToWorker = (bus: Bus, process: string, message: WorkerMessage): void =>
  bus.publish(workerChannel(process), JSON.stringify(message));

// The casts hold: only this file publishes to these channels.
export const subscribeToJob = (bus: Bus, jobId: string, receive: (message: JobMessage) => void): Promise<() => void> =>
  bus.subscribe(jobChannel(jobId), (text) => receive(JSON.parse(text) as JobMessage));
export const subscribeToWorker = (
  bus: Bus,
  process: string,
  receive: (message: WorkerMessage) => void,
): Promise<() => void> => bus.subscribe(workerChannel(process), (text) => receive(JSON.parse(text) as WorkerMessage));
