import { setTimeout as wait } from "node:timers/promises";
import { type Credits, costsCredits, DomainError, isFinal, type Job } from "@tintype/contract";
import type { JobList } from "@tintype/contract/schemas";
import { type Caller, ownersOf } from "../../http/caller.ts";
import { oneAtATime } from "../../platform/one-at-a-time.ts";
import type { Holder } from "../credits/allowance.ts";
import { isKnownKey } from "../credits/idempotency.ts";
import { admitBytes, admitUpload, type Bounds, dropUpload, full, isUpload, type Upload } from "./admission.ts";
import { type Begun, beginJob, type NewJob } from "./begin.ts";
import { beginDelivery, endDelivery, endKeptDelivery, forgetPictures, removeSoon } from "./delivery.ts";
import { type JobRecord, jobView, keepsPictures } from "./job.ts";
import type { Lease } from "./lease.ts";
import { retrying } from "./retrying.ts";
import { endEarly, type Settling } from "./settle.ts";
import { findJob, findJobsOf, positionOf } from "./store.ts";
import { forgetOldRows, type QueueFacts, queueFacts, removeDue, sweepJobs } from "./sweep.ts";
import { createJobWatch, type JobWatch } from "./watch.ts";

export type JobDependencies = Settling & {
  lease: Lease;
  bounds: Bounds;
  exclusive: boolean;
};

/** Every job of the service, from the moment its pictures come in until they are gone, through any process. */
export type Jobs = {
  watch: JobWatch;
  /**
   * Makes room for an upload, and writes down its prefix. `payer` needs a credit, unless they came under the key before.
   * @throws full, too-many-requests, out-of-credits, network-allowance
   */
  admit(upload: Upload & { payer: Holder | undefined; idempotencyKey?: string | undefined }): Promise<void>;
  /**
   * Looks whether a payer can pay for so many pictures, before the server fetches them; as `admit` does for one.
   * @throws out-of-credits, network-allowance
   */
  requireCredits(payer: Holder, needs: { files: number; idempotencyKey: string | undefined }): Promise<void>;
  /** Makes room for bytes that the server fetches. @throws full */
  admitBytes(jobId: string, bytes: number): Promise<void>;
  /** The upload came to nothing. It is removed later where its store or the database does not answer now. */
  drop(jobId: string): Promise<void>;
  begin(job: NewJob): Promise<Begun>;
  /** The job, if it is one of these owners'. @throws not-found for anybody else's, just like for one that never was */
  find(id: string, owners: readonly string[]): Promise<JobRecord>;
  /** Jobs of the last day, the newest first, as their owner sees them; `next` asks for those before. */
  list(caller: Caller, page: { before?: string | undefined; size: number }): Promise<JobList>;
  /** The job as its owner sees it, with what it cost and what they have left now. */
  view(record: JobRecord, caller: Holder): Promise<Job>;
  credits(record: JobRecord, caller: Holder): Promise<Credits | undefined>;
  /** Stops the work, drops the pictures, and returns the credits of files not delivered. @throws not-found */
  cancel(id: string, owners: readonly string[]): Promise<JobRecord>;
  /** The answer of a waited job could not be given: what had not gone out goes back, as soon as the database can be asked. */
  abandon(id: string): void;
  /** The address of a waited job did not take the result: its credits go back. Answers the job as it then stands. */
  endUnsent(id: string, refusal: DomainError): Promise<JobRecord>;
  /** Marks results as begun to be delivered; answers the job as it then stands. */
  beginDelivery(id: string, indexes?: readonly number[]): Promise<JobRecord>;
  /**
   * Results went out whole: all of the job's pictures go where `indexes` is left out, or once all have gone out. Those that wait
   * for edits stay until their time is over.
   */
  endDelivery(job: Pick<JobRecord, "id" | "steps">, indexes?: readonly number[]): Promise<void>;
  /** Results were sent to an address that refused them: they stay until their time is over, and their credits stay taken. */
  keepSent(id: string): Promise<void>;
  /** The work of any API process for all; a timer does it every second or so, and tests call it themselves. */
  sweep(): Promise<void>;
  /** As the last sweep found the queue. */
  facts(): QueueFacts | undefined;
  /** Takes no further job, and waits `graceMs` at most for those whose callers wait. */
  drain(graceMs: number): Promise<void>;
  isDraining(): boolean;
  /** Ends the jobs whose callers still wait: they are told that the server restarts. */
  close(): Promise<void>;
  /**
   * Waits until what went out is written down. Another process takes a delivery that is not for none, and returns its credits: the
   * database must not be closed before.
   */
  settled(): Promise<void>;
};

/** @throws not-found where its account was deleted meanwhile */
function known(record: JobRecord | undefined): JobRecord {
  if (!record) throw new DomainError("not-found");
  return record;
}

/** As long as a job's row is kept after its end. */
const listedMs = 24 * 3_600_000;
const sweepEveryMs = 1_000;
const forgetEveryMs = 60_000;
const drainLookMs = 50;

export function createJobs(use: JobDependencies): Jobs {
  const { db, clock, ledger, blobs, lease, bounds, log } = use;
  const watch = createJobWatch(use);
  const waited = new Set<string>();
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
  const credits: Jobs["credits"] = async (record, caller) => {
    if (!costsCredits(record.operation)) return undefined;
    const { owner, charged, tier } = record;
    // A job begun as a guest stays the guest's, also after a sign-in.
    const { used, limit } = await ledger.usage(owner === caller.key ? caller : { key: owner, tier });
    return { charged, remaining: Math.max(0, limit - used), limit };
  };

  const requireCredits: Jobs["requireCredits"] = async (payer, { files, idempotencyKey: key }) => {
    // A repeat of a request that was charged needs no credit.
    if (key !== undefined && (await isKnownKey(db, { owner: payer.key, key }))) return;
    await ledger.requireCredit(payer, files);
  };

  /** Ends that could not be written down while the database was away. */
  const unwritten = new Set<() => Promise<unknown>>();
  const writeDown = (end: () => Promise<unknown>) =>
    end().catch((problem: unknown) => {
      log.warn({ err: problem }, "the end of a job or an upload is written down later");
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
    await sweepJobs(use);
    for (const end of unwritten) {
      await end();
      unwritten.delete(end);
    }
    facts = await queueFacts(use);
    if (performance.now() - forgotAt < forgetEveryMs) return;
    forgotAt = performance.now();
    await forgetOldRows(use);
  };
  const rounds = [oneAtATime(sweepOnce), oneAtATime(() => removeDue(use))];
  const timer = setInterval(() => {
    for (const round of rounds)
      round.start().catch((problem: unknown) => log.error({ err: problem }, "sweeping jobs failed"));
  }, sweepEveryMs);

  return {
    watch,
    async admit({ payer, idempotencyKey, ...upload }) {
      if (isClosing) throw full();
      if (payer) await requireCredits(payer, { files: 1, idempotencyKey });
      await admitUpload({ db, clock, bounds, process: lease.id }, upload);
    },
    requireCredits,
    admitBytes: (jobId, bytes) => admitBytes({ db, bounds }, { jobId, bytes }),
    async drop(id) {
      try {
        if (await isUpload(db, id)) await remove(id, { isDelivered: false });
      } catch {
        void writeDown(() => dropUpload(db, { jobId: id, now: clock.now() }));
      }
    },
    async begin(job) {
      if (isClosing) throw full();
      const begun = await beginJob({ ...use, watch, process: lease.id }, job);
      if (begun.kind === "begun" && job.waited) {
        waited.add(job.id);
        void begun.ended.finally(() => waited.delete(job.id));
      }
      return begun;
    },
    find,
    async list(caller, { before, size }) {
      const since = new Date(clock.now().getTime() - listedMs);
      const found = await findJobsOf(db, { owners: ownersOf(caller), since, before, limit: size + 1 });
      const shown = found.slice(0, size);
      return {
        jobs: shown.map((record) => jobView(record)),
        next: found.length > size ? (shown.at(-1)?.id ?? null) : null,
      };
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
      if (!isFinal(record.state) && (await endEarly(use, id, { state: "cancelled", code: "cancelled" })))
        await forgetPictures(db, id, { now: clock.now(), isDelivered: false });
      else if (!record.removedAt) await remove(id, { isDelivered: false });
      return find(id, owners);
    },
    abandon(id) {
      void writeDown(() => endEarly(use, id, { state: "failed", code: "interrupted" }));
    },
    async endUnsent(id, { detail: reason }) {
      await endEarly(use, id, { state: "failed", code: "url-refused", reason });
      return known(await findJob(db, id));
    },
    beginDelivery: async (id, indexes) => known(await beginDelivery(db, id, indexes)),
    endDelivery(job, indexes) {
      const ended = endDeliveryOf(job, indexes).finally(() => delivering.delete(ended));
      delivering.add(ended);
      return ended;
    },
    keepSent: (id) => retrying(() => endKeptDelivery(db, id)),
    async sweep() {
      for (const round of rounds) {
        // One that is under way may have looked too early.
        await round.settled();
        await round.start();
      }
    },
    facts: () => facts,
    async drain(graceMs) {
      isClosing = true;
      const patience = AbortSignal.timeout(graceMs);
      while (waited.size > 0 && !patience.aborted) await wait(drainLookMs);
    },
    isDraining: () => isClosing,
    async close() {
      isClosing = true;
      clearInterval(timer);
      for (const round of rounds) await round.settled();
      for (const id of waited)
        await endEarly(use, id, { state: "failed", code: "interrupted" }).catch((problem: unknown) =>
          log.error({ err: problem, job: id }, "a waited job could not be ended"),
        );
      watch.close();
    },
    settled: async () => void (await Promise.allSettled(delivering)),
  };
}
