import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { createLedger, type Ledger } from "../features/credits/ledger.ts";
import { openLease } from "../features/jobs/lease.ts";
import { createMetrics } from "../http/metrics.ts";
import { type Clock, fileClock, systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import type { PglitePlace } from "../platform/db/pglite.ts";
import { openApiRole } from "./api-role.ts";
import { openEngines } from "./engines.ts";
import { openLinks } from "./links.ts";
import { bringModels, checkModels, readModels } from "./models.ts";
import { readRole } from "./role.ts";
import { openStores } from "./stores.ts";
import { countUnverified } from "./verification.ts";
import { openWorker } from "./worker.ts";
import { createWorkerFace } from "./worker-face.ts";

export type Service = {
  app: FastifyInstance;
  db: Database;
  ledger: Ledger;
  /** Timers do it every few seconds; tests call it themselves. */
  sweep(): Promise<void>;
  /** Work under way gets `graceMs` to end; then it is handed back, and callers that wait are told to ask again. */
  close(options?: { graceMs?: number }): Promise<void>;
};

export type ComposeOptions = {
  config: Config;
  logger: FastifyBaseLogger;
  clock?: Clock;
  /** Another embedded database than the one in the data folder. */
  database?: PglitePlace;
};

/** A balancer asks /readyz about once a second. */
const noticeMs = 3_000;

/** Puts the service together from the pieces of this folder, which alone know the adapters behind the ports. */
export async function compose({ config, logger, database, ...options }: ComposeOptions): Promise<Service> {
  const { role, classes, hasApi } = readRole(config);
  const clock =
    options.clock ?? (config.isProduction ? systemClock : fileClock(join(config.dataFolder, "clock-offset-ms")));
  const models = readModels(config);
  if (classes.includes("model")) {
    await bringModels(models, logger);
    await checkModels(models, logger);
  }
  const stores = await openStores(config, { place: database, log: logger });
  const links = await openLinks(config, { clock, log: logger });
  const { db, exclusive, blobs } = stores;
  const engines = await openEngines(config, { classes, models, log: logger });
  const metrics = createMetrics({ ...engines.gauges, ...(hasApi ? { queue: () => api?.jobs.facts() } : {}) });
  // Only who answers people takes credits.
  const ledger = createLedger({ db, clock, ...(hasApi ? { unverified: countUnverified(config) } : {}) });
  const lease = await openLease({ db, role, classes, exclusive, log: logger });
  const settling = { db, clock, ledger, blobs, bus: links.bus, work: links.work, log: logger, meter: metrics };
  let wasTold = false;
  const isStopping = () => wasTold;
  const api = hasApi
    ? await openApiRole({ config, logger, clock, stores, links, ledger, lease, settling, metrics, isStopping })
    : undefined;
  const worker = classes.length > 0 ? await openWorker({ config, settling, lease, classes, engines }) : undefined;
  const app = api?.app ?? (await createWorkerFace({ config, logger, db, metrics, isStopping }));
  return {
    ...{ app, db, ledger },
    sweep: async () => api?.sweep(),
    async close({ graceMs = 0 } = {}) {
      const until = performance.now() + graceMs;
      wasTold = true;
      // An API process without engines shows the balancer that it is not ready before it refuses calls.
      if (config.REDIS_URL) await wait(Math.min(noticeMs, graceMs / 4));
      await api?.drain(graceMs);
      await worker?.close({ graceMs: Math.max(0, until - performance.now()) });
      if (api) await api.close();
      else await app.close();
      await lease.close();
      await links.close();
      await stores.close();
    },
  };
}
