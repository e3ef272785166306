import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../platform/db/database.ts";
import type { WorkClass } from "../../platform/work/work.ts";
export type Lease = {
    /** The name of this process in the rows: new with each start. */
    id: string;
    /** True while certainly no process takes this one for dead; false does not mean that one does. */
    isHeld(): boolean;
    close(): Promise<void>;
};
export type LeaseOptions = {
    db: Database;
    role: "all" | "api" | "worker";
    classes: readonly WorkClass[];
    /** This process alone can write to the database: every other row is of a process that has ended. */
    exclusive: boolean;
    log: Pick<FastifyBaseLogger, "warn">;
};
/** Enters the process among the living ones, and keeps it there until `close`. */
export declare function openLease({ db, role, classes, exclusive, log }: LeaseOptions): Promise<Lease>;
/** True in SQL while the process of that id is taken for alive. */
export declare const isAlive: (processId: ReturnType<typeof sql.raw>) => import("drizzle-orm").SQL<unknown>;
