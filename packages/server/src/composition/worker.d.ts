import type { Lease } from "../features/jobs/lease.ts";
import type { Settling } from "../features/jobs/settle.ts";
import { type Worker } from "../features/jobs/worker.ts";
import type { WorkClass } from "../platform/work/work.ts";
import type { Engines } from "./engines.ts";
type WorkerDependencies = {
    settling: Settling;
    lease: Lease;
    classes: readonly WorkClass[];
    engines: Engines;
};
/** Has engines of this machine work on files of some classes, whoever began their jobs. */
export declare function openWorker({ settling, lease, classes, engines }: WorkerDependencies): Promise<Worker>;
export {};
