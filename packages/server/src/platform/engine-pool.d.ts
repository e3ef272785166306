import type { Outcome, Progress, Task } from "@tintype/imaging";
import { type EngineLog } from "./engine.ts";
import type { Sandbox } from "./sandbox.ts";
export type EngineRun = {
    task: Task;
    timeLimitMs: number;
    /** The longest until the first progress is told, ms. */
    firstProgressLimitMs?: number;
    signal: AbortSignal;
    progress(progress: Progress): void;
};
export type EnginePoolOptions = {
    /** Processes, and so pictures worked on at a time. */
    size: number;
    /** Scratch space; each process has a folder of its own below it, which goes when the process goes. */
    scratch: string;
    memoryLimitMb: number;
    /** Started on first use and ended after so many ms without work; always there when left out. */
    idleMs?: number;
    /** Passed to the engine process as its command line. */
    arguments?: string[];
    /** Added to the engine's environment. */
    environment?: Record<string, string>;
    /** How engines are kept from everything else; left out: not at all. */
    sandbox?: Sandbox;
    log: EngineLog;
};
/**
 * Pictures are worked on in child processes, by file path: a native crash, a hang or a memory blow-up costs the one
 * task. The pool refills itself. It has no queue: whoever hands it work takes as many turns at a time as it has engines.
 */
export declare class EnginePool {
    #private;
    constructor(options: EnginePoolOptions);
    /** Pictures worked on at a time. */
    get size(): number;
    get busy(): number;
    /** Process ids of the engines that run now. */
    get processIds(): number[];
    /**
     * @throws cancelled when the signal fires, took-too-long after the limit, interrupted when the pool is closed, EngineLost
     *   when the process ended under the task, and whatever the engine refuses the picture with
     */
    run(run: EngineRun): Promise<Outcome>;
    close(): Promise<void>;
}
