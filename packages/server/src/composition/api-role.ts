import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Ledger } from "../features/credits/ledger.ts";
import type { Jobs } from "../features/jobs/jobs.ts";
import type { Lease } from "../features/jobs/lease.ts";
import type { Settling } from "../features/jobs/settle.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Clock } from "../platform/clock.ts";
import { createOutbox } from "../platform/mail-outbox.ts";
import { createApi } from "./api.ts";
import { openJobs } from "./jobs.ts";
import type { Links } from "./links.ts";
import { openMail } from "./mail.ts";
import { choosePayments } from "./payments.ts";
import type { Stores } from "./stores.ts";
import { startSweeps } from "./sweeps.ts";
import { verifiesAddresses } from "./verification.ts";

export type ApiRole = {
  app: FastifyInstance;
  jobs: Jobs;
  sweep(): Promise<void>;
  /** Takes no further job, and waits `graceMs` at most for the callers that wait. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
};

type ApiRoleDependencies = {
  config: Config;
  logger: FastifyBaseLogger;
  clock: Clock;
  stores: Stores;
  links: Links;
  ledger: Ledger;
  lease: Lease;
  settling: Settling;
  metrics: Metrics;
  isStopping(): boolean;
};

/** Opens the part of the service that answers people and clears up for all. */
export async function openApiRole({ lease, settling, ...use }: ApiRoleDependencies): Promise<ApiRole> {
  const { config, logger, stores, ledger } = use;
  const openPayments = choosePayments(config);
  const mail = openMail(config, { log: logger, meter: use.metrics });
  const outbox = createOutbox({ db: stores.db, clock: use.clock, mail, log: logger });
  const jobs = await openJobs({ config, settling, lease, exclusive: stores.exclusive });
  const { app, payments, billing, contact, urls } = await createApi({
    ...use,
    jobs,
    mail,
    outbox,
    verifiesAddresses: verifiesAddresses(config),
    openPayments,
  });
  const sweepBilling = async () => {
    // After a leap of the clock an end comes before a charge, as it does in days that pass one by one.
    if (payments.sandbox) await billing.tellEnds();
    await payments.sandbox?.advance();
    await billing.sweep();
  };
  const sweeps = startSweeps([jobs.sweep, ledger.lapseAll, contact.sendWaiting, sweepBilling], logger);
  return {
    ...{ app, jobs, drain: jobs.drain },
    async sweep() {
      await sweeps.sweep();
      await urls?.outputs.sendDue();
      await urls?.webhooks.sendDue();
    },
    async close() {
      sweeps.stop();
      await Promise.all([urls?.outputs.close(), urls?.webhooks.close()]);
      await jobs.close();
      await app.close();
      await jobs.settled();
      await urls?.outbound.close();
      await sweeps.settled();
      await Promise.all([billing.close(), payments.sandbox?.close(), outbox.close()]);
      mail.close();
    },
  };
}
