import { DomainError, isFinal, type Job, type TaskName, timeLimitsOf } from "@tintype/contract";
import type { PictureFacts, PictureLimits, Task } from "@tintype/imaging";
import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { EnginePool } from "../../platform/engine-pool.ts";
import type { Holder } from "../credits/allowance.ts";
import { claimKey, type IdempotencyKey } from "../credits/idempotency.ts";
import type { Ledger } from "../credits/ledger.ts";
import { chargeJob, costsCredits } from "./charge.ts";
import { applyFailure, applyOutcome, type FileRecord, finalState, type JobRecord, jobView, owedFiles } from "./job.ts";
import { isWaiting, LiveJob } from "./live-job.ts";
import type { JobStore } from "./store.ts";

export type NewJob = {
  id: string;
  holder: Holder;
  operation: TaskName;
  options: unknown;
  files: FileRecord[];
  /** A connection waits for the answer; after a crash nobody would ask for it again. */
  waited: boolean;
  idempotency?: IdempotencyKey;
};

export type JobDependencies = {
  db: Database;
  clock: Clock;
  ledger: Ledger;
  store: JobStore;
  blobs: Blobs;
  /** Which engines work on a task. */
  poolFor(task: TaskName): EnginePool;
  /** Files that may wait for an engine at a time, of everybody. */
  maxQueuedFiles: number;
  /** What the result of a file is called. */
  nameResult(job: Pick<JobRecord, "operation" | "options">, file: FileRecord, result: PictureFacts): string;
  limitsOf(tier: JobRecord["tier"]): PictureLimits;
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
  meter: { countFile(operation: string, outcome: string): void; countJob(operation: string, outcome: string): void };
};

/** A job that the server died under so often is given up. */
const maxAttempts = 3;
/** How often the row of a long job is brought up to date, so that a restart does not begin at the start. */
const saveGapMs = 1000;

/** Every job of this server, from the moment its pictures are here until they are gone. */
export class Jobs {
  readonly #use: JobDependencies;
  readonly #alive = new Map<string, LiveJob>();
  #isClosing = false;

  constructor(dependencies: JobDependencies) {
    this.#use = dependencies;
  }

  /** Files waiting for an engine or in work. */
  get pendingFiles(): number {
    let pending = 0;
    for (const { record } of this.#alive.values()) pending += record.files.filter(isWaiting).length;
    return pending;
  }

  /** @throws full while too many files wait already */
  checkRoom(files: number): void {
    if (this.#isClosing || this.pendingFiles + files > this.#use.maxQueuedFiles)
      throw new DomainError("full", { retryAfterSeconds: 5 });
  }

  /**
   * Charges a job and begins it.
   * @throws full, out-of-credits, network-allowance, and what `claimKey` throws; then nothing has begun
   */
  async begin(job: NewJob): Promise<LiveJob> {
    this.checkRoom(job.files.filter(isWaiting).length);
    const { db, clock, ledger, store } = this.#use;
    const now = clock.now();
    const record = newRecord(job, now);
    const usage = await db.transaction(async (tx) => {
      const claim = job.idempotency
        ? await claimKey(tx, job.idempotency, { jobId: job.id, now })
        : ({ kind: "first" } as const);
      const taken = await chargeJob(tx, record, { ledger, holder: job.holder, claim });
      await store.insert(tx, record);
      return taken;
    });
    const { used, limit } = usage ?? (await ledger.usage(job.holder));
    return this.#start(new LiveJob(record, { charged: record.charged, remaining: Math.max(0, limit - used), limit }));
  }

  /** The job, if it is one of these owners'. @throws not-found for anybody else's, just like for one that never was */
  async find(id: string, owners: readonly string[]): Promise<JobRecord> {
    const record = this.#alive.get(id)?.record ?? (await this.#use.store.find(id));
    if (!record || !owners.includes(record.owner)) throw new DomainError("not-found");
    return record;
  }

  /** The job as its owner sees it, with what it cost and what they have left now. */
  async view(record: JobRecord, caller: Holder): Promise<Job> {
    const live = this.#alive.get(record.id);
    if (live) return live.view();
    if (!costsCredits(record.operation)) return jobView(record);
    // What somebody began as a guest stays the guest's, whoever they have become.
    const { owner, charged } = record;
    const { used, limit } = await this.#use.ledger.usage(
      owner === caller.key ? caller : { key: owner, tier: record.tier },
    );
    return jobView(record, { charged, remaining: Math.max(0, limit - used), limit });
  }

  live(id: string): LiveJob | undefined {
    return this.#alive.get(id);
  }

  /** Stops the work, drops the pictures, and returns the credits of what nobody has had. @throws not-found */
  async cancel(id: string, owners: readonly string[]): Promise<JobRecord> {
    const record = await this.find(id, owners);
    const job = this.#alive.get(id);
    if (job) {
      job.abort.abort();
      return job.ended.promise;
    }
    if (!record.removedAt) await this.remove(record);
    return record;
  }

  /** Remembers how far results went out, and removes the job's pictures once all have. */
  async markDelivered(record: JobRecord, indexes: readonly number[], delivery: "begun" | "whole"): Promise<void> {
    for (const index of indexes) {
      const file = record.files[index];
      if (file && file.delivery !== "whole") file.delivery = delivery;
    }
    if (delivery === "begun" || !isFinal(record.state) || record.removedAt) return;
    if (record.files.every((file) => file.state !== "done" || file.delivery === "whole")) await this.remove(record);
    else await this.#use.store.save(this.#use.db, record);
  }

  /** The job's pictures go, and their names with them. */
  async remove(record: JobRecord): Promise<void> {
    record.removedAt = this.#use.clock.now();
    await this.#use.blobs.remove(record.id);
    await this.#use.store.saveRemoved(record);
  }

  /** To be called once, before requests are taken: the end of what this server had in hand when it died. */
  async recoverAtStart(): Promise<void> {
    for (const record of await this.#use.store.undelivered()) await this.#giveUp(record);
    await this.recover();
  }

  /** Ends, or takes up again, what a dead process left. */
  async recover(): Promise<void> {
    for (const { isOurs, ...record } of await this.#use.store.orphans(this.#use.clock.now())) {
      if (this.#alive.has(record.id)) continue;
      if (isOurs && !record.waited && record.attempt < maxAttempts) await this.#takeUp(record);
      else await this.#giveUp(record);
    }
  }

  /** Waits until what is in work has ended; what nobody waits for is left to the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.allSettled([...this.#alive.values()].map((job) => job.ended.promise));
  }

  #start(job: LiveJob): LiveJob {
    const { id } = job.record;
    this.#alive.set(id, job);
    this.#work(job)
      .then(job.ended.resolve, (problem: unknown) => {
        this.#use.log.error({ err: problem, job: id }, "job could not be ended");
        job.ended.reject(problem);
      })
      .finally(() => this.#alive.delete(id));
    return job;
  }

  async #work(job: LiveJob): Promise<JobRecord> {
    const { record } = job;
    record.state = "running";
    let savedAt = performance.now();
    await Promise.all(
      record.files.map(async (file, index) => {
        if (!isWaiting(file)) return;
        await this.#workOnFile(job, file, index);
        if (record.waited || performance.now() - savedAt < saveGapMs) return;
        savedAt = performance.now();
        await this.#use.store.save(this.#use.db, record);
      }),
    );
    if (!this.#isLeftToNextStart(job)) await this.#end(job);
    return record;
  }

  #isLeftToNextStart({ record, abort }: LiveJob): boolean {
    return this.#isClosing && !record.waited && !abort.signal.aborted;
  }

  async #workOnFile(job: LiveJob, file: FileRecord, index: number): Promise<void> {
    const { record } = job;
    const { blobs, log, meter, nameResult, poolFor } = this.#use;
    try {
      const outcome = await poolFor(record.operation).run({
        task: this.#taskOf(record, file),
        owner: record.owner,
        lane: record.fast ? "fast" : "normal",
        ...timeLimitsOf(record.operation, file.format),
        signal: job.abort.signal,
        progress: ({ fraction, stage }) => {
          file.state = "working";
          file.progress = Math.min(1, Math.max(file.progress, fraction));
          if (stage) file.stage = stage;
          else delete file.stage;
          job.tellFile(index);
        },
      });
      applyOutcome(file, outcome, (result) => nameResult(record, file, result));
    } catch (problem) {
      if (this.#isLeftToNextStart(job)) return;
      applyFailure(file, problem);
      const cause = problem instanceof Error ? problem.cause : undefined;
      if (file.code === "engine-failed" || file.code === "unavailable")
        log.error({ err: problem, cause, job: record.id, operation: record.operation }, "a picture failed");
    }
    meter.countFile(record.operation, file.state);
    // Room for the rest; what one file leaves goes in a moment with its result.
    if (!record.waited || record.files.length > 1) await blobs.remove(record.id, file.input);
    job.tellFile(index);
  }

  #taskOf({ id, operation, options, tier }: JobRecord, file: FileRecord): Task {
    const background = backgroundBlob(options);
    return {
      name: operation,
      options,
      inputPath: this.#use.blobs.path(id, file.input),
      outputPath: this.#use.blobs.path(id, file.output),
      ...(background ? { backgroundPath: this.#use.blobs.path(id, background) } : {}),
      limits: this.#use.limitsOf(tier),
    };
  }

  async #end(job: LiveJob): Promise<void> {
    const { record } = job;
    record.state = finalState(record.files, { cancelled: job.abort.signal.aborted });
    for (const file of record.files) if (!isFinal(file.state)) file.state = "cancelled";
    record.finishedAt = this.#use.clock.now();
    const returned = await this.#settle(record);
    if (job.credits)
      job.credits = { ...job.credits, charged: record.charged, remaining: job.credits.remaining + returned };
    this.#use.meter.countJob(record.operation, record.state);
    if (record.state !== "done") await this.remove(record);
    job.tellJob();
  }

  /** The job's end and its credits in one transaction: neither is ever seen without the other. */
  async #settle(record: JobRecord): Promise<number> {
    const { db, ledger, store } = this.#use;
    const files = record.replay ? [] : owedFiles(record);
    if (files.length === 0) {
      await store.save(db, record);
      return 0;
    }
    return db.transaction(async (tx) => {
      const returned = await ledger.giveBack(tx, { jobId: record.id, files });
      record.charged -= returned;
      await store.save(tx, record);
      return returned;
    });
  }

  async #takeUp(record: JobRecord): Promise<void> {
    for (const file of record.files) if (!isFinal(file.state)) Object.assign(file, { state: "waiting", progress: 0 });
    record.attempt++;
    await this.#use.store.save(this.#use.db, record);
    this.#start(new LiveJob(record, undefined));
  }

  async #giveUp(record: JobRecord): Promise<void> {
    for (const file of record.files) if (file.delivery !== "whole") applyFailure(file, new DomainError("interrupted"));
    record.state = "failed";
    record.finishedAt = this.#use.clock.now();
    await this.#settle(record);
    await this.remove(record);
    this.#use.log.warn({ job: record.id, operation: record.operation }, "ended a job that a dead process left");
  }
}

function newRecord({ id, holder, operation, options, files, waited }: NewJob, now: Date): JobRecord {
  return {
    id,
    owner: holder.key,
    tier: holder.tier,
    operation,
    options,
    state: "queued",
    waited,
    fast: false,
    charged: 0,
    replay: false,
    files,
    attempt: 1,
    createdAt: now,
    finishedAt: null,
    removedAt: null,
  };
}

/** The blob of a second picture that goes with every file; set by us after a form's options were parsed. */
export const backgroundOption = "background_blob";
const backgroundBlob = (options: unknown): string | undefined =>
  typeof options === "object" && options !== null && backgroundOption in options
    ? String(options[backgroundOption])
    : undefined;
