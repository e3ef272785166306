import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { DomainError, limits } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import { openFolderBlobs } from "../../platform/blobs/folder.ts";
import { createLocalBus } from "../../platform/bus/local.ts";
import { systemClock } from "../../platform/clock.ts";
import { rowsOf } from "../../platform/db/database.ts";
import { openPostgres } from "../../platform/db/postgres.ts";
import { createLog } from "../../platform/log.ts";
import { noTracing } from "../../platform/tracing/tracing.ts";
import { createLocalWork } from "../../platform/work/local.ts";
import { createDatabase } from "../../testing/backends.ts";
import { proxyTo } from "../../testing/outage.ts";
import { createLedger } from "../credits/ledger.ts";
import { createJobs } from "./jobs.ts";
import { openLease } from "./queue/lease.ts";
import type { SettleDependencies } from "./settle/settle.ts";
import { startWorker } from "./work/worker.ts";

// An API process without a worker, whose database and blob store can be disconnected.

const log = createLog("silent");
const clock = systemClock;
const queue = { key: "a network", isShared: true };
const person = { key: "person:1", tier: "pro" } as const;

const freeWork = { callerMs: 1e6, networkMs: 1e6 };

/** Each test has a database of its own. They run concurrently, since they mostly wait for a write or a sweep that is tried again. */
async function prepare() {
  const own = await createDatabase();
  const databaseOutage = await proxyTo({ port: Number(new URL(own.url).port) });
  const url = new URL(own.url);
  url.port = String(databaseOutage.port);
  /** Bypasses the proxy. */
  const direct = await openPostgres(own.url);
  const database = await openPostgres(url.href);
  const { db, exclusive } = database;
  const lease = await openLease({ db, role: "api", classes: [], exclusive, log });
  const notCalled = () => {
    throw new Error("No file is worked on here.");
  };
  const blobs: Blobs = {
    write: notCalled,
    checkout: notCalled,
    draft: notCalled,
    read: notCalled,
    identify: notCalled,
    close: notCalled,
    remove: async () => {},
  };
  const meter = { countFile() {}, countJob() {}, countLeaseLost() {}, countEngineLost() {}, observeWait() {} };
  const settleDependencies: SettleDependencies = {
    resultKey: "results",
    db,
    clock,
    ledger: createLedger({ db, clock }),
    bus: createLocalBus(),
    work: createLocalWork({ log }),
    blobs,
    log,
    tracing: noTracing,
    meter,
  };
  const jobs = createJobs({
    ...settleDependencies,
    lease,
    bounds: { queueFiles: 100, callerFiles: 100, networkFiles: 100, networkUploads: 1, spoolBytes: 1e9, freeWork },
  });
  return {
    databaseOutage,
    direct,
    lease,
    blobs,
    settleDependencies,
    jobs,
    admit: (jobId: string) =>
      jobs.admit({
        jobId,
        queue,
        network: queue.key,
        holder: person.key,
        limits: limits.pro,
        announcedBytes: 1000,
        payer: undefined,
        worker: { owner: person.key, network: null },
      }),
    begin: (id: string) =>
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
      }),
    blobRows: () => rowsOf<{ job_id: string }>(direct.db.execute(sql`select job_id from job_blobs`)),
    async close() {
      await jobs.close();
      await lease.close();
      await Promise.all([database.close(), direct.close()]);
      await databaseOutage.close();
      await own.close();
    },
  };
}

async function withJobs(work: (prepared: Awaited<ReturnType<typeof prepare>>) => Promise<void>): Promise<void> {
  const prepared = await prepare();
  try {
    await work(prepared);
  } finally {
    await prepared.close();
  }
}

/** `expect.poll` finds its test only if tests run one after the other. */
const soon = <Value>(read: () => Value | Promise<Value>, check: (value: Value) => void) =>
  vi.waitFor(async () => check(await read()), { timeout: 120_000, interval: 50 });

test.concurrent("an upload that fails while the store is away takes no place of its network, and goes once the store is back", () =>
  withJobs(async ({ jobs, blobs, admit, blobRows }) => {
    blobs.remove = async () => {
      throw new DomainError("unavailable");
    };
    await admit("job_first");
    await expect(admit("job_second")).rejects.toMatchObject({ code: "too-many-requests" });
    await jobs.drop("job_first");
    const admitted = () =>
      admit("job_second").then(
        () => "admitted",
        (problem: unknown) => String(problem),
      );
    await soon(admitted, (answer) => expect(answer).toBe("admitted"));
    expect(await blobRows()).toHaveLength(2);
    blobs.remove = async () => {};
    // A sweep that failed at it before tries again after half a minute.
    await soon(blobRows, (rows) => expect(rows).toEqual([{ job_id: "job_second" }]));
  }));

test.concurrent("while the store hangs over a removal, metrics tell how late deletions are", () =>
  withJobs(async ({ jobs, blobs, direct, admit, blobRows }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    blobs.remove = () => held;
    await admit("job_due");
    await direct.db.execute(sql`update job_blobs set uploader = null, delete_after = now() - interval '90 s'`);
    const overdue = () => jobs.facts()?.deletionOverdueSeconds ?? 0;
    await soon(overdue, (seconds) => expect(seconds).toBeGreaterThan(90));
    const then = overdue();
    await soon(overdue, (seconds) => expect(seconds).toBeGreaterThan(then));
    release();
    await soon(blobRows, (rows) => expect(rows).toEqual([]));
  }));

test.concurrent("a process that ends waits until the results that went out are written down, however slow the store is", () =>
  withJobs(async ({ jobs, blobs, admit, begin, blobRows }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    blobs.remove = () => held;
    await admit("job_sent");
    await begin("job_sent");
    void jobs.endDelivery({ id: "job_sent", steps: [] });
    const settled = jobs.settled().then(blobRows);
    release();
    expect(await settled).toEqual([]);
  }));

/** Longer than a write is retried. */
const longOutageMs = 17_000;

test.concurrent("an answer that cannot be given for as long as the database is away is not paid for once it is back", () =>
  withJobs(async ({ jobs, databaseOutage, direct, admit, begin }) => {
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
    await soon(sums, (rows) => expect(rows).toEqual([{ state: "failed", charged: 0, used: 0 }]));
  }));

test.concurrent("a large result is kept while the database is away for a moment", () =>
  withJobs(async ({ settleDependencies, lease, databaseOutage, direct, admit, begin }) => {
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
    await soon(ends, (rows) => expect(rows).not.toEqual([]));
    expect(await ends()).toMatchObject([{ state: "done" }]);
    await worker.close();
    rmSync(folder, { recursive: true });
  }));
