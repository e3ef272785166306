import type { Bus } from "../../platform/bus/bus.ts";
/** Messages of processes about jobs. Each message may be lost; the rows have it all. */
export type JobMessage = 
/** The rows of the job have changed. */
{
    kind: "row";
    version: number;
    isFinal: boolean;
}
/** Told of a file in work, and written to its row only now and then. */
 | {
    kind: "progress";
    index: number;
    progress: number;
    stage?: string;
};
export type WorkerMessage = {
    stop: string;
};
export declare const tellRow: (bus: Bus, jobId: string, row: {
    version: number;
    isFinal: boolean;
}) => void;
export declare const tellProgress: (bus: Bus, jobId: string, progress: Omit<JobMessage & {
    kind: "progress";
}, "kind">) => void;
export declare const tellWorker: (bus: Bus, process: string, message: WorkerMessage) => void;
export declare const hearJob: (bus: Bus, jobId: string, hear: (message: JobMessage) => void) => Promise<() => void>;
export declare const hearWorker: (bus: Bus, process: string, hear: (message: WorkerMessage) => void) => Promise<() => void>;
