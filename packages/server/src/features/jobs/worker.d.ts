import { type PictureFacts, type PictureLimits } from "@tintype/imaging";
import type { EnginePool } from "../../platform/engine-pool.ts";
import type { WorkClass } from "../../platform/work/work.ts";
import { type FileRecord } from "./job.ts";
import { type Settling } from "./settle.ts";
import { type Claim } from "./turns.ts";
export type WorkerOptions = Settling & {
    /** The id of this process, and whether others may take it for dead. */
    lease: {
        id: string;
        isHeld(): boolean;
    };
    classes: readonly WorkClass[];
    /** Engines for each of the classes. */
    pools: Partial<Record<WorkClass, Pick<EnginePool, "size" | "run" | "close">>>;
    limitsOf(tier: Claim["job"]["tier"]): PictureLimits;
    /** The name of a file's result. */
    nameResult(job: Pick<Claim["job"], "steps">, file: FileRecord, result: PictureFacts): string;
};
export type Worker = {
    /** Writes how far files in hand have come, stops those that are no longer this worker's, and lets go of what slipped out of its hands. */
    beat(): Promise<void>;
    /** Takes no further file, and waits `graceMs` for those in hand; then they are handed back. */
    close(options?: {
        graceMs?: number;
    }): Promise<void>;
};
/** Works on files of some classes, in engine processes of this machine, one turn a free engine. */
export declare function startWorker(options: WorkerOptions): Promise<Worker>;
