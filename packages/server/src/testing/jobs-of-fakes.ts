import { DomainError, limits } from "@tintype/contract";
import type { Outcome } from "@tintype/imaging";
import { createLedger } from "../features/credits/ledger.ts";
import { createJobs, type Jobs } from "../features/jobs/jobs.ts";
import type { SettleDependencies } from "../features/jobs/settle/settle.ts";
import { startWorker, type Worker } from "../features/jobs/work/worker.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { createLocalBus } from "../platform/bus/local.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import type { Disk } from "../platform/disk.ts";
import type { EngineRun } from "../platform/engine.ts";
import { newId } from "../platform/id.ts";
import { createLog } from "../platform/log.ts";
import { noTracing } from "../platform/tracing/tracing.ts";
import { createLocalWork } from "../platform/work/local.ts";

const log = createLog("silent");
const freeWork = { callerMs: 1e9, networkMs: 1e9 };
const facts = { format: "png", width: 1, height: 1, sizeBytes: 1000 } as const;

/** A picture in work at a fake engine, which the test ends. */
export type FakeRun = {
  /** Of the job. */
  owner: string;
  end(how?: Partial<Extract<Outcome, { kind: "done" }>>): void;
  fail(problem: unknown): void;
  isStopped(): boolean;
};

export type FakeService = {
  settleDependencies: SettleDependencies;
  jobs: Jobs;
  worker: Worker;
  running: FakeRun[];
  /** Starts a job of one picture. Returns its id. */
  begin(owner: string, more?: { network?: string | null; files?: number; key?: string; id?: string }): Promise<string>;
  close(): Promise<void>;
};

/** Empty blobs, for tests that only look at rows. */
const noBlobs: Blobs = {
  write: async () => ({ sizeBytes: 1000, sha256: undefined, head: Buffer.alloc(0) }),
  checkout: async () => ({ path: "/dev/null", release: async () => {} }),
  draft: async () => ({ path: "/dev/null", commit: async () => {}, discard: async () => {} }),
  read: () => Promise.reject(new Error("nothing is kept")),
  remove: async () => {},
  identify: async () => "store",
  close: async () => {},
};

/**
 * Jobs, queue and a worker on a real database, with fake engines whose pictures a test ends: tests of order and credits
 * process no real picture.
 */
export async function startFakeService(
  db: Database,
  {
    clock,
    engines,
    processId = newId("proc"),
    disk = { isFull: async () => false },
  }: { clock: Clock; engines: number; processId?: string; disk?: Disk },
): Promise<FakeService> {
  const lease = {
    id: processId,
    isHeld: () => true,
    isReliable: () => true,
    setTakesWork: async () => {},
    close: async () => {},
  };
  const meter = { countFile() {}, countJob() {}, countLeaseLost() {}, countEngineLost() {}, observeWait() {} };
  const settleDependencies: SettleDependencies = {
    resultKey: "results",
    db,
    clock,
    ledger: createLedger({ db, clock }),
    bus: createLocalBus(),
    work: createLocalWork({ log }),
    blobs: noBlobs,
    log,
    tracing: noTracing,
    meter,
  };
  const plenty = 1_000_000;
  const jobs = createJobs({
    ...settleDependencies,
    lease,
    // Tests sweep explicitly.
    sweepIntervalMs: 3_600_000,
    bounds: {
      queueFiles: plenty,
      callerFiles: plenty,
      networkFiles: plenty,
      networkUploads: plenty,
      spoolBytes: 1e15,
      freeWork,
    },
  });
  const running: FakeRun[] = [];
  let isClosed = false;
  const run = ({ task, signal }: EngineRun) => {
    if (isClosed) return Promise.reject(new DomainError("interrupted"));
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const one: FakeRun = {
      owner: String((task.options as { owner?: string }).owner),
      end: (how = {}) => resolve({ kind: "done", source: facts, result: facts, notes: [], ...how }),
      fail: reject,
      isStopped: () => signal.aborted,
    };
    running.push(one);
    signal.addEventListener("abort", () => reject(new Error("stopped")));
    return promise.finally(() => running.splice(running.indexOf(one), 1));
  };
  const endAll = async () => {
    isClosed = true;
    for (const one of [...running]) one.fail(new DomainError("interrupted"));
  };
  const worker = await startWorker({
    ...settleDependencies,
    lease,
    disk,
    classes: ["picture"],
    spoolBytes: 1e15,
    freeWork,
    sliceMs: 0,
    limitsOf: () => ({ megapixelsIn: 1, megapixelsOut: 1 }),
    nameResult: () => "a.png",
    pools: { picture: { size: engines, run, close: endAll } },
  });
  return {
    settleDependencies,
    jobs,
    worker,
    running,
    async begin(owner, { network = null, files = 1, key, id = newId("job") } = {}) {
      const queue = { key: owner, isShared: false };
      const holder = { key: owner, tier: "pro" } as const;
      await jobs.admit({
        jobId: id,
        queue,
        network: owner,
        holder: owner,
        limits: limits.pro,
        announcedBytes: 1000,
        payer: undefined,
        worker: { owner, network },
      });
      await jobs.begin({
        id,
        holder,
        queue,
        network,
        inputs: [],
        waited: true,
        creditsPerFile: 1,
        steps: [{ operation: "compress", options: { owner } }],
        files: Array.from({ length: files }, (_, i) => ({ name: `${i}.png`, sizeBytes: 1000, input: `in-${i}` })),
        ...(key === undefined ? {} : { idempotency: { owner, key, fingerprint: key } }),
      });
      return id;
    },
    async close() {
      await worker.close();
      await jobs.close();
    },
  };
}
