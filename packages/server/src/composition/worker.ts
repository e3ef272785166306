import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Ledger } from "../features/credits/ledger.ts";
import { resultName } from "../features/images/names.ts";
import { Jobs } from "../features/jobs/jobs.ts";
import { createJobStore, type JobStore } from "../features/jobs/store.ts";
import { removeStrays } from "../features/jobs/sweep.ts";
import type { Metrics } from "../http/metrics.ts";
import type { Clock } from "../platform/clock.ts";
import type { Engines } from "./engines.ts";
import type { Stores } from "./stores.ts";

export type Worker = { jobs: Jobs; store: JobStore };

type WorkerDependencies = {
  config: Config;
  log: FastifyBaseLogger;
  clock: Clock;
  stores: Stores;
  ledger: Ledger;
  engines: Engines;
  metrics: Metrics;
};

/** Gives jobs their engines, and first ends or takes up what an earlier process of this data folder left. */
export async function openWorker({ config, log, clock, stores, ...use }: WorkerDependencies): Promise<Worker> {
  const { db, blobs } = stores;
  const store = createJobStore({ db, runner: runnerId(config.dataFolder) });
  const jobs = new Jobs({
    db,
    clock,
    ledger: use.ledger,
    store,
    blobs,
    poolFor: use.engines.poolFor,
    maxQueuedFiles: config.TINTYPE_QUEUE_FILES,
    nameResult: ({ operation }, file, { format }) =>
      resultName(operation, { name: file.name, sourceFormat: file.format, resultFormat: format }),
    limitsOf: (tier) => limits[tier],
    log,
    meter: use.metrics,
  });
  await removeStrays({ jobs, store, blobs });
  await jobs.recoverAtStart();
  return { jobs, store };
}

/** Who this server is to the jobs table: the holder of this data folder, also after a restart. */
function runnerId(dataFolder: string): string {
  const path = join(dataFolder, "runner");
  try {
    writeFileSync(path, randomUUID(), { flag: "wx", mode: 0o600 });
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== "EEXIST") throw problem; // writeFileSync throws errno errors only
  }
  return readFileSync(path, "utf8");
}
