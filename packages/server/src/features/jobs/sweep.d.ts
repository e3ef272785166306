import type { WorkClass } from "../../platform/work/work.ts";
import { type Settling } from "./settle.ts";
export type Sweeping = Settling & {
    exclusive: boolean;
};
export declare function sweepJobs(use: Sweeping): Promise<void>;
/** Deletes rows that nothing needs any more; of jobs their receipts stay. */
export declare function forgetOldRows({ db, clock }: Pick<Sweeping, "db" | "clock">): Promise<void>;
export type QueueFacts = {
    waiting: number;
    working: number;
    oldestWaitSeconds: Record<WorkClass, number>;
    deletionOverdueSeconds: number;
};
/** How the queue stands, for metrics. */
export declare function queueFacts({ db, clock }: Pick<Sweeping, "db" | "clock">): Promise<QueueFacts>;
