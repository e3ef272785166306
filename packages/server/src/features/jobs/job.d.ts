import { type Credits, DomainError, type InputFormat, type Job, type JobFile, type JobState, type TaskName, type TierName } from "@tintype/contract";
import type { EngineTask, Outcome, PictureFacts } from "@tintype/imaging";
import type { Lane, Offer, WorkClass } from "../../platform/work/work.ts";
/** How far a result has gone out: a delivery that was only begun counts as had, but the file stays to be asked for again. */
export type Delivery = "none" | "begun" | "whole";
export type Step = {
    operation: EngineTask;
    options: unknown;
};
/** The last step of a job that a test key made. */
export declare const testStep: Step;
/** The steps that a caller asked for. */
export declare const askedSteps: (steps: readonly Step[]) => {
    operation: TaskName;
    options: unknown;
}[];
/** A blob that goes with every file of a job. */
export type Input = {
    role: "background";
    blob: string;
};
/** A file of a job, as it stands in its row. */
export type FileRecord = {
    index: number;
    class: WorkClass;
    lane: Lane;
    tag: number;
    state: JobFile["state"];
    /** Times a worker took it up. */
    tries: number;
    worker?: string;
    name: string;
    sizeBytes: number;
    format?: InputFormat;
    /** The blobs it comes from and went to. */
    input: string;
    output?: string;
    progress: number;
    stage?: string;
    source?: PictureFacts;
    result?: PictureFacts & {
        name: string;
    };
    notes: string[];
    confidence?: number;
    reason?: string;
    code?: string;
    smallestBytes?: number;
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
    /** A repeat of a request that was charged before: its credits stand elsewhere, and stay. */
    replay: boolean;
    /** Grows with each change of state. */
    version: number;
    files: FileRecord[];
    createdAt: Date;
    finishedAt: Date | null;
    removedAt: Date | null;
    /** Of a job whose result goes to an address: how far that is. */
    output?: NonNullable<Job["output"]>;
};
/** A file as the request brought it; what its first bytes tell is settled already. */
export type NewFile = Pick<FileRecord, "name" | "sizeBytes" | "input"> & {
    format?: InputFormat;
    ending?: FileEnding;
};
/** The end of a file: the part of its row that its end writes. */
export type FileEnding = Pick<FileRecord, "output" | "source" | "result" | "confidence" | "reason" | "code" | "smallestBytes"> & {
    state: "done" | "unchanged" | "failed" | "cancelled";
    notes: string[];
};
/** Results are deleted once delivered, and else this long after the work ended: retries fit into the promised 15 minutes. */
export declare const keptMs: number;
export declare const succeeded: ({ state }: Pick<FileRecord, "state">) => boolean;
export declare const isWaiting: ({ state }: Pick<FileRecord, "state">) => boolean;
/** One step that wants a network makes the whole file the business of an engine that holds networks. */
export declare const classOf: (steps: readonly Step[]) => WorkClass;
/** The name of a file's row in the line, and back. */
export declare const fileIdOf: (jobId: string, index: number) => string;
export declare function readFileId(fileId: string): {
    jobId: string;
    index: number;
};
export declare const offerOf: (jobId: string, file: Pick<FileRecord, "index" | "class" | "lane" | "tag">) => Offer;
/** A file's end after the engine's answer. */
export declare function endingOf(outcome: Outcome, { output, name }: {
    output: string;
    name: string;
}): FileEnding;
/** A file's end after it failed; only what the catalogue of errors says reaches the caller. */
export declare function failureEnding(problem: unknown): FileEnding;
/** The failed file's error, to be thrown where it is the whole answer. */
export declare const failureOf: ({ code, reason, smallestBytes, }: Pick<FileRecord, "code" | "reason" | "smallestBytes">) => DomainError;
/** Files whose credit goes back: those without a result, and in a cancelled job those not delivered. */
export declare function owedFiles(files: readonly Pick<FileRecord, "index" | "state" | "delivery" | "reason">[], state: JobState): {
    index: number;
    reason: string;
}[];
/** `position`: files of others before this job's next one. */
export declare function jobView(job: JobRecord, { credits, position }?: {
    credits?: Credits;
    position?: number;
}): Job;
