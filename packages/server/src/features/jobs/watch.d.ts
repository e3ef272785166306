import type { FastifyBaseLogger } from "fastify";
import type { Bus } from "../../platform/bus/bus.ts";
import { type Database } from "../../platform/db/database.ts";
import { type JobMessage } from "./messages.ts";
/** `look`: it is time to read the row again, since messages can be lost. `closed`: this process stops. */
export type Notice = JobMessage | {
    kind: "look";
} | {
    kind: "closed";
};
/** Hears of jobs that any process works on. */
export type JobWatch = {
    /** Tells what happens to a job from now on. The answer stops it. */
    watch(jobId: string, hear: (notice: Notice) => void): Promise<() => void>;
    /** Begins to watch; the promise in the answer resolves once the job's row says that it has ended. */
    awaitEnd(jobId: string): Promise<{
        ended: Promise<void>;
        stop(): void;
    }>;
    close(): void;
};
export declare function createJobWatch({ db, bus, log, }: {
    db: Database;
    bus: Bus;
    log: Pick<FastifyBaseLogger, "warn">;
}): JobWatch;
