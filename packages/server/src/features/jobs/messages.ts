import type { Bus } from "../../platform/bus/bus.ts";

/** Messages of processes about jobs. Each message may be lost; the rows have it all. */
export type JobMessage =
  /** The rows of the job have changed. */
  | { kind: "row"; version: number; isFinal: boolean }
  /** Told of a file in work, and written to its row only now and then. */
  | { kind: "progress"; index: number; progress: number; stage?: string };
export type WorkerMessage = { stop: string };

const jobChannel = (jobId: string) => `job.${jobId}`;
const workerChannel = (process: string) => `worker.${process}`;

export const tellRow = (bus: Bus, jobId: string, row: { version: number; isFinal: boolean }): void =>
  bus.publish(jobChannel(jobId), JSON.stringify({ kind: "row", ...row } satisfies JobMessage));
export const tellProgress = (
  bus: Bus,
  jobId: string,
  progress: Omit<JobMessage & { kind: "progress" }, "kind">,
): void => bus.publish(jobChannel(jobId), JSON.stringify({ kind: "progress", ...progress } satisfies JobMessage));
export const tellWorker = (bus: Bus, process: string, message: WorkerMessage): void =>
  bus.publish(workerChannel(process), JSON.stringify(message));

// Nothing but this file writes to these channels.
export const hearJob = (bus: Bus, jobId: string, hear: (message: JobMessage) => void): Promise<() => void> =>
  bus.subscribe(jobChannel(jobId), (text) => hear(JSON.parse(text) as JobMessage));
export const hearWorker = (bus: Bus, process: string, hear: (message: WorkerMessage) => void): Promise<() => void> =>
  bus.subscribe(workerChannel(process), (text) => hear(JSON.parse(text) as WorkerMessage));
