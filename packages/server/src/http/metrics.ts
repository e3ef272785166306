import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = {
  registry: Registry;
  /** A job's file ended: by operation and outcome. */
  countFile(operation: string, outcome: string): void;
  countBytes(direction: "in" | "out", bytes: number): void;
  countJob(operation: string, outcome: string): void;
};

/** What the gauges read when they are asked. */
export type Gauges = { queueDepth(): number; engineProcesses(): number; enginesBusy(): number };

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
  gauge("tintype_queue_depth", "Pictures waiting for an engine", gauges.queueDepth);
  gauge("tintype_engine_processes", "Engine processes alive", gauges.engineProcesses);
  gauge("tintype_engines_busy", "Engine processes at work", gauges.enginesBusy);
  return {
    registry,
    countFile: (operation, outcome) => files.inc({ operation, outcome }),
    countBytes: (direction, count) => bytes.inc({ direction }, count),
    countJob: (operation, outcome) => jobs.inc({ operation, outcome }),
  };
}

/** Requests by method, route and status; routes as they are declared, so that no id becomes a label. */
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
