import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { DomainError, limits } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { openFolderBlobs } from "../../platform/blobs/folder.ts";
import { createLocalBus } from "../../platform/bus/local.ts";
import { systemClock } from "../../platform/clock.ts";
import { type OpenDatabase, rowsOf } from "../../platform/db/database.ts";
import { openPostgres } from "../../platform/db/postgres.ts";
import { createLog } from "../../platform/log.ts";
import { noTracing } from "../../platform/tracing/tracing.ts";
import { createLocalWork } from "../../platform/work/local.ts";
import { type Outage, proxyTo } from "../../testing/outage.ts";
import { startPostgres, type TestPostgres } from "../../testing/postgres.ts";
import { createLedger } from "../credits/ledger.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { type Lease, openLease } from "./queue/lease.ts";
import type { SettleDependencies } from "./settle/settle.ts";
import { startWorker } from "./work/worker.ts";

// An API process without a worker, whose database and blob store can be disconnected.

const log = createLog("silent");
const clock = systemClock;
const queue = { key: "a network", isShared: true };
const person = { key: "person:1", tier: "pro" } as const;

let postgres: TestPostgres;
let databaseOutage: Outage;
/** Bypasses the proxy. */
let direct: OpenDatabase;
let database: OpenDatabase;
let lease: Lease;
let settleDependencies: SettleDependencies;
let jobs: Jobs;
let removeBlobs: Blobs["remove"];

const freeWork = { callerMs: 1e6, networkMs: 1e6 };

beforeEach(async () => {
  postgres = await startPostgres();
  databaseOutage = await proxyTo({ port: Number(new URL(postgres.url).port) });
  const url = new URL(postgres.url);
  url.port = String(databaseOutage.port);
  [direct, database] = [await openPostgres(postgres.url), await openPostgres(url.href)];
  const { db, exclusive } = database;
  lease = await openLease({ db, role: "api", classes: [], exclusive, log });
  const notCalled = () => {
    throw new Error("No file is worked on here.");
  };
  const blobs = {
    write: notCalled,
    checkout: notCalled,
    draft: notCalled,
    read: notCalled,
    identify: notCalled,
    close: notCalled,
  };
  removeBlobs = async () => {};
  const meter = { countFile() {}, countJob() {}, countLeaseLost() {}, countEngineLost() {}, observeWait() {} };
  settleDependencies = {
    db,
    clock,
    ledger: createLedger({ db, clock }),
    bus: createLocalBus(),
    work: createLocalWork({ log }),
    blobs: { ...blobs, remove: (...what) => removeBlobs(...what) },
    log,
    tracing: noTracing,
    meter,
  };
  jobs = createJobs({
    ...settleDependencies,
    lease,
    bounds: { queueFiles: 100, callerFiles: 100, networkFiles: 100, networkUploads: 1, spoolBytes: 1e9, freeWork },
  });
});
afterEach(async () => {
  await jobs.close();
  await lease.close();
  await Promise.all([database.close(), direct.close()]);
  await databaseOutage.close();
  await postgres.close();
});

const admit = (jobId: string) =>
  jobs.admit({
    jobId,
    queue,
    network: queue.key,
    holder: person.key,
    limits: limits.pro,
    announcedBytes: 1000,
    payer: undefined,
    worker: { owner: person.key, network: null },
  });
const begin = (id: string) =>
  jobs.begin({
    id,
    holder: person,
    queue: { key: person.key, isShared: false },
    network: null,
    inputs: [],
    waited: true,
    creditsPerFile: 1,
    steps: [{ operation: "compress", options: {} }],
    files: [{ name: "a.png", sizeBytes: 1000, input: "in-0", format: "png" }],
  });
const blobRows = () => rowsOf<{ job_id: string }>(direct.db.execute(sql`select job_id from job_blobs`));

test("an upload that fails while the store is away takes no place of its network, and goes once the store is back", async () => {
  removeBlobs = async () => {
    throw new DomainError("unavailable");
  };
  await admit("job_first");
  await expect(admit("job_second")).rejects.toMatchObject({ code: "too-many-requests" });
  await jobs.drop("job_first");
  await expect.poll(() => admit("job_second").then(() => "admitted", String)).toBe("admitted");
  expect(await blobRows()).toHaveLength(2);
  removeBlobs = async () => {};
  // A sweep that failed at it before tries again after half a minute.
  await expect.poll(blobRows).toEqual([{ job_id: "job_second" }]);
});

test("while the store hangs over a removal, metrics tell how late deletions are", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  removeBlobs = () => held;
  await admit("job_due");
  await direct.db.execute(sql`update job_blobs set uploader = null, delete_after = now() - interval '90 s'`);
  await expect.poll(() => jobs.facts()?.deletionOverdueSeconds).toBeGreaterThan(90);
  const then = jobs.facts()?.deletionOverdueSeconds ?? 0;
  await expect.poll(() => jobs.facts()?.deletionOverdueSeconds).toBeGreaterThan(then);
  release();
  await expect.poll(blobRows).toEqual([]);
});

test("a process that ends waits until the results that went out are written down, however slow the store is", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  removeBlobs = () => held;
  await admit("job_sent");
  await begin("job_sent");
  void jobs.endDelivery({ id: "job_sent", steps: [] });
  const settled = jobs.settled().then(blobRows);
  release();
  expect(await settled).toEqual([]);
});

/** Longer than a write is retried. */
const longOutageMs = 17_000;

test("an answer that cannot be given for as long as the database is away is not paid for once it is back", async () => {
  await admit("job_waited");
  const begun = await begin("job_waited");
  expect(begun).toMatchObject({ kind: "begun", credits: { charged: 1 } });
  databaseOutage.cut();
  jobs.abandon("job_waited");
  await new Promise((done) => setTimeout(done, longOutageMs));
  databaseOutage.mend();
  const sums = () =>
    rowsOf(
      direct.db.execute(sql`select state, charged, (select sum(credits)::int from credit_entries) as used from jobs`),
    );
  await expect.poll(sums).toEqual([{ state: "failed", charged: 0, used: 0 }]);
});

test("a large result is kept while the database is away for a moment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tintype-outage-"));
  const blobs = await openFolderBlobs(folder);
  await admit("job_large");
  const place = { jobId: "job_large", name: "in-0" };
  await blobs.write(place, Readable.from([Buffer.alloc(1000)]), { limitBytes: 1e6, hash: false, headBytes: 0 });
  const facts = { format: "png", width: 1, height: 1, sizeBytes: 2e6 } as const;
  const worker = await startWorker({
    ...settleDependencies,
    blobs,
    lease,
    disk: { isFull: async () => false },
    classes: ["picture"],
    spoolBytes: 1e9,
    freeWork,
    limitsOf: () => ({ megapixelsIn: 1, megapixelsOut: 1 }),
    nameResult: () => "a.png",
    pools: {
      picture: {
        size: 1,
        async run({ task }) {
          writeFileSync(task.outputPath, Buffer.alloc(2e6));
          databaseOutage.cut();
          setTimeout(() => databaseOutage.mend(), 100);
          return { kind: "done", source: facts, result: facts, notes: [] };
        },
        close: async () => {},
      },
    },
  });
  expect(await begin("job_large")).toMatchObject({ kind: "begun" });
  const ends = () =>
    rowsOf(direct.db.execute(sql`select state, reason from job_files where state not in ('waiting', 'working')`));
  await expect.poll(ends).not.toEqual([]);
  expect(await ends()).toMatchObject([{ state: "done" }]);
  await worker.close();
  rmSync(folder, { recursive: true });
});
