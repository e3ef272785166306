import { type Outcome, type Progress, type Task } from "@tintype/imaging";
import { type Sandbox } from "./sandbox.ts";
export type EngineLog = {
    warn(details: object, message: string): void;
    debug(details: object, message: string): void;
};
export type EngineOptions = {
    scratch: string;
    memoryLimitMb: number;
    idleMs?: number;
    arguments?: string[];
    environment?: Record<string, string>;
    /** Left out: none. */
    sandbox?: Sandbox;
    log: EngineLog;
};
type Work = {
    task: Task;
    timeLimitMs: number;
    /** The longest until the first progress is told, ms. */
    firstProgressLimitMs?: number;
    signal: AbortSignal;
    progress(progress: Progress): void;
};
/** The process ended, or had to be ended, under its task. */
export declare class EngineLost extends Error {
    readonly name = "EngineLost";
}
/**
 * glibc keeps freed memory; with the first three a loaded engine process went from 444 to 148 MB. Returned memory comes
 * back page by page: with large pages, on systems that have them, a network that takes a gigabyte spent 0.3 s on that, not 0.9.
 */
export declare const allocatorEnvironment: {
    GLIBC_TUNABLES: string;
    MALLOC_ARENA_MAX: string;
    MALLOC_TRIM_THRESHOLD_: string;
    MALLOC_MMAP_THRESHOLD_: string;
};
/**
 * Pictures lie outside of V8's heap and have it collect often. Doing so beside the work is for programs that must answer
 * meanwhile: without it, and with little room for what is young, a 1 MP picture took a fifth less processor time.
 */
export declare const engineFlags: string[];
/** One engine process and its successors: it works on one task at a time and is started again when it dies. */
export declare class Engine {
    #private;
    constructor(options: EngineOptions);
    /** Of the process that works on pictures, not of what keeps its sandbox. */
    get processId(): number | undefined;
    start(): void;
    /** @throws EngineLost, or a DomainError: what the engine refused with, took-too-long, engine-failed or cancelled */
    run(work: Work): Promise<Outcome>;
    close(): Promise<void>;
}
export {};
