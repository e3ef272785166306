import type { FastifyInstance } from "fastify";
import { sweepSessions } from "../features/accounts/sessions.ts";
import { paymentEventBacklog } from "../features/billing/webhook.ts";
import type { Jobs } from "../features/jobs/jobs.ts";
import type { Lease } from "../features/jobs/queue/lease.ts";
import type { SettleDependencies } from "../features/jobs/settle/settle.ts";
import { webhookBacklog } from "../features/webhooks/webhooks.ts";
import type { Backlogs } from "../http/metrics.ts";
import { createMailOutbox, mailBacklog } from "../platform/mail-outbox.ts";
import { repeat } from "../platform/repeat.ts";
import { type ApiDependencies, createApi } from "./api.ts";
import { openJobs } from "./jobs.ts";
import { openMail } from "./mail.ts";
import { choosePayments } from "./payments.ts";
import { verifiesAddresses } from "./verification.ts";

export type ApiRole = {
  app: FastifyInstance;
  jobs: Jobs;
  /** What waited to be sent at the last sweep. */
  backlogs(): Backlogs | undefined;
  sweep(): Promise<void>;
  drain: Jobs["drain"];
  /** Ends what still waits. Open connections get `graceMs` to end by themselves. */
  close(options: { graceMs: number }): Promise<void>;
};

type ApiRoleDependencies = Omit<ApiDependencies, "jobs" | "outbox" | "verifiesAddresses" | "openPayments"> & {
  lease: Lease;
  settleDependencies: SettleDependencies;
};

const sweepIntervalMs = 5_000;

/** Opens the part of the service that serves callers and runs the sweeps. */
export async function openApiRole({
  lease,
  settleDependencies,
  ...dependencies
}: ApiRoleDependencies): Promise<ApiRole> {
  const { config, logger, stores, ledger } = dependencies;
  const openPayments = choosePayments(config);
  const mail = openMail(config, { log: logger, meter: dependencies.metrics });
  const outbox = createMailOutbox({ db: stores.db, clock: dependencies.clock, mail, log: logger });
  const jobs = await openJobs({ config, settleDependencies, lease });
  const { app, payments, billing, invoices, contact, outbound, outputs, webhooks } = await createApi({
    ...dependencies,
    jobs,
    outbox,
    verifiesAddresses: verifiesAddresses(config),
    openPayments,
  });
  const sweepBilling = async () => {
    // After a jump of the test clock, apply ends before charges, as when days pass one by one.
    if (payments.sandbox) await billing.sendDueStops();
    await payments.sandbox?.advance();
    await billing.sweep();
    if (config.TINTYPE_MODE === "service") await invoices.sweep();
  };
  let backlogs: Backlogs | undefined;
  const measureBacklogs = async () => {
    const [now, { db }] = [dependencies.clock.now(), stores];
    const [mail, webhook, paymentEvent] = await Promise.all([
      mailBacklog(db, now),
      webhookBacklog(db, now),
      paymentEventBacklog(db, now),
    ]);
    backlogs = { mail, webhook, "payment-event": paymentEvent };
  };
  const sweep = () =>
    Promise.all([
      jobs.sweep(),
      ledger.expireReservations(),
      contact.sendWaiting(),
      sweepBilling(),
      sweepSessions(stores.db),
      measureBacklogs(),
    ]);
  const sweeps = repeat(sweep, {
    intervalMs: sweepIntervalMs,
    onProblem: (problem) => logger.error({ err: problem }, "sweep failed"),
  });
  return {
    app,
    jobs,
    backlogs: () => backlogs,
    drain: jobs.drain,
    async sweep() {
      await sweeps.run();
      await outputs?.sendDue();
      await webhooks?.sendDue();
    },
    async close({ graceMs }) {
      const swept = sweeps.stop();
      await Promise.all([outputs?.close(), webhooks?.close()]);
      await jobs.close();
      await closeServer(app, Math.max(graceMs, flushMs));
      await jobs.settled();
      await outbound?.close();
      await swept;
      await Promise.all([billing.close(), payments.sandbox?.close(), outbox.close()]);
      mail.close();
    },
  };
}

/** An error that was just written reaches its caller in this time. */
const flushMs = 500;

/** Browsers open connections before they have a request. Node.js takes such a connection for one in use, and waits for it up to a minute. */
async function closeServer(app: FastifyInstance, graceMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearTimeout(timer);
}
