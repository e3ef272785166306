import { setTimeout as wait } from "node:timers/promises";
import { type Credits, costsCredits, DomainError, isFinal, type Job, type Limits } from "@tintype/contract";
import type { JobList } from "@tintype/contract/schemas";
import { type Caller, ownersOf } from "../../http/caller.ts";
import { pageOf } from "../../platform/db/page.ts";
import { repeat } from "../../platform/repeat.ts";
import type { Holder } from "../credits/allowance.ts";
import { isKnownKey } from "../credits/idempotency.ts";
import {
  beginDelivery,
  type Deliveries,
  endDelivery,
  endKeptDelivery,
  forgetPictures,
  noteDelivered,
  removeSoon,
} from "./deliver/delivery.ts";
import { admitBytes, admitUpload, type Bounds, dropUpload, isUpload, type Upload } from "./limits/admission.ts";
import { requireOpenNetwork } from "./limits/blocked-networks.ts";
import { backgroundWork, type FreeWorker, requireFreeWork } from "./limits/free-work.ts";
import { full } from "./limits/places.ts";
import { type BeginOutcome, beginJob, type NewJob } from "./queue/begin.ts";
import type { Lease } from "./queue/lease.ts";
import { type JobRecord, jobView, keepsPictures } from "./record/job.ts";
import { retrying } from "./record/retrying.ts";
import { findJob, findJobsOf, outliveConnection, positionOf, readJobCursor } from "./record/store.ts";
import { createJobWatch, type JobWatch } from "./record/watch.ts";
import { discardFile } from "./settle/discard.ts";
import { cancelFile, type EarlyEnd, endEarly, type SettleDependencies } from "./settle/settle.ts";
import { forgetOldRows, type QueueFacts, queueFacts, removeDue, sweepJobs } from "./sweep.ts";

export type JobDependencies = SettleDependencies & {
  lease: Lease;
  bounds: Bounds;
  /** ms. Default: 1 s. */
  sweepIntervalMs?: number;
};

/** The lifecycle of jobs, from the upload to the deletion of the pictures, whichever processes handle them. */
export type Jobs = Deliveries & {
  watch: JobWatch;
  /**
   * Reserves storage for an upload, and records its prefix. `payer` needs a credit, unless the key was already charged.
   * `worker` must have free work left, since a credit can be refunded, and its network must not be blocked.
   * `isBackground`: leaves half of the free work to other requests.
   * @throws full, too-many-requests, out-of-credits, network-allowance, network-blocked
   */
  admit(
    upload: Omit<Upload, "sharedNetwork"> & {
      payer: Holder | undefined;
      worker: FreeWorker;
      isBackground?: boolean;
      idempotencyKey?: string | undefined;
    },
  ): Promise<void>;
  /**
   * Checks that a payer can pay for this many pictures before the server fetches them. `admit` checks for one.
   * @throws out-of-credits, network-allowance
   */
  requireCredits(payer: Holder, needs: { files: number; idempotencyKey: string | undefined }): Promise<void>;
  /** Reserves storage for further bytes that are uploaded, or that the server fetches. @throws full, too-many-requests */
  admitBytes(jobId: string, bytes: number, limits: Limits): Promise<void>;
  /** Abandons an upload. If the store or the database does not respond now, it is removed later. */
  drop(jobId: string): Promise<void>;
  begin(job: NewJob): Promise<BeginOutcome>;
  /** The job, if it belongs to one of these owners. @throws not-found for someone else's job as for one that does not exist */
  find(id: string, owners: readonly string[]): Promise<JobRecord>;
  /**
   * The owner's jobs of the last day, newest first. `next` is the cursor of the following, older ones.
   * @throws invalid-request
   */
  list(caller: Caller, page: { before?: string | undefined; size: number }): Promise<JobList>;
  /** The job as its owner sees it, with its cost and the credits left now. */
  view(record: JobRecord, caller: Holder): Promise<Job>;
  credits(record: JobRecord, caller: Holder): Promise<Credits | undefined>;
  /** Stops the work, deletes the pictures, and refunds the files that were not delivered. @throws not-found */
  cancel(id: string, owners: readonly string[]): Promise<JobRecord>;
  /**
   * Ends one file that waits or is in work, and refunds its credit. The others continue. A finished one is discarded if
   * `discardFile` allows it.
   * @throws not-found, and what `discardFile` throws
   */
  cancelFile(id: string, index: number, owners: readonly string[]): Promise<JobRecord>;
  /**
   * Ends any caller's unfinished job, as `cancel` does. `also` writes in the same transaction.
   * @throws not-found; conflict if it has already ended
   */
  end(id: string, also: NonNullable<EarlyEnd["also"]>): Promise<void>;
  /**
   * The connection that began the job is gone: ends the job and refunds it, once the database responds, unless its
   * delivery has begun. `isKeyed`: a repeat under its key may follow it by now, and then it continues.
   */
  hangUp(id: string, how: { isKeyed: boolean }): Promise<void>;
  /** A waited job's caller has its address now: it no longer ends with the connection or the process. */
  outliveConnection(id: string, how: { isCharged: boolean }): void;
  /** The answer of a waited job could not be sent: refunds what was not delivered, once the database responds. */
  abandon(id: string): void;
  /** Runs the sweep. Every API process runs it each second; tests call it directly. */
  sweep(): Promise<void>;
  /** The queue as of the last sweep. */
  facts(): QueueFacts | undefined;
  /**
   * Waits up to `graceMs` for jobs whose callers wait and for uploads in progress, then accepts no job. A process that is
   * alone refuses new uploads at once; others accept those that still arrive on their connections.
   */
  drain(how: { graceMs: number; isAlone: boolean }): Promise<void>;
  isDraining(): boolean;
  /** Ends the jobs whose callers still wait, with the error for a restarting server. */
  close(): Promise<void>;
};

/** @throws not-found if its account was deleted meanwhile */
function known(record: JobRecord | undefined): JobRecord {
  if (!record) throw new DomainError("not-found");
  return record;
}

/** How long a job's row is kept after its end. */
const jobRetentionMs = 24 * 3_600_000;
const defaultSweepIntervalMs = 1_000;
const cleanupIntervalMs = 60_000;
const drainPollMs = 50;

export function createJobs(dependencies: JobDependencies): Jobs {
  const { db, clock, ledger, blobs, lease, bounds, log } = dependencies;
  const watch = createJobWatch(dependencies);
  const waited = new Set<string>();
  /** Uploads in progress, or whose job has not started, with the holders of their bytes. */
  const uploads = new Map<string, string>();
  let isDraining = false;
  let isRefusingUploads = false;
  let isClosing = false;
  let facts: QueueFacts | undefined;
  let forgotAt = Number.NEGATIVE_INFINITY;

  const find: Jobs["find"] = async (id, owners) => {
    const record = await findJob(db, id);
    if (!record || !owners.includes(record.owner)) throw new DomainError("not-found");
    return record;
  };
  const remove = async (id: string, { isDelivered }: { isDelivered: boolean }) => {
    await blobs.remove(id);
    await forgetPictures(db, id, { now: clock.now(), isDelivered });
  };
  /** Returns whether it ended the job. Pictures that could not be removed are left to the sweep. */
  const endManually = async (id: string, how: Pick<EarlyEnd, "also" | "hangUp"> = {}) => {
    const ended = await endEarly(dependencies, id, {
      state: "cancelled",
      code: "cancelled",
      ...how,
    });
    if (ended?.isRemoved) await forgetPictures(db, id, { now: clock.now(), isDelivered: false });
    return ended !== undefined;
  };
  const credits: Jobs["credits"] = async (record, caller) => {
    if (!costsCredits(record.operation)) return undefined;
    const { owner, charged, tier } = record;
    // A job started as a guest stays the guest's after a sign-in.
    const { used, limit } = await ledger.usage(owner === caller.key ? caller : { key: owner, tier });
    return { charged, remaining: Math.max(0, limit - used), limit };
  };

  const requireCredits: Jobs["requireCredits"] = async (payer, { files, idempotencyKey: key }) => {
    // A repeat of a charged request needs no credit.
    if (key !== undefined && (await isKnownKey(db, { owner: payer.key, key }))) return;
    await ledger.requireCredit(payer, files);
  };

  /** Ends that could not be recorded while the database was down. */
  const unwritten = new Set<() => Promise<unknown>>();
  const writeDown = (end: () => Promise<unknown>) =>
    end().catch((problem: unknown) => {
      log.warn({ err: problem }, "cannot record the end of a job or upload; it is retried");
      unwritten.add(end);
    });
  const delivering = new Set<Promise<void>>();
  const endDeliveryOf: Jobs["endDelivery"] = async ({ id, steps }, indexes) => {
    if (keepsPictures(steps)) return retrying(() => endKeptDelivery(db, id, indexes));
    if (indexes !== undefined && !(await retrying(() => endDelivery(db, id, indexes)))) return;
    try {
      await remove(id, { isDelivered: true });
    } catch (problem) {
      await retrying(() => removeSoon(db, id, clock.now()));
      throw problem;
    }
  };

  const sweepOnce = async () => {
    await sweepJobs(dependencies);
    for (const end of unwritten) {
      await end();
      unwritten.delete(end);
    }
    facts = await queueFacts(dependencies);
    if (performance.now() - forgotAt < cleanupIntervalMs) return;
    forgotAt = performance.now();
    await forgetOldRows(dependencies);
  };
  const rounds = [sweepOnce, () => removeDue(dependencies)].map((work) =>
    repeat(work, {
      intervalMs: dependencies.sweepIntervalMs ?? defaultSweepIntervalMs,
      onProblem: (problem) => log.error({ err: problem }, "sweeping jobs failed"),
    }),
  );

  return {
    watch,
    async admit({ payer, worker, isBackground = false, idempotencyKey, ...upload }) {
      if (isRefusingUploads) throw full();
      if (payer) await requireCredits(payer, { files: 1, idempotencyKey });
      const isRepeat =
        payer && idempotencyKey !== undefined && (await isKnownKey(db, { owner: payer.key, key: idempotencyKey }));
      if (!isRepeat) await requireOpenNetwork(db, { network: worker.network, now: clock.now() });
      const freeWork = isBackground ? backgroundWork(bounds.freeWork) : bounds.freeWork;
      await requireFreeWork(db, { ...worker, limits: freeWork, now: clock.now() });
      await admitUpload({ db, clock, bounds, process: lease.id }, { ...upload, sharedNetwork: worker.network });
      uploads.set(upload.jobId, upload.holder);
    },
    requireCredits,
    async admitBytes(jobId, bytes, limits) {
      const holder = uploads.get(jobId);
      if (holder === undefined) throw new DomainError("interrupted");
      await admitBytes({ db, bounds }, { jobId, holder, bytes, limits });
    },
    async drop(id) {
      uploads.delete(id);
      try {
        if (await isUpload(db, id)) await remove(id, { isDelivered: false });
      } catch {
        void writeDown(() => dropUpload(db, { jobId: id, now: clock.now() }));
      }
    },
    async begin(job) {
      if (isClosing) throw full();
      const begun = await beginJob({ ...dependencies, watch, process: lease.id }, job);
      if (begun.kind === "begun") uploads.delete(job.id);
      if (begun.kind === "begun" && job.waited) {
        waited.add(job.id);
        void begun.ended.finally(() => waited.delete(job.id));
      }
      return begun;
    },
    find,
    async list(caller, { before, size }) {
      const since = new Date(clock.now().getTime() - jobRetentionMs);
      const after = readJobCursor(before);
      const found = await findJobsOf(db, { owners: ownersOf(caller), since, before: after, limit: size + 1 });
      const { shown, next } = pageOf(found, { size, cursorOf: ({ id }) => id });
      return { jobs: shown.map((record) => jobView(record)), next };
    },
    async view(record, caller) {
      const position = isFinal(record.state) ? undefined : await positionOf(db, record);
      const cost = await credits(record, caller);
      return jobView(record, {
        ...(cost ? { credits: cost } : {}),
        ...(position === undefined ? {} : { position }),
      });
    },
    credits,
    async cancel(id, owners) {
      const record = await find(id, owners);
      if (!isFinal(record.state) && (await endManually(id))) return find(id, owners);
      if (!record.removedAt) await remove(id, { isDelivered: false });
      return find(id, owners);
    },
    async cancelFile(id, index, owners) {
      const record = await find(id, owners);
      if (!record.files.some((file) => file.index === index)) throw new DomainError("not-found");
      const ended = (await cancelFile(dependencies, id, index)) ?? (await discardFile(dependencies, id, index));
      if (ended?.isRemoved) await forgetPictures(db, id, { now: clock.now(), isDelivered: false });
      return find(id, owners);
    },
    async end(id, also) {
      known(await findJob(db, id));
      if (!(await endManually(id, { also })))
        throw new DomainError("conflict", { detail: "This job has ended already." });
    },
    async hangUp(id, hangUp) {
      waited.delete(id);
      await writeDown(() => endManually(id, { hangUp }));
    },
    outliveConnection(id, how) {
      waited.delete(id);
      void writeDown(() => outliveConnection(db, id, how));
    },
    abandon(id) {
      void writeDown(() => endEarly(dependencies, id, { state: "failed", code: "interrupted" }));
    },
    async endUnsent(id, { detail: reason }) {
      await endEarly(dependencies, id, { state: "failed", code: "url-refused", reason });
      return known(await findJob(db, id));
    },
    beginDelivery: async (id, scope) => known(await beginDelivery(db, id, scope)),
    endDelivery(job, indexes) {
      const ended = endDeliveryOf(job, indexes).finally(() => delivering.delete(ended));
      delivering.add(ended);
      return ended;
    },
    async noteDelivered({ id, waited: isWaited }, indexes) {
      if (!isWaited) return;
      await noteDelivered(db, id, indexes).catch((problem: unknown) =>
        log.warn({ err: problem, job: id }, "cannot record a delivery before its end"),
      );
    },
    keepSent: (id) => retrying(() => endKeptDelivery(db, id)),
    async sweep() {
      for (const round of rounds) await round.run();
    },
    facts: () => facts,
    async drain({ graceMs, isAlone }) {
      isDraining = true;
      isRefusingUploads = isAlone;
      const deadline = AbortSignal.timeout(graceMs);
      while (waited.size + uploads.size > 0 && !deadline.aborted) await wait(drainPollMs);
      isRefusingUploads = true;
      isClosing = true;
    },
    isDraining: () => isDraining,
    async close() {
      [isDraining, isRefusingUploads, isClosing] = [true, true, true];
      await Promise.all(rounds.map((round) => round.stop()));
      for (const id of waited)
        await endEarly(dependencies, id, { state: "failed", code: "interrupted" }).catch((problem: unknown) =>
          log.error({ err: problem, job: id }, "cannot end a synchronous job"),
        );
      watch.close();
    },
    settled: async () => void (await Promise.allSettled(delivering)),
  };
}
