import { sql } from "drizzle-orm";
import type { QueueGauges } from "../../http/metrics.ts";
import { rowsOf } from "../../platform/db/database.ts";
import { repeat } from "../../platform/repeat.ts";
import type { WorkClass } from "../../platform/work/work.ts";
import { forgetKeys, keyLifeMs } from "../credits/idempotency.ts";
import { forgetBlocks } from "./limits/blocked-networks.ts";
import { forgetFreeWork } from "./limits/free-work.ts";
import { forgetPreviewParts } from "./limits/preview-parts.ts";
import { forgetResults } from "./limits/result-chains.ts";
import { isAlive, type Lease } from "./queue/lease.ts";
import { type Claim, maxTries, releaseFile } from "./queue/store.ts";
import { failureEnding, offerOf, type Step } from "./record/job.ts";
import { type FileRow, fileOf } from "./record/job-row.ts";
import { replaceByReceipts } from "./settle/receipt.ts";
import { removePictures } from "./settle/remove-pictures.ts";
import { endEarly, endFile, engineFailed, type SettleDependencies } from "./settle/settle.ts";

// Every API process sweeps about once a second. Each step is guarded by its rows, so it takes effect once however many
// processes run it at the same time.

export type SweepDependencies = SettleDependencies & {
  lease: Pick<Lease, "isReliable">;
  /** Default: 1 s. */
  sweepIntervalMs?: number;
};

const defaultSweepIntervalMs = 1_000;
const cleanupIntervalMs = 60_000;

/** Sweeps again and again. `retryEnds` records ends that could not be recorded when they came. */
export function startSweeps(dependencies: SweepDependencies, retryEnds: () => Promise<void>) {
  const { log, sweepIntervalMs: intervalMs = defaultSweepIntervalMs } = dependencies;
  let facts: QueueFacts | undefined;
  let forgotAt = Number.NEGATIVE_INFINITY;
  const sweepOnce = async () => {
    await sweepJobs(dependencies);
    await retryEnds();
    facts = await queueFacts(dependencies);
    if (performance.now() - forgotAt < cleanupIntervalMs) return;
    forgotAt = performance.now();
    await forgetOldRows(dependencies);
  };
  const rounds = [sweepOnce, () => removeDue(dependencies)].map((work) =>
    repeat(work, { intervalMs, onProblem: (problem) => log.error({ err: problem }, "sweeping jobs failed") }),
  );
  return {
    async run() {
      for (const round of rounds) await round.run();
    },
    facts: () => facts,
    stop: () => Promise.all(rounds.map((round) => round.stop())),
  };
}

/** A file that waits longer is offered again, in case the queue lost it. */
const offerAgain = sql.raw("interval '2 s'");
const batchSize = 500;
/** A removal that takes longer counts as failed, and is retried. */
const removalTimeoutMs = 30_000;

async function sweepJobs(dependencies: SweepDependencies): Promise<void> {
  await expireLeases(dependencies);
  await releaseFilesOfDeadWorkers(dependencies);
  await endJobsOfDeadProcesses(dependencies);
  await offerWaiting(dependencies);
}

/** Deletes the rows of processes whose leases expired, counting each once. A process without a row counts as dead. */
export async function expireLeases({
  db,
  lease,
  meter,
  log,
}: Pick<SweepDependencies, "db" | "lease"> & {
  meter: Pick<SweepDependencies["meter"], "countLeaseLost">;
  log: Pick<SweepDependencies["log"], "warn">;
}): Promise<void> {
  if (!lease.isReliable()) return;
  const rows = await rowsOf<{ id: string; role: string }>(
    db.execute(sql`delete from processes where lease_until < now() returning id, role`),
  );
  for (const { id, role } of rows) {
    meter.countLeaseLost();
    log.warn({ process: id, role }, "the lease of a process expired without a clean shutdown");
  }
}

/** Releases the files of dead workers for a retry; after the second loss they fail. */
async function releaseFilesOfDeadWorkers(dependencies: SweepDependencies): Promise<void> {
  const rows = await rowsOf<FileRow & { job_id: string; worker: string; steps: Step[]; request_id: string | null }>(
    dependencies.db.execute(sql`
      select f.*, j.steps, j.request_id from job_files f join jobs j on j.id = f.job_id
      where f.state = 'working' and not ${isAlive(sql.raw("f.worker"), dependencies.lease)} limit ${batchSize}::int`),
  );
  for (const row of rows) {
    const claim: Claim = { jobId: row.job_id, index: row.file_index, worker: row.worker, tries: row.tries };
    dependencies.log.warn(
      { job: row.job_id, reqId: row.request_id ?? undefined, worker: row.worker, tries: row.tries },
      "a worker was lost while processing a file",
    );
    if (row.tries >= maxTries)
      await endFile(dependencies, claim, {
        ending: failureEnding(engineFailed()),
        engineMs: 0,
        isOnlyFile: false,
        isCharged: true,
        steps: row.steps,
      });
    else {
      const released = await releaseFile(dependencies.db, claim, { isLoss: true });
      if (released) await dependencies.work.offer([offerOf(row.job_id, released)]).catch(() => {});
    }
  }
}

/** Ends jobs whose connection died with its process, since no one can fetch their answer, and free jobs, which are not resumed. */
async function endJobsOfDeadProcesses(dependencies: SweepDependencies): Promise<void> {
  const rows = await rowsOf<{ id: string; operation: string; request_id: string | null }>(
    dependencies.db.execute(sql`
      select j.id, j.operation, j.request_id from jobs j where j.process is not null and j.removed_at is null
        and not ${isAlive(sql.raw("j.process"), dependencies.lease)} limit ${batchSize}::int`),
  );
  for (const { id, operation, request_id: reqId } of rows)
    if (await endEarly(dependencies, id, { state: "failed", code: "interrupted" }))
      dependencies.log.warn({ job: id, reqId: reqId ?? undefined, operation }, "ended a job of a dead process");
}

async function offerWaiting({ db, work, log }: SweepDependencies): Promise<void> {
  const rows = await rowsOf<FileRow & { job_id: string }>(
    db.execute(sql`
      update job_files f set offered_at = now()
      from (select job_id, file_index from job_files where state = 'waiting' and offered_at < now() - ${offerAgain}
        order by priority limit ${batchSize}::int for update skip locked) late
      where f.job_id = late.job_id and f.file_index = late.file_index
      returning f.*`),
  );
  if (rows.length === 0) return;
  await work
    .offer(rows.map((row) => offerOf(row.job_id, fileOf(row))))
    .catch((problem: unknown) =>
      log.warn({ err: problem }, "cannot reach the queue; waiting files are enqueued later"),
    );
}

/** A process without a lease may still live. Its jobs are not ended for that yet, and their pictures stay until it is known. */
const byLeaseAlone = { isReliable: () => true };

/**
 * Removes pictures that are due, and uploads of dead processes; those of a dead process's job only once it is settled, since a job
 * without its pictures is not refunded. The row is reserved before the removal and deleted after
 * it: if a removal fails or its process dies, the row remains for a retry, and `delete_after` shows how late it is. No
 * other part of the sweep waits for it: with a hanging store each removal takes half a minute.
 */
async function removeDue({ db, blobs, clock, lease, log }: SweepDependencies): Promise<void> {
  const now = clock.now();
  const rows = await rowsOf<{ job_id: string }>(
    db.execute(sql`
      update job_blobs b set removing_until = ${new Date(now.getTime() + removalTimeoutMs).toISOString()}::timestamptz
      from (select job_id from job_blobs u where (removing_until is null or removing_until <= ${now.toISOString()}::timestamptz)
          and (delete_after <= ${now.toISOString()}::timestamptz
            or (uploader is not null and not ${isAlive(sql.raw("u.uploader"), lease)}))
          and not exists (select 1 from jobs j where j.id = u.job_id and j.removed_at is null
            and j.process is not null and j.state in ('queued', 'running', 'done') and not ${isAlive(sql.raw("j.process"), byLeaseAlone)})
        limit ${batchSize}::int for update skip locked) due
      where b.job_id = due.job_id returning b.job_id`),
  );
  for (const { job_id: id } of rows)
    try {
      await removePictures({ blobs, db, clock }, id, { isDelivered: false });
    } catch (problem) {
      log.warn({ err: problem, job: id }, "cannot delete expired images; they are retried");
    }
}

/** Longer than keys live: a repeat that starts just before its key expires is settled against the first job's rows. */
const rowRetentionMs = keyLifeMs + 2 * 3_600_000;

/** Deletes rows that are no longer needed. Receipts of jobs are kept. */
export async function forgetOldRows({ db, clock }: Pick<SweepDependencies, "db" | "clock">): Promise<void> {
  await forgetKeys(db, clock.now());
  await forgetFreeWork(db, clock.now());
  await forgetPreviewParts(db, clock.now());
  await forgetResults(db, clock.now());
  await forgetBlocks(db, clock.now());
  await replaceByReceipts(db, { before: new Date(clock.now().getTime() - rowRetentionMs), now: clock.now() });
}

export type QueueFacts = QueueGauges & { working: number };

/** The state of the queue, for metrics. */
async function queueFacts({ db, clock }: Pick<SweepDependencies, "db" | "clock">): Promise<QueueFacts> {
  const age = (workClass: WorkClass) =>
    sql`coalesce(extract(epoch from now() - min(waiting_since) filter (where state = 'waiting' and class = ${workClass})), 0)::float8`;
  const [row] = await rowsOf<{
    waiting: number;
    working: number;
    picture: number;
    model: number;
    overdue: number;
  }>(
    db.execute(sql`
      select count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'working')::int as working,
        ${age("picture")} as picture, ${age("model")} as model,
        (select greatest(0, coalesce(extract(epoch from ${clock.now().toISOString()}::timestamptz - min(delete_after)), 0))
          from job_blobs)::float8 as overdue
      from job_files where state in ('waiting', 'working')`),
  );
  const { waiting = 0, working = 0, picture = 0, model = 0, overdue = 0 } = row ?? {};
  return { waiting, working, oldestWaitSeconds: { picture, model }, deletionOverdueSeconds: overdue };
}
