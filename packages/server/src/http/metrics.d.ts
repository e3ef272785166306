import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { type WorkClass } from "../platform/work/work.ts";
export type Metrics = {
    registry: Registry;
    /** A job's file ended: by operation and outcome. */
    countFile(operation: string, outcome: string): void;
    countBytes(direction: "in" | "out", bytes: number): void;
    countJob(operation: string, outcome: string): void;
    /** A worker took up a file that had waited so long. */
    observeWait(workClass: WorkClass, seconds: number): void;
    /** A process that had not said farewell was taken for dead. */
    countLeaseLost(): void;
    /** An engine process died with a picture in hand. */
    countEngineLost(): void;
    countMailFailed(): void;
};
/** How the queue stands and whether deletion keeps its promise; API processes know it of all processes together. */
export type QueueGauges = {
    waiting: number;
    oldestWaitSeconds: Record<WorkClass, number>;
    deletionOverdueSeconds: number;
};
/** The sources of the gauges. */
export type Gauges = {
    engineProcesses(): number;
    enginesBusy(): number;
    /** Only where this process answers callers; undefined until it has looked. */
    queue?(): QueueGauges | undefined;
};
export declare function createMetrics(gauges: Gauges): Metrics;
/** Requests by method, route and status; routes as they are declared: no id becomes a label. */
export declare function measureRequests(app: FastifyInstance, { registry }: Metrics): void;
