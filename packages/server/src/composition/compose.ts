import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { createLedger, type Ledger } from "../features/credits/ledger.ts";
import { OtherInstallation, openLease } from "../features/jobs/queue/lease.ts";
import { createMetrics } from "../http/metrics.ts";
import { type Clock, fileClock, openDatabaseClock, skewProblem } from "../platform/clock.ts";
import { type Database, rowsOf } from "../platform/db/database.ts";
import type { PglitePlace } from "../platform/db/pglite.ts";
import { openDisk } from "../platform/disk.ts";
import { acceptedKeys } from "../platform/keys.ts";
import { openApiRole } from "./api-role.ts";
import { openEngines } from "./engines.ts";
import { openLinks } from "./links.ts";
import { checkModels, downloadModels, readModels } from "./models.ts";
import { readRole } from "./role.ts";
import { openStores } from "./stores.ts";
import { openTracing } from "./tracing.ts";
import { countingRules } from "./verification.ts";
import { openWorker } from "./worker.ts";
import { createWorkerHttp } from "./worker-http.ts";

export type Service = {
  app: FastifyInstance;
  db: Database;
  ledger: Ledger;
  /** Timers run it every few seconds; tests call it directly. */
  sweep(): Promise<void>;
  /** Work in progress gets `graceMs` to end. Then it is released, and waiting callers get a retryable error. */
  close(options?: { graceMs?: number }): Promise<void>;
};

export type ComposeOptions = {
  config: Config;
  logger: FastifyBaseLogger;
  clock?: Clock;
  /** An embedded database other than the one in the data folder. */
  database?: PglitePlace;
  /** Engines other than processes on this machine. */
  openEngines?: typeof openEngines;
};

/** A load balancer polls /readyz about once a second. */
const noticeMs = 3_000;

/** Composes the service from this folder's modules, the only ones that know the adapters behind the ports. */
export async function compose({ config, logger, database, ...options }: ComposeOptions): Promise<Service> {
  const { role, classes, hasApi } = readRole(config);
  const models = readModels(config);
  if (classes.includes("model")) {
    await downloadModels(models, logger);
    await checkModels(models, logger);
  }
  const tracing = await openTracing(config, logger);
  const stores = await openStores(config, { place: database, log: logger });
  const { clock, close: closeClock } = await openClock(config, { injected: options.clock, db: stores.db, log: logger });
  const links = await openLinks(config, { clock, log: logger });
  const { db, exclusive, blobs } = stores;
  const disk = openDisk(config.dataFolder);
  const engines = await (options.openEngines ?? openEngines)(config, { classes, models, log: logger });
  const metrics = createMetrics({
    ...engines.gauges,
    ...(hasApi ? { queue: () => api?.jobs.facts(), backlogs: () => api?.backlogs() } : {}),
  });
  // Only processes that serve callers charge credits.
  const ledger = createLedger({ db, clock, ...(hasApi ? { rules: countingRules(config) } : {}) });
  const lease = await openLease({
    db,
    role,
    classes,
    exclusive,
    log: logger,
    ...(exclusive ? {} : { installation: { secrets: secretsOf(config), blobs: await blobs.identify() } }),
    engines: { picture: engines.pools.picture?.size ?? 0, model: engines.pools.model?.size ?? 0 },
  }).catch(explainOtherInstallation);
  const settleDependencies = {
    resultKey: config.keys.results,
    db,
    clock,
    ledger,
    blobs,
    bus: links.bus,
    work: links.work,
    log: logger,
    tracing,
    meter: metrics,
  };
  let hasStopSignal = false;
  const isStopping = () => hasStopSignal;
  const api = hasApi
    ? await openApiRole({
        config,
        logger,
        clock,
        stores,
        links,
        ledger,
        lease,
        settleDependencies,
        tracing,
        metrics,
        isStopping,
      })
    : undefined;
  const worker =
    classes.length > 0 ? await openWorker({ config, settleDependencies, lease, classes, engines, disk }) : undefined;
  const app = api?.app ?? (await createWorkerHttp({ config, logger, stores, links, metrics, isStopping, disk }));
  return {
    app,
    db,
    ledger,
    sweep: async () => api?.sweep(),
    async close({ graceMs = 0 } = {}) {
      const until = performance.now() + graceMs;
      // Whole milliseconds: AbortSignal.timeout refuses fractions.
      const leftMs = () => Math.max(0, Math.round(until - performance.now()));
      hasStopSignal = true;
      app.server.closeIdleConnections();
      // Report not ready first, so that the load balancer stops sending calls; refuse calls later.
      if (config.REDIS_URL) await wait(Math.min(noticeMs, graceMs / 4));
      const isAlone = config.REDIS_URL === undefined;
      // From now on new callers reach another process. Calls on open connections are still served.
      if (api && !isAlone && graceMs > 0) app.server.close();
      await api?.drain({ graceMs: leftMs(), isAlone });
      await worker?.close({ graceMs: leftMs() });
      if (api) await api.close({ graceMs: leftMs() });
      else await app.close();
      await lease.close();
      await links.close();
      closeClock();
      await stores.close();
      await tracing.close();
    },
  };
}

/** A worker signs nothing: without TINTYPE_SECRET it has one of its own, which does not matter. */
const secretsOf = (config: Config): readonly string[] =>
  config.TINTYPE_ROLE === "worker" && config.TINTYPE_SECRET === undefined ? [] : acceptedKeys(config, "installation");

/** What an operator corrects if this process differs from those that are alive. */
const sharedSettings = {
  secrets: "TINTYPE_SECRET: the other processes on this database have another secret. Give all of them the same one.",
  blobs:
    "TINTYPE_BLOBS, S3_BUCKET: the other processes on this database store pictures elsewhere. Give all of them the same folder or bucket.",
};

function explainOtherInstallation(problem: unknown): never {
  throw problem instanceof OtherInstallation ? new Error(sharedSettings[problem.differs], { cause: problem }) : problem;
}

type OpenClock = { clock: Clock; close(): void };

async function openClock(
  config: Config,
  { injected, db, log }: { injected: Clock | undefined; db: Database; log: FastifyBaseLogger },
): Promise<OpenClock> {
  if (injected || !config.isProduction)
    return { clock: injected ?? fileClock(join(config.dataFolder, "clock-offset-ms")), close() {} };
  const readTime = async () => {
    const [row] = await rowsOf<{ ms: number }>(
      db.execute(sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`),
    );
    return new Date(row?.ms ?? Number.NaN);
  };
  const clock = await openDatabaseClock(readTime, {
    onProblem: (problem) =>
      log.warn({ err: problem }, "cannot read the database's time; the last known offset is used"),
  });
  const problem = skewProblem(Date.now() - clock.now().getTime());
  if (problem) log.warn(problem);
  return { clock, close: clock.close };
}
