import { join } from "node:path";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { createLedger, type Ledger } from "../features/credits/ledger.ts";
import type { Jobs } from "../features/jobs/jobs.ts";
import { sweep } from "../features/jobs/sweep.ts";
import { createMetrics } from "../http/metrics.ts";
import { type Clock, fileClock, systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import type { PglitePlace } from "../platform/db/pglite.ts";
import { createApi } from "./api.ts";
import { openEngines } from "./engines.ts";
import { openMail } from "./mail.ts";
import { checkModels, readModels } from "./models.ts";
import { choosePayments } from "./payments.ts";
import { openStores } from "./stores.ts";
import { startSweeps } from "./sweeps.ts";
import { openWorker } from "./worker.ts";

export type Service = {
  app: FastifyInstance;
  jobs: Jobs;
  db: Database;
  ledger: Ledger;
  /** What a timer does every few seconds; tests call it themselves. */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

export type ComposeOptions = {
  config: Config;
  logger: FastifyBaseLogger;
  clock?: Clock;
  /** Another embedded database than the one in the data folder. */
  database?: PglitePlace;
};

/** Puts the service together from the pieces of this folder, which alone know the adapters behind the ports. */
export async function compose({ config, logger, database, ...options }: ComposeOptions): Promise<Service> {
  const clock =
    options.clock ?? (config.isProduction ? systemClock : fileClock(join(config.dataFolder, "clock-offset-ms")));
  const openPayments = choosePayments(config);
  const mail = openMail(config, logger);
  const models = readModels(config);
  await checkModels(models, logger);
  const stores = await openStores(config, { log: logger, place: database });
  const engines = await openEngines(config, { models, log: logger });
  const metrics = createMetrics(engines.gauges);
  const ledger = createLedger({ db: stores.db, clock });
  const { jobs, store } = await openWorker({ config, log: logger, clock, stores, ledger, engines, metrics });
  const api = await createApi({ config, logger, clock, stores, ledger, jobs, mail, metrics, openPayments });
  const { app, payments, billing, contact } = api;
  const sweeps = startSweeps(
    [
      () => sweep({ jobs, store, blobs: stores.blobs, ledger, clock }),
      contact.sendWaiting,
      async () => {
        await payments.sandbox?.advance();
        await billing.sweep();
      },
    ],
    logger,
  );
  return {
    app,
    jobs,
    db: stores.db,
    ledger,
    sweep: sweeps.sweep,
    async close() {
      sweeps.stop();
      const ending = jobs.close();
      await engines.close();
      await ending;
      await app.close();
      await sweeps.settled();
      await Promise.all([billing.close(), payments.sandbox?.close()]);
      mail.close();
      await stores.close();
    },
  };
}
