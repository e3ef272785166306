import { DomainError, editableMs, isFinal, type JobState, type Reason } from "@tintype/contract";
import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../../../http/metrics.ts";
import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Bus } from "../../../platform/bus/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { type Database, rowsOf, type Transaction } from "../../../platform/db/database.ts";
import type { Tracing } from "../../../platform/tracing/tracing.ts";
import type { Work } from "../../../platform/work/work.ts";
import type { Ledger } from "../../credits/ledger.ts";
import { countFreeWork } from "../limits/free-work.ts";
import { keepResult, type ResultChain } from "../limits/result-chains.ts";
import { type Claim, type FinishedFile, finishFile } from "../queue/store.ts";
import {
  type FileEnding,
  type FileRecord,
  fileIdOf,
  type JobRecord,
  keptMs,
  offerOf,
  requestedSteps,
  type Step,
} from "../record/job.ts";
import { type FileRow, fileOf } from "../record/job-row.ts";
import { publishRow, publishToWorker } from "../record/messages.ts";
import { refundUndelivered } from "./refund.ts";
import { dropPictures } from "./remove-pictures.ts";

export type SettleDependencies = {
  /** The key of the hashes that recognise a caller's own results. */
  resultKey: string;
  db: Database;
  clock: Clock;
  ledger: Ledger;
  blobs: Blobs;
  bus: Bus;
  work: Work;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error" | "child">;
  tracing: Pick<Tracing, "span" | "traceparent">;
  meter: Pick<Metrics, "countFile" | "countJob" | "countLeaseLost" | "countEngineLost" | "observeWait">;
};

/** A failed job keeps the names of its files this much longer than its pictures, for a caller that still waits for the answer. */
const readingMs = 5_000;

/** How long a delivered result is kept after the process that delivered it has died. */
const refetchMs = 30_000;

type FileEnd = {
  ending: FileEnding;
  /** Engine time of this claim. */
  engineMs: number;
  isOnlyFile: boolean;
  /** Whether credits were charged for the file, or for the result that it continues. */
  isCharged: boolean;
  /** The charged file that pays for it, if it continues a result. */
  chain?: ResultChain | undefined;
  /** SHA-256 of the result, hex. Undefined where the result cannot be continued. */
  sha256?: string | undefined;
  steps: readonly Step[];
};

/**
 * Ends a file. The last file's end, the job's end and the refunds are one transaction. Returns undefined if the claim was
 * lost meanwhile; then nothing was written.
 */
export async function endFile(
  dependencies: SettleDependencies,
  claim: Claim,
  { ending, engineMs, isOnlyFile, isCharged, steps, chain, sha256 }: FileEnd,
): Promise<FinishedFile | undefined> {
  const now = dependencies.clock.now();
  const finish = { ending, engineMs, now, deleteAfter: new Date(now.getTime() + keptMs(steps)) };
  const isPaid = isCharged && ending.state === "done" && !ending.result?.nothingSaved;
  // With nothing to refund, a single statement is transaction enough.
  const finished =
    isOnlyFile && isPaid
      ? await finishFile(dependencies.db, claim, finish)
      : await dependencies.db.transaction(async (tx) => {
          const ended = await finishFile(tx, claim, finish);
          if (ended?.filesLeft === 0) await settleCredits(tx, dependencies, { ...ended, jobId: claim.jobId });
          if (ended && !isPaid && !isOurFault(ending)) await countFreeWork(tx, { ...ended, now });
          return ended;
        });
  if (!finished) return undefined;
  if (sha256 !== undefined && ending.state === "done" && !ending.result?.nothingSaved)
    // Before anybody can fetch the result. Without it a further step costs a credit.
    await keepResult(dependencies.db, {
      resultKey: dependencies.resultKey,
      owner: finished.owner,
      sha256,
      file: { jobId: claim.jobId, index: claim.index },
      joins: chain,
      steps: requestedSteps(steps).length,
      until: new Date(now.getTime() + editableMs),
    }).catch((problem: unknown) =>
      dependencies.log.warn({ err: problem, job: claim.jobId }, "cannot record that a result may be continued"),
    );
  dependencies.meter.countFile(finished.operation, ending.state);
  if (finished.filesLeft === 0) dependencies.meter.countJob(finished.operation, finished.state);
  publishRow(dependencies.bus, claim.jobId, { version: finished.version, isFinal: finished.filesLeft === 0 });
  if (finished.filesLeft === 0 && finished.state !== "done") await dropPictures(dependencies, claim.jobId);
  return finished;
}

/** The job's row is locked. */
async function settleCredits(
  tx: Transaction,
  { ledger, clock }: SettleDependencies,
  { jobId, state, chargeJobId }: { jobId: string; state: JobState; chargeJobId: string | null },
): Promise<void> {
  const rows = await rowsOf<FileRow>(
    tx.execute(sql`select * from job_files where job_id = ${jobId} order by file_index`),
  );
  await refundUndelivered(tx, { jobId, state, chargeJobId, files: rows.map(fileOf) }, { ledger });
  if (state !== "done")
    await tx.execute(sql`
      update job_blobs set uploader = null, delete_after = ${new Date(clock.now().getTime() + readingMs).toISOString()}::timestamptz
      where job_id = ${jobId}`);
}

type LockedJob = Pick<JobRecord, "state" | "owner" | "operation" | "steps" | "waited" | "charged"> & {
  charge_job_id: string | null;
  files_left: number;
  files_good: number;
  removed: boolean;
  /** A process waits with it, or alone can continue it. */
  held: boolean;
};

/** Reads a job and locks its row until the transaction ends. */
export async function lockJob(tx: Transaction, jobId: string): Promise<LockedJob | undefined> {
  const [job] = await rowsOf<LockedJob>(
    tx.execute(sql`
      select state, owner, operation, steps, waited, charged, charge_job_id, files_left, files_good,
        removed_at is not null as removed, process is not null as held
      from jobs where id = ${jobId} for update`),
  );
  return job;
}

/** Failures that no caller can cause. Their engine time is not counted. */
const isOurFault = ({ code }: Pick<FileEnding, "code">) =>
  code === "interrupted" || code === "full" || code === "unavailable";

export type EarlyEnd = {
  state: "cancelled" | "failed";
  /** The error that its unfinished files end with. */
  code: "cancelled" | "interrupted" | "url-refused";
  /** Default: the error itself. */
  reason?: Reason;
  /**
   * The connection that began it is gone. Then a finished job is ended too, while nothing of it is being delivered. A job
   * under a key (`isKeyed`) that is no longer waited for is followed by a repeat, and left alone.
   */
  hangUp?: { isKeyed: boolean };
  /** Writes more in the transaction that ends the job. If it throws, the job is unchanged. */
  also?(tx: Transaction, job: { owner: string; state: JobState }): Promise<void>;
};

/**
 * Ends a job early: stops the work, deletes the pictures, and refunds the files that were not delivered. A job that has
 * ended meanwhile is left alone, unless its caller waited and got nothing, because its process died with the connection or
 * its address refused the result, which nobody fetched meanwhile. Then what was not fully delivered is refunded. Returns whether the pictures are removed;
 * undefined if it did not end the job.
 */
export async function endEarly(
  dependencies: SettleDependencies,
  jobId: string,
  { state, code, reason = { code }, hangUp, also }: EarlyEnd,
): Promise<{ isRemoved: boolean } | undefined> {
  const { db, clock, bus, work } = dependencies;
  const ended = await db.transaction(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (!job || job.removed) return undefined;
    const isOpen = !isFinal(job.state);
    if (hangUp?.isKeyed && !job.waited) return undefined;
    if (hangUp && job.state === "done") {
      if (await hasDeliveryBegun(tx, jobId)) return undefined;
    } else if (code === "cancelled" ? !isOpen : !job.held || !(isOpen || job.state === "done")) return undefined;
    if (code === "interrupted" && (await isDelivered(tx, jobId))) {
      // Its process died before it could record that. Whoever did not get the last bytes can still fetch it for a moment.
      await tx.execute(sql`update jobs set process = null where id = ${jobId}`);
      await tx.execute(sql`
        update job_blobs set delete_after = least(delete_after, ${new Date(clock.now().getTime() + refetchMs).toISOString()}::timestamptz)
        where job_id = ${jobId}`);
      return undefined;
    }
    if (code === "url-refused" && (await isFetched(tx, jobId))) {
      // Nobody waits with the job any more. It is kept until it expires.
      await tx.execute(sql`update jobs set process = null where id = ${jobId}`);
      return undefined;
    }
    const which =
      code === "cancelled"
        ? sql`state in ('waiting', 'working')`
        : sql`state not in ('failed', 'cancelled') and delivery <> 'whole'`;
    const files = await rowsOf<FileRow>(
      tx.execute(sql`
        with before as (select * from job_files where job_id = ${jobId} and ${which}),
        stopped as (
          update job_files f set state = ${code === "cancelled" ? "cancelled" : "failed"}, progress = 1, stage = null,
            result = null, code = ${code}, reason = ${JSON.stringify(reason)}::jsonb
          from before b where f.job_id = b.job_id and f.file_index = b.file_index)
        select * from before`),
    );
    const [row] = await rowsOf<{ version: number }>(
      tx.execute(sql`
        update jobs set state = ${state}, version = version + 1, files_left = 0, process = null,
          finished_at = ${clock.now().toISOString()}::timestamptz
        where id = ${jobId} returning version`),
    );
    await settleCredits(tx, dependencies, { jobId, state, chargeJobId: job.charge_job_id });
    const isTakenUp = files.some((file) => file.state === "working" || file.tries > 0);
    await also?.(tx, { owner: job.owner, state: isTakenUp && isOpen ? "running" : job.state });
    if (code !== "interrupted") await countRefunded(tx, { ...job, jobId, now: clock.now() });
    return { ...job, version: row?.version ?? 0, files: files.map(fileOf) };
  });
  if (!ended) return undefined;
  dependencies.meter.countJob(ended.operation, state);
  publishRow(bus, jobId, { version: ended.version, isFinal: true });
  await removeFromQueue({ bus, work }, jobId, ended.files);
  return { isRemoved: await dropPictures(dependencies, jobId) };
}

/** Whether there are results and all of them are delivered. */
async function isDelivered(tx: Transaction, jobId: string): Promise<boolean> {
  const [row] = await rowsOf<{ whole: boolean | null }>(
    tx.execute(sql`
      select bool_and(delivery = 'whole') as whole from job_files
      where job_id = ${jobId} and state in ('done', 'unchanged', 'waiting', 'working')`),
  );
  return row?.whole ?? false;
}

/** Otherwise a caller who hangs up before the last byte would pay nothing for almost all of the result. */
async function hasDeliveryBegun(tx: Transaction, jobId: string): Promise<boolean> {
  const rows = await rowsOf(
    tx.execute(sql`select 1 from job_files where job_id = ${jobId} and delivery <> 'none' limit 1`),
  );
  return rows.length > 0;
}

/** Otherwise an address that stalls until the result is fetched by the job's id, and then refuses it, would make it free. */
async function isFetched(tx: Transaction, jobId: string): Promise<boolean> {
  const rows = await rowsOf(
    tx.execute(sql`select 1 from job_files where job_id = ${jobId} and delivery in ('begun', 'whole') limit 1`),
  );
  return rows.length > 0;
}

const cancelledByCaller = { code: "file-cancelled" } as const satisfies Reason;

/**
 * Ends one file that waits or is in work. The others continue. Its credit is refunded in the same transaction, and the job
 * ends with its last file. A file that has ended is unchanged: this and the worker both lock the job's row, and the first
 * one wins. Returns whether it was the last file and the pictures can be removed; undefined if it ended nothing.
 */
export async function cancelFile(
  dependencies: SettleDependencies,
  jobId: string,
  index: number,
): Promise<{ isRemoved: boolean } | undefined> {
  const { db, clock, bus } = dependencies;
  const now = clock.now();
  const ended = await db.transaction(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (!job || job.removed || isFinal(job.state)) return undefined;
    const [row] = await rowsOf<FileRow>(
      tx.execute(sql`
        with before as (
          select * from job_files where job_id = ${jobId} and file_index = ${index}::int and state in ('waiting', 'working')
          for update),
        stopped as (
          update job_files f set state = 'cancelled', progress = 1, stage = null, result = null, code = 'cancelled',
            reason = ${JSON.stringify(cancelledByCaller)}::jsonb
          from before b where f.job_id = b.job_id and f.file_index = b.file_index)
        select * from before`),
    );
    if (!row) return undefined;
    const file = fileOf(row);
    const isLast = job.files_left === 1;
    const state = isLast ? await endAfterLast(tx, { jobId, hasGood: job.files_good > 0 }) : job.state;
    const [written] = await rowsOf<{ version: number }>(
      tx.execute(sql`
        update jobs set state = ${state}, version = version + 1, files_left = files_left - 1,
          finished_at = case when ${isLast}::boolean then ${now.toISOString()}::timestamptz end,
          process = case when not ${isLast}::boolean or waited then process end
        where id = ${jobId} returning version`),
    );
    if (isLast) {
      const deleteAfter = new Date(now.getTime() + keptMs(job.steps));
      await tx.execute(sql`
        update job_blobs set delete_after = ${deleteAfter.toISOString()}::timestamptz where job_id = ${jobId}`);
      await settleCredits(tx, dependencies, { jobId, state, chargeJobId: job.charge_job_id });
    } else {
      const files = [{ ...file, state: "cancelled" as const, reason: cancelledByCaller }];
      await refundUndelivered(tx, { jobId, state, chargeJobId: job.charge_job_id, files }, dependencies);
    }
    const { owner } = job;
    await countFreeWork(tx, { owner, network: row.network, engineMs: row.engine_ms, now });
    return { operation: job.operation, state, isLast, file, version: written?.version ?? 0 };
  });
  if (!ended) return undefined;
  const { operation, state, isLast, file, version } = ended;
  dependencies.meter.countFile(operation, "cancelled");
  if (isLast) dependencies.meter.countJob(operation, state);
  publishRow(bus, jobId, { version, isFinal: isLast });
  await removeFromQueue(dependencies, jobId, [file], file.index);
  if (isLast && state !== "done") return { isRemoved: await dropPictures(dependencies, jobId) };
  // A file in work may still be read. Its picture is removed with the job's.
  if (file.state === "waiting") await dependencies.blobs.remove(jobId, file.input).catch(() => {});
  return { isRemoved: false };
}

/** The final state of a job whose last file was cancelled. */
async function endAfterLast(
  tx: Transaction,
  { jobId, hasGood }: { jobId: string; hasGood: boolean },
): Promise<JobState> {
  if (hasGood) return "done";
  const failed = await rowsOf(
    tx.execute(sql`select 1 from job_files where job_id = ${jobId} and state <> 'cancelled' limit 1`),
  );
  return failed.length > 0 ? "failed" : "cancelled";
}

/**
 * Counts the engine time of files that an early end refunds. The worker counts the current claim. Files that failed
 * earlier, or were free, were counted then.
 */
async function countRefunded(
  tx: Transaction,
  { jobId, owner, charged, now }: { jobId: string; owner: string; charged: number; now: Date },
): Promise<void> {
  const [row] = await rowsOf<{ network: string | null; engine_ms: number }>(
    tx.execute(sql`
      select min(network) as network, coalesce(sum(engine_ms) filter (where (state = 'cancelled' and code is distinct from 'discarded') or (${charged > 0}::boolean
        and (code = 'url-refused' or (state = 'done' and delivery = 'none')))), 0)::int as engine_ms
      from job_files where job_id = ${jobId}`),
  );
  if (row) await countFreeWork(tx, { owner, network: row.network, engineMs: row.engine_ms, now });
}

async function removeFromQueue(
  { bus, work }: Pick<SettleDependencies, "bus" | "work">,
  jobId: string,
  files: readonly FileRecord[],
  index?: number,
): Promise<void> {
  const waiting = files.filter(({ state }) => state === "waiting");
  const workers = new Set(files.flatMap(({ state, worker }) => (state === "working" && worker ? [worker] : [])));
  for (const worker of workers)
    publishToWorker(bus, worker, { stop: jobId, ...(index === undefined ? {} : { index }) });
  // If its turn still comes, claiming a cancelled file fails.
  if (waiting.length > 0)
    await work
      .withdraw(waiting.map((file) => ({ ...offerOf(jobId, file), fileId: fileIdOf(jobId, file.index) })))
      .catch(() => {});
}

/** The error of a file whose worker or engine was lost twice. */
export const engineFailed = () => new DomainError("engine-failed");
