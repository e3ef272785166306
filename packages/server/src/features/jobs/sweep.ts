import { sql } from "drizzle-orm";
import { rowsOf } from "../../platform/db/database.ts";
import { idempotencyKeys } from "../../platform/db/tables.ts";
import type { WorkClass } from "../../platform/work/work.ts";
import { forgetPictures } from "./delivery.ts";
import { adoptOldJobs } from "./earlier-release.ts";
import { failureEnding, offerOf, type Step } from "./job.ts";
import { type FileRow, fileOf } from "./job-row.ts";
import { isAlive, type Lease } from "./lease.ts";
import { replaceByReceipts } from "./receipt.ts";
import { endEarly, endFile, lostTwice, type Settling } from "./settle.ts";
import { maxTries, releaseFile, type Turn } from "./turns.ts";

// The work of any API process for all, every second or so. Each step is guarded by its rows: however many processes take it
// at once, it happens once.

export type Sweeping = Settling & {
  exclusive: boolean;
  lease: Pick<Lease, "isSteady">;
};

/** A file that waits for longer is offered again, should the queue have lost it. */
const offerAgain = sql.raw("interval '2 s'");
const mostAtOnce = 500;
/** A removal under way is taken for failed after so long, and tried again. */
const removalMs = 30_000;

export async function sweepJobs(use: Sweeping): Promise<void> {
  await adoptOldJobs(use.db, use);
  await buryDeadProcesses(use);
  await takeFromDeadWorkers(use);
  await endJobsOfDeadProcesses(use);
  await offerWaiting(use);
}

/** A process whose row has gone is as dead to all as one whose lease has run out: deleting the row counts it once. */
export async function buryDeadProcesses({
  db,
  lease,
  meter,
  log,
}: Pick<Sweeping, "db" | "lease"> & {
  meter: Pick<Sweeping["meter"], "countLeaseLost">;
  log: Pick<Sweeping["log"], "warn">;
}): Promise<void> {
  if (!lease.isSteady()) return;
  const rows = await rowsOf<{ id: string; role: string }>(
    db.execute(sql`delete from processes where lease_until < now() returning id, role`),
  );
  for (const { id, role } of rows) {
    meter.countLeaseLost();
    log.warn({ process: id, role }, "a process is taken for dead: it did not renew its lease");
  }
}

/** Files of a worker that is gone run again; after the second loss they fail. */
async function takeFromDeadWorkers(use: Sweeping): Promise<void> {
  const rows = await rowsOf<FileRow & { job_id: string; worker: string; steps: Step[] | null }>(
    use.db.execute(sql`
      select f.*, j.steps from job_files f join jobs j on j.id = f.job_id
      where f.state = 'working' and not ${isAlive(sql.raw("f.worker"), use.lease)} limit ${mostAtOnce}::int`),
  );
  for (const row of rows) {
    const turn: Turn = { jobId: row.job_id, index: row.file_index, worker: row.worker, tries: row.tries };
    use.log.warn({ job: row.job_id, worker: row.worker, tries: row.tries }, "a worker was lost with a file in hand");
    if (row.tries >= maxTries)
      await endFile(use, turn, { ending: failureEnding(lostTwice()), isOnlyFile: false, steps: row.steps ?? [] });
    else {
      const released = await releaseFile(use.db, turn, { isLoss: true });
      if (released) await use.work.offer([offerOf(row.job_id, released)]).catch(() => {});
    }
  }
}

/** The answer of a job whose connection died is never fetched, and free jobs are not resumed. */
async function endJobsOfDeadProcesses(use: Sweeping): Promise<void> {
  const rows = await rowsOf<{ id: string; operation: string }>(
    use.db.execute(sql`
      select j.id, j.operation from jobs j where j.process is not null and j.removed_at is null
        and not ${isAlive(sql.raw("j.process"), use.lease)} limit ${mostAtOnce}::int`),
  );
  for (const { id, operation } of rows)
    if (await endEarly(use, id, { state: "failed", code: "interrupted" }))
      use.log.warn({ job: id, operation }, "ended a job that a dead process left");
}

async function offerWaiting({ db, work, log }: Sweeping): Promise<void> {
  const rows = await rowsOf<FileRow & { job_id: string }>(
    db.execute(sql`
      update job_files f set offered_at = now()
      from (select job_id, file_index from job_files where state = 'waiting' and offered_at < now() - ${offerAgain}
        order by tag limit ${mostAtOnce}::int for update skip locked) late
      where f.job_id = late.job_id and f.file_index = late.file_index
      returning f.*`),
  );
  if (rows.length === 0) return;
  await work
    .offer(rows.map((row) => offerOf(row.job_id, fileOf(row))))
    .catch((problem: unknown) =>
      log.warn({ err: problem }, "the queue cannot be reached; waiting files are offered later"),
    );
}

/**
 * Removes pictures that are due, and uploads of dead processes. The row is reserved before and forgotten after: a removal
 * that failed, or a process that died over it, leaves the row for another try, and its `delete_after` tells how late it is. No
 * part of a sweep waits for it: a store that hangs holds each removal up for half a minute.
 */
export async function removeDue({ db, blobs, clock, lease, log }: Sweeping): Promise<void> {
  const now = clock.now();
  const rows = await rowsOf<{ job_id: string }>(
    db.execute(sql`
      update job_blobs b set removing_until = ${new Date(now.getTime() + removalMs).toISOString()}::timestamptz
      from (select job_id from job_blobs u where (removing_until is null or removing_until <= ${now.toISOString()}::timestamptz)
          and (delete_after <= ${now.toISOString()}::timestamptz
            or (uploader is not null and not ${isAlive(sql.raw("u.uploader"), lease)}))
        limit ${mostAtOnce}::int for update skip locked) due
      where b.job_id = due.job_id returning b.job_id`),
  );
  for (const { job_id: id } of rows)
    try {
      await blobs.remove(id);
      await forgetPictures(db, id, { now, isDelivered: false });
    } catch (problem) {
      log.warn({ err: problem, job: id }, "due pictures could not be removed; they are tried again");
    }
}

/** As long as an Idempotency-Key is kept, since that leads to the job. */
const rowKeptMs = 24 * 3_600_000;

/** Deletes rows that nothing needs any more; of jobs their receipts stay. */
export async function forgetOldRows({ db, clock }: Pick<Sweeping, "db" | "clock">): Promise<void> {
  const before = sql`${new Date(clock.now().getTime() - rowKeptMs).toISOString()}::timestamptz`;
  await db.delete(idempotencyKeys).where(sql`${idempotencyKeys.createdAt} < ${before}`);
  await replaceByReceipts(db, { before: new Date(clock.now().getTime() - rowKeptMs), now: clock.now() });
}

export type QueueFacts = {
  waiting: number;
  working: number;
  oldestWaitSeconds: Record<WorkClass, number>;
  deletionOverdueSeconds: number;
};

/** How the queue stands, for metrics. */
export async function queueFacts({ db, clock }: Pick<Sweeping, "db" | "clock">): Promise<QueueFacts> {
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
