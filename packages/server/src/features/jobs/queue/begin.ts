import { costsCredits, DomainError, isFinal, type TaskName } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../../../platform/clock.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Tracing } from "../../../platform/tracing/tracing.ts";
import type { Lane, Work } from "../../../platform/work/work.ts";
import { type Holder, type JobCost, jobCostOf, type Usage } from "../../credits/allowance.ts";
import type { IdempotencyKey } from "../../credits/idempotency.ts";
import { requireKeyRoom } from "../../credits/key-limit.ts";
import type { Ledger } from "../../credits/ledger.ts";
import type { Bounds } from "../limits/admission.ts";
import { type JobQueue, placeRefused } from "../limits/places.ts";
import { canContinue, continueResults, type ResultChain } from "../limits/result-chains.ts";
import {
  classOf,
  type Input,
  type JobRecord,
  type NewFile,
  offerOf,
  requestedSteps,
  type Step,
} from "../record/job.ts";
import { findJob, outliveConnection } from "../record/store.ts";
import type { JobWatch } from "../record/watch.ts";
import { claimKey, type KeyClaim } from "./repeat.ts";
import { insertJob } from "./store.ts";

export type NewJob = {
  id: string;
  holder: Holder;
  queue: JobQueue;
  /** Set for callers without a paid plan: a keyed hash of their network. */
  network: string | null;
  /** The job is named after the first step. */
  steps: [Step & { operation: TaskName }, ...Step[]];
  /** 0 for free tasks. */
  creditsPerFile: number;
  inputs: Input[];
  files: NewFile[];
  /** A connection waits for the answer. After a crash no caller could fetch it. */
  waited: boolean;
  /** The caller may still wait for the end of an asynchronous job. */
  isWatched?: boolean;
  /** If the key's last job still runs, the caller follows that one. It then no longer ends with the connection that began it. */
  followsRunning?: boolean;
  idempotency?: IdempotencyKey;
  /** The id of the request that creates it. */
  requestId?: string;
  /** Writes the job's related rows in the transaction that creates it. */
  alongside?: (tx: Transaction) => Promise<void>;
};

export type BeginDependencies = {
  db: Database;
  clock: Clock;
  ledger: Ledger;
  work: Work;
  tracing: Pick<Tracing, "span" | "traceparent">;
  watch: JobWatch;
  bounds: Bounds;
  process: string;
  log: Pick<FastifyBaseLogger, "warn">;
  /** The key of the hashes that recognise a caller's own results. */
  resultKey: string;
};

export type BeginOutcome =
  | {
      kind: "begun";
      id: string;
      /** The price and the remaining credits. Undefined for free tasks. */
      credits: JobCost | undefined;
      /** For a job that is waited for or watched: resolves once it has ended. */
      ended: Promise<void>;
      /** Unsubscribes when the caller was answered before the end. */
      stopWatching(): void;
    }
  /** A request under the same key is already running. */
  | { kind: "running"; record: JobRecord };

/**
 * Charges a job and inserts its rows in one transaction, then offers its files to the queue. After a crash in between, the
 * sweep offers them.
 * @throws full, too-many-requests, out-of-credits, network-allowance, and what `claimKey` throws; then nothing was started
 */
export function beginJob(dependencies: BeginDependencies, job: NewJob): Promise<BeginOutcome> {
  const attributes = {
    "tintype.job": job.id,
    "tintype.operation": job.steps[0].operation,
    "tintype.files": job.files.length,
  };
  return dependencies.tracing.span("queue job", { kind: "producer", attributes }, () =>
    chargeAndOffer(dependencies, job),
  );
}

async function chargeAndOffer(dependencies: BeginDependencies, job: NewJob): Promise<BeginOutcome> {
  const { db, clock, ledger, work, watch, log } = dependencies;
  const now = clock.now();
  const [{ operation }] = job.steps;
  const isCharged = job.creditsPerFile > 0;
  const outcome = await db.transaction(async (tx) => {
    const claim: KeyClaim = job.idempotency
      ? await claimKey(tx, job.idempotency, { jobId: job.id, now })
      : { kind: "first" };
    if (claim.kind === "running") {
      if (job.followsRunning) await outliveConnection(tx, claim.jobId, { isCharged });
      return claim;
    }
    const files = claim.kind === "again" ? onlyCharged(job.files, claim) : job.files;
    const charge =
      claim.kind === "again"
        ? { charged: 0, isFast: false, chains: new Map<number, ResultChain>() }
        : await chargeJob(tx, { ...job, operation, files }, { ...dependencies, holder: job.holder, now });
    const chargeJobId = claim.kind === "again" ? claim.chargedJobId : null;
    const lane: Lane = charge.isFast ? "fast" : "normal";
    const inserted = await insertJob(
      tx,
      {
        ...job,
        owner: job.holder.key,
        tier: job.holder.tier,
        operation,
        charged: charge.charged,
        chargeJobId,
        // A free job is never resumed: it ends with the process that accepted it.
        process: job.waited || !isCharged ? dependencies.process : null,
        files: files.map((file, index) => {
          const chain = charge.chains.get(index);
          return chain ? { ...file, chain } : file;
        }),
        class: classOf(job.steps),
        lane,
        requestId: job.requestId ?? null,
        traceparent: dependencies.tracing.traceparent() ?? null,
        now,
      },
      dependencies.bounds,
    );
    if (inserted.kind === "gone") throw new DomainError("interrupted");
    if (inserted.kind === "refused") throw placeRefused(inserted.refusal);
    await job.alongside?.(tx);
    return { kind: "inserted", charge, files: inserted.files } as const;
  });
  if (outcome.kind === "running") {
    const record = await findJob(db, outcome.jobId);
    if (!record) throw new DomainError("idempotency-in-progress", { retryAfterSeconds: 2 });
    return { kind: "running", record };
  }
  const { charged } = outcome.charge;
  const usage = costsCredits(operation) ? (outcome.charge.usage ?? (await ledger.usage(job.holder))) : undefined;
  const credits = usage && jobCostOf(charged, usage);
  // Subscribe before a worker can finish it.
  const end =
    (job.waited || job.isWatched) && outcome.files.length > 0
      ? await watch.awaitEnd(job.id)
      : { ended: Promise.resolve(), stop: () => {} };
  await work
    .offer(outcome.files.map((file) => offerOf(job.id, file)))
    .catch((problem: unknown) =>
      log.warn(
        { err: problem, job: job.id, reqId: job.requestId },
        "cannot reach the queue; the sweep will enqueue the files",
      ),
    );
  return { kind: "begun", id: job.id, credits, ended: end.ended, stopWatching: end.stop };
}

/** The files of a repeat. Those that were not charged end as they did before. */
function onlyCharged(files: readonly NewFile[], { charged, before }: KeyClaim & { kind: "again" }): NewFile[] {
  return files.map((file, index) => {
    if (file.ending || file.isFree || charged.has(index)) return file;
    const { state = "failed", reason, code = "engine-failed" } = before.get(index) ?? {};
    return {
      ...file,
      ending: {
        state,
        notes: [],
        ...(reason === undefined ? {} : { reason }),
        ...(state === "unchanged" ? {} : { code }),
      },
    };
  });
}

/** @throws job-not-finished */
export function requireEnded({ state }: Pick<JobRecord, "state">): void {
  if (!isFinal(state)) throw new DomainError("job-not-finished", { retryAfterSeconds: 1 });
}

type JobPrice = Pick<NewJob, "id" | "steps" | "creditsPerFile"> & { operation: TaskName; files: readonly NewFile[] };
/** `chains`: of the files that continue a result for free. */
type JobCharge = { charged: number; isFast: boolean; usage?: Usage; chains: ReadonlyMap<number, ResultChain> };

/**
 * Charges the job and returns the usage after it, if there was something to charge. A person pays nothing for a file whose
 * outcome is already known (not a picture, or already in the target format). A guest's batch is charged in full, as
 * docs/product.md requires, and its failed files are refunded at the end. A further step on a result that is still here costs
 * nothing.
 */
async function chargeJob(
  tx: Transaction,
  { id, operation, steps, creditsPerFile, files }: JobPrice,
  { ledger, resultKey, holder, now }: { ledger: Ledger; resultKey: string; holder: Holder; now: Date },
): Promise<JobCharge> {
  const chargeable = files.flatMap(({ name, ending, isFree }, index) =>
    !isFree && (!ending || (holder.tier === "guest" && ending.state === "failed")) ? [{ index, name }] : [],
  );
  if (creditsPerFile === 0 || !costsCredits(operation) || !files.some(({ ending, isFree }) => !ending && !isFree))
    return { charged: 0, isFast: false, chains: new Map() };
  const requested = requestedSteps(steps);
  const chains = canContinue(requested)
    ? await continueResults(tx, {
        resultKey,
        owner: holder.key,
        steps: requested.length,
        pictures: files.flatMap(({ ending, isFree, sha256 }, index) =>
          ending || isFree || sha256 === undefined ? [] : [{ index, sha256 }],
        ),
        now,
      })
    : new Map<number, ResultChain>();
  const continued = chargeable.filter(({ index }) => chains.has(index));
  const owed = chargeable.filter(({ index }) => !chains.has(index));
  if (continued.length > 0) await ledger.noteContinued(tx, holder, { jobId: id, operation, files: continued });
  const paid =
    owed.length > 0
      ? await ledger.charge(tx, holder, { jobId: id, operation, creditsPerFile, files: owed })
      : undefined;
  await requireKeyRoom(tx, holder, { now });
  return paid
    ? { charged: owed.length * creditsPerFile, isFast: paid.isFast, usage: paid.usage, chains }
    : { charged: 0, isFast: false, chains };
}
