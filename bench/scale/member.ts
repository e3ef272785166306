// A process of the simulated cluster, started by bench/scale.ts: a worker whose engine sleeps, or an API process with
// callers that wait for their pictures. Everything in between is the service's own code. Only HTTP and the pictures
// are left out.
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { limits } from "../../packages/contract/src/index.ts";
import { createLedger } from "../../packages/server/src/features/credits/ledger.ts";
import { createJobs } from "../../packages/server/src/features/jobs/jobs.ts";
import { openLease } from "../../packages/server/src/features/jobs/queue/lease.ts";
import type { SettleDependencies } from "../../packages/server/src/features/jobs/settle/settle.ts";
import { startWorker } from "../../packages/server/src/features/jobs/work/worker.ts";
import { openFolderBlobs } from "../../packages/server/src/platform/blobs/folder.ts";
import { createRedisBus } from "../../packages/server/src/platform/bus/redis.ts";
import { systemClock } from "../../packages/server/src/platform/clock.ts";
import { openPostgres } from "../../packages/server/src/platform/db/postgres.ts";
import { newId } from "../../packages/server/src/platform/id.ts";
import { createLog } from "../../packages/server/src/platform/log.ts";
import { connectRedis } from "../../packages/server/src/platform/redis.ts";
import { noTracing } from "../../packages/server/src/platform/tracing/tracing.ts";
import { createBullmqWork } from "../../packages/server/src/platform/work/bullmq.ts";
import { countStatements } from "../../packages/server/src/testing/count-statements.ts";
import { type MemberOptions, type MemberReport, pictureBytes } from "./member-report.ts";

const options = JSON.parse(process.argv[2] ?? "") as MemberOptions; // bench/scale.ts wrote it
const statements = countStatements();
const log = createLog("error");
const clock = systemClock;
const { db } = await openPostgres(options.databaseUrl);
const redis = connectRedis({ url: options.redisUrl, log });
const work = createBullmqWork({ redis, log });
const bus = createRedisBus({ redis });
const blobs = await openFolderBlobs(options.blobs);
const ledger = createLedger({ db, clock });
const nothing = () => {};
const meter: SettleDependencies["meter"] = {
  countFile: nothing,
  countJob: nothing,
  countLeaseLost: nothing,
  countEngineLost: nothing,
  observeWait: nothing,
};
const settleDependencies = {
  resultKey: "results",
  db,
  clock,
  ledger,
  blobs,
  bus,
  work,
  log,
  tracing: noTracing,
  meter,
};
const isWorker = options.role === "worker";
const lease = await openLease({
  db,
  role: options.role,
  classes: isWorker ? ["picture"] : [],
  exclusive: false,
  log,
});
let files = 0;
let sleptMs = 0;
let waitMs = 0;

async function beWorker(): Promise<void> {
  const facts = { format: "png", width: 1, height: 1, sizeBytes: pictureBytes } as const;
  const [least, most] = options.sleepMs;
  const pool = {
    size: 1,
    async run({ task }: { task: { outputPath: string } }) {
      const begin = performance.now();
      await wait(least + Math.random() * (most - least));
      // Measure the real sleep: a late timer on a busy machine is not the queue's delay.
      sleptMs += performance.now() - begin;
      await writeFile(task.outputPath, Buffer.alloc(pictureBytes));
      files++;
      return { kind: "done" as const, source: facts, result: facts, notes: [] };
    },
    async close() {},
  };
  const worker = await startWorker({
    ...settleDependencies,
    lease,
    disk: { isFull: async () => false },
    classes: ["picture"],
    pools: { picture: pool },
    limitsOf: (tier) => limits[tier],
    spoolBytes: 1e15,
    freeWork: { callerMs: 1e12, networkMs: 1e12 },
    nameResult: (_job, { name }) => name,
  });
  setInterval(() => void worker.beat().catch(nothing), 1_500);
}

async function beApi(): Promise<void> {
  const plenty = 1_000_000;
  const bounds = {
    queueFiles: plenty,
    callerFiles: plenty,
    networkFiles: plenty,
    networkUploads: plenty,
    spoolBytes: 1e15,
    freeWork: { callerMs: 1e12, networkMs: 1e12 },
  };
  const jobs = createJobs({ ...settleDependencies, lease, bounds });
  /** A plain call: upload, charge, wait for a worker elsewhere, delivery, deletion. */
  const call = async (key: string) => {
    const id = newId("job");
    const queue = { key, isShared: false };
    const holder = { key, tier: "pro" } as const;
    await jobs.admit({
      jobId: id,
      queue,
      network: key,
      holder: key,
      limits: limits.pro,
      announcedBytes: pictureBytes,
      payer: holder,
      worker: { owner: key, network: null },
    });
    const place = { jobId: id, name: "in-0" };
    await blobs.write(place, Readable.from([Buffer.alloc(pictureBytes)]), {
      limitBytes: pictureBytes,
      hash: false,
      headBytes: 16,
    });
    const begun = await jobs.begin({
      id,
      holder,
      queue,
      network: null,
      inputs: [],
      waited: true,
      creditsPerFile: 1,
      steps: [{ operation: "compress", options: { quality: 75 } }],
      files: [{ name: "a.png", sizeBytes: pictureBytes, input: place.name, format: "png" }],
    });
    if (begun.kind !== "begun") throw new Error("a new job does not run already");
    const asked = performance.now();
    await begun.ended;
    waitMs += performance.now() - asked;
    const record = await jobs.beginDelivery(id);
    if (record.state !== "done") throw new Error(`a job ended ${record.state}`);
    await jobs.endDelivery(record);
    files++;
  };
  for (let caller = 0; caller < options.callers; caller++)
    void (async () => {
      for (let done = 0; ; done++)
        await call(`person:bench-${process.pid}-${caller}-${Math.floor(done / limits.pro.credits)}`);
    })();
}

process.on("disconnect", () => process.exit(0));
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  const report: MemberReport = { files, sleptMs, waitMs, statements: statements(), cpuMs: (user + system) / 1000 };
  process.send?.(report);
});
await (isWorker ? beWorker() : beApi());
process.send?.("ready");
