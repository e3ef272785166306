import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Backlog } from "../platform/outbox.ts";
import { releaseVersion } from "../platform/release.ts";
import { type WorkClass, workClasses } from "../platform/work/work.ts";

/** What waits in the database to be sent or processed. `payment-event`: an accepted webhook of the payment gateway. */
const backlogKinds = ["mail", "webhook", "payment-event"] as const;
export type Backlogs = Record<(typeof backlogKinds)[number], Backlog>;

const paymentOutcomes = ["captured", "failed"] as const;
const refundOutcomes = ["done", "failed"] as const;
const priceChangeOutcomes = ["announced", "scheduled", "refused"] as const;
/** Sign-in methods of the built-in identity provider that can be refused. */
const signInWays = ["password", "second-factor", "passkey"] as const;
export type SignInMethod = (typeof signInWays)[number];

export type Metrics = ReturnType<typeof createMetrics>;

/** The state of the queue, and how late deletions are, across all processes. API processes measure it. */
export type QueueGauges = {
  waiting: number;
  oldestWaitSeconds: Record<WorkClass, number>;
  deletionOverdueSeconds: number;
};
/** The sources of the gauges. */
export type Gauges = {
  engineProcesses(): number;
  enginesBusy(): number;
  /** Only if this process serves callers; undefined until the first measurement. */
  queue?(): QueueGauges | undefined;
  /** As `queue`. */
  backlogs?(): Backlogs | undefined;
};

export function createMetrics(gauges: Gauges) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const count = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const bytes = count("tintype_bytes_total", "Bytes of pictures", "direction");
  const files = count("tintype_files_total", "Images processed", "operation", "outcome");
  const jobs = count("tintype_jobs_total", "Jobs ended", "operation", "outcome");
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
  new Gauge({
    name: "tintype_build_info",
    help: "The release of this process; always 1",
    labelNames: ["version"],
    registers,
  }).set({ version: releaseVersion }, 1);
  // Initialises every label value to 0: a rate misses the first count of a series that did not exist before.
  const countBy = <Label extends string>(
    name: string,
    { help, label, values }: { help: string; label: Label; values: readonly string[] },
  ) => {
    const counter = count(name, help, label);
    for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0); // one label, by its name
    return counter;
  };
  measureQueues(gauges, registers);
  const payments = countBy("tintype_payments_total", {
    help: "Payments recorded",
    label: "outcome",
    values: paymentOutcomes,
  });
  const refunds = countBy("tintype_refunds_total", {
    help: "Refunds that the gateway returned, and attempts that failed",
    label: "outcome",
    values: refundOutcomes,
  });
  const priceChanges = countBy("tintype_price_changes_total", {
    help: "Subscriptions whose price was announced to change, was changed at the gateway, or could not be",
    label: "outcome",
    values: priceChangeOutcomes,
  });
  const webhooksRefused = count(
    "tintype_payment_webhooks_refused_total",
    "Webhooks of the payment gateway with a wrong signature",
  );
  const signInsFailed = countBy("tintype_sign_ins_failed_total", {
    help: "Sign-ins that the built-in identity provider refused",
    label: "way",
    values: signInWays,
  });
  gauge(registers, "tintype_engine_processes", "Engine processes alive", gauges.engineProcesses);
  gauge(registers, "tintype_engines_busy", "Engine processes at work", gauges.enginesBusy);
  return {
    registry,
    /** A job's file ended: by operation and outcome. */
    countFile: (operation: string, outcome: string) => files.inc({ operation, outcome }),
    countBytes: (direction: "in" | "out", count: number) => bytes.inc({ direction }, count),
    countJob: (operation: string, outcome: string) => jobs.inc({ operation, outcome }),
    /** A worker claimed a file that had waited this long. */
    observeWait: (workClass: WorkClass, seconds: number) => waits.observe({ class: workClass }, seconds),
    /** The lease expired without a clean shutdown. */
    countLeaseLost: () => leasesLost.inc(),
    /** An engine process died during a task. */
    countEngineLost: () => enginesLost.inc(),
    countMailFailed: () => mailsFailed.inc(),
    /** A payment was recorded as captured or failed, once per transition. */
    countPayment: (outcome: (typeof paymentOutcomes)[number]) => payments.inc({ outcome }),
    /** The gateway made a refund, or an attempt failed and is retried. */
    countRefund: (outcome: (typeof refundOutcomes)[number]) => refunds.inc({ outcome }),
    /** A subscriber was mailed a new price; the gateway accepted it for the next renewal; or refused it, and the old one stays. */
    countPriceChange: (outcome: (typeof priceChangeOutcomes)[number]) => priceChanges.inc({ outcome }),
    /** A webhook of the payment gateway had a wrong signature. */
    countPaymentWebhookRefused: () => webhooksRefused.inc(),
    /** The built-in identity provider refused or rate-limited a sign-in. */
    countSignInFailed: (way: SignInMethod) => signInsFailed.inc({ way }),
  };
}

const gauge = (registers: Registry[], name: string, help: string, read: () => number) =>
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });

/** What waits, for processes that serve callers. */
function measureQueues({ queue, backlogs }: Gauges, registers: Registry[]): void {
  if (queue) {
    gauge(registers, "tintype_queue_depth", "Pictures waiting for an engine", () => queue()?.waiting ?? 0);
    gauge(
      registers,
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
  if (backlogs) {
    const read = (name: string, { help, fact }: { help: string; fact: keyof Backlog }) =>
      new Gauge({
        name,
        help,
        labelNames: ["kind"],
        registers,
        collect() {
          for (const kind of backlogKinds) this.set({ kind }, backlogs()?.[kind][fact] ?? 0);
        },
      });
    read("tintype_outbox_waiting", { help: "Rows that wait to be sent, further attempts included", fact: "waiting" });
    read("tintype_outbox_overdue_seconds", {
      help: "How long the row that is due for longest has been due",
      fact: "overdueSeconds",
    });
  }
}

/** Requests by method, route and status. Routes are as declared, so no id becomes a label. */
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
