import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type WorkClass, workClasses } from "../platform/work/work.ts";

export type Metrics = {
  registry: Registry;
  /** A job's file ended: by operation and outcome. */
  countFile(operation: string, outcome: string): void;
  countBytes(direction: "in" | "out", bytes: number): void;
  countJob(operation: string, outcome: string): void;
  /** A worker claimed a file that had waited this long. */
  observeWait(workClass: WorkClass, seconds: number): void;
  /** The lease expired without a clean shutdown. */
  countLeaseLost(): void;
  /** An engine process died during a task. */
  countEngineLost(): void;
  countMailFailed(): void;
};

/** The state of the queue, and how late deletions are, of all processes together; API processes measure it. */
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

export function createMetrics(gauges: Gauges): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const bytes = new Counter({
    name: "tintype_bytes_total",
    help: "Bytes of pictures",
    labelNames: ["direction"],
    registers,
  });
  const files = new Counter({
    name: "tintype_files_total",
    help: "Pictures worked on",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const jobs = new Counter({
    name: "tintype_jobs_total",
    help: "Jobs ended",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const count = (name: string, help: string) => new Counter({ name, help, registers });
  const leasesLost = count("tintype_leases_lost_total", "Processes taken for dead");
  const enginesLost = count("tintype_engines_lost_total", "Engine processes that died with a picture in hand");
  const mailsFailed = count("tintype_mails_failed_total", "Mails that the mail server did not take");
  const waits = new Histogram({
    name: "tintype_file_wait_seconds",
    help: "Time from a picture's place in line to its engine",
    labelNames: ["class"],
    buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 300],
    registers,
  });
  const { queue } = gauges;
  if (queue) {
    gauge("tintype_queue_depth", "Pictures waiting for an engine", () => queue()?.waiting ?? 0);
    gauge(
      "tintype_deletion_overdue_seconds",
      "How long the oldest pictures that are due to be deleted have been due",
      () => queue()?.deletionOverdueSeconds ?? 0,
    );
    new Gauge({
      name: "tintype_queue_wait_seconds",
      help: "Age of the oldest waiting picture",
      labelNames: ["class"],
      registers,
      collect() {
        for (const workClass of workClasses) this.set({ class: workClass }, queue()?.oldestWaitSeconds[workClass] ?? 0);
      },
    });
  }
  gauge("tintype_engine_processes", "Engine processes alive", gauges.engineProcesses);
  gauge("tintype_engines_busy", "Engine processes at work", gauges.enginesBusy);
  return {
    registry,
    countFile: (operation, outcome) => files.inc({ operation, outcome }),
    countBytes: (direction, count) => bytes.inc({ direction }, count),
    countJob: (operation, outcome) => jobs.inc({ operation, outcome }),
    observeWait: (workClass, seconds) => waits.observe({ class: workClass }, seconds),
    countLeaseLost: () => leasesLost.inc(),
    countEngineLost: () => enginesLost.inc(),
    countMailFailed: () => mailsFailed.inc(),
  };
}

/** Requests by method, route and status; routes as they are declared: no id becomes a label. */
export function measureRequests(app: FastifyInstance, { registry }: Metrics): void {
  const requests = new Counter({
    name: "tintype_requests_total",
    help: "HTTP requests",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "tintype_request_seconds",
    help: "Time to the end of the answer",
    labelNames: ["method", "route"],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 15, 60],
    registers: [registry],
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unknown";
    requests.inc({ method: request.method, route, status: reply.statusCode });
    seconds.observe({ method: request.method, route }, reply.elapsedTime / 1000);
  });
}
