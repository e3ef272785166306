import { DomainError } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { type Database, type Queryable, rowsOf, type Transaction } from "../../../platform/db/database.ts";
import { isInNetwork, networksAround } from "../../../platform/network.ts";
import { type FileRecord, type JobRecord, keepsPictures, succeeded } from "../record/job.ts";
import { type JobRow, jobColumns, recordOf } from "../record/job-row.ts";
import { retrying } from "../record/retrying.ts";
import { findJob } from "../record/store.ts";
import { removePictures } from "../settle/remove-pictures.ts";
import { endEarly, type SettleDependencies } from "../settle/settle.ts";

/** What is delivered: all results or those of some indexes, to the caller or to their address. */
export type DeliveryScope = { indexes?: readonly number[]; isToAddress?: boolean };

/** How results are delivered, and what that costs. */
export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries(dependencies: SettleDependencies) {
  const { db, clock, log } = dependencies;
  const ending = new Set<Promise<void>>();
  const end = async ({ id, steps }: Pick<JobRecord, "id" | "steps">, indexes?: readonly number[]): Promise<void> => {
    if (keepsPictures(steps)) return retrying(() => endKeptDelivery(db, id, indexes));
    if (indexes !== undefined && !(await retrying(() => endDelivery(db, id, indexes)))) return;
    try {
      await removePictures(dependencies, id, { isDelivered: true });
    } catch (problem) {
      await retrying(() => removeSoon(db, id, clock.now()));
      throw problem;
    }
  };
  return {
    /** Marks results as being delivered. Returns the updated job. */
    beginDelivery: async (id: string, scope?: DeliveryScope) => requireJob(await beginDelivery(db, id, scope)),
    /** Marks results as delivered, before their last bytes are sent. If it fails, they are delivered all the same. */
    async noteDelivered({ id, waited }: Pick<JobRecord, "id" | "waited">, indexes?: readonly number[]): Promise<void> {
      if (!waited) return;
      await noteDelivered(db, id, indexes).catch((problem: unknown) =>
        log.warn({ err: problem, job: id }, "cannot record a delivery before its end"),
      );
    },
    /**
     * Marks results as delivered. The job's pictures are deleted when `indexes` is omitted or all are delivered. Editable
     * ones are kept until they expire.
     */
    endDelivery(...delivered: Parameters<typeof end>): Promise<void> {
      const ended = end(...delivered).finally(() => ending.delete(ended));
      ending.add(ended);
      return ended;
    },
    /** An address refused the results after their delivery had begun: they are kept until they expire, and are not refunded. */
    keepSent: (id: string) => retrying(() => endKeptDelivery(db, id)),
    /** The caller's address refused the result of a waited job: refunds it, unless it was fetched meanwhile. Returns the updated job. */
    async endUnsent(id: string, { reason }: DomainError): Promise<JobRecord> {
      await endEarly(dependencies, id, { state: "failed", code: "url-refused", reason });
      return requireJob(await findJob(db, id));
    },
    /**
     * Waits until all deliveries are recorded. Call it before the database closes. Otherwise another process takes them for
     * undelivered and refunds them.
     */
    settled: async () => void (await Promise.allSettled(ending)),
  };
}

/** @throws not-found if its account was deleted meanwhile */
function requireJob(record: JobRecord | undefined): JobRecord {
  if (!record) throw new DomainError("not-found");
  return record;
}

/**
 * Marks results as being delivered, and returns the updated job. Cancelling the job and discarding a file lock the same
 * row: either the results count as delivered, or this finds them gone and marks nothing.
 */
export async function beginDelivery(
  db: Queryable,
  id: string,
  { indexes, isToAddress = false }: DeliveryScope = {},
): Promise<JobRecord | undefined> {
  const isDue = ({ delivery }: Pick<FileRecord, "delivery">) =>
    delivery === "none" || (delivery === "sending" && !isToAddress);
  const [row] = await rowsOf<JobRow & { begun: number[] }>(
    db.execute(sql`
      with j as (select * from jobs where id = ${id} for update),
      begun as (
        update job_files f set delivery = ${isToAddress ? "sending" : "begun"}
        from j where f.job_id = j.id and f.state in ('done', 'unchanged')
          and (f.delivery = 'none' or (f.delivery = 'sending' and not ${isToAddress}::boolean))
          and j.state <> 'cancelled' and j.removed_at is null
          and (${sql.param(indexes ?? null)}::int[] is null or f.file_index = any(${sql.param(indexes ?? null)}::int[]))
        returning f.file_index)
      select ${jobColumns}, (select coalesce(json_agg(file_index), '[]') from begun) as begun from j`),
  );
  if (!row) return undefined;
  const record = recordOf(row);
  // The files come from the statement's snapshot. One that it should have marked but did not was changed while it waited
  // for the lock: discarded, or claimed by another delivery.
  const isStale =
    record.state !== "cancelled" &&
    record.removedAt === null &&
    record.files.some(
      (file) =>
        isDue(file) && succeeded(file) && (indexes?.includes(file.index) ?? true) && !row.begun.includes(file.index),
    );
  return isStale ? findJob(db, id) : record;
}

/**
 * Marks results as delivered just before their last bytes are sent: if the process dies before `endDelivery` is recorded,
 * they are not refunded. For jobs whose callers wait; others are not refunded for a process that dies.
 */
async function noteDelivered(db: Database, id: string, indexes?: readonly number[]): Promise<void> {
  const chosen = sql`${sql.param(indexes ?? null)}::int[]`;
  await db.execute(sql`
    with j as (select id from jobs where id = ${id} for update)
    update job_files f set delivery = 'whole' from j
    where f.job_id = j.id and f.state in ('done', 'unchanged') and f.delivery = 'begun'
      and (${chosen} is null or f.file_index = any(${chosen}))`);
}

/** Marks results as delivered. Returns whether nothing is left to deliver. */
async function endDelivery(db: Database, id: string, indexes: readonly number[]): Promise<boolean> {
  const [row] = await rowsOf<{ left: number }>(
    db.execute(sql`
      with j as (select id, state from jobs where id = ${id} for update),
      whole as (
        update job_files f set delivery = 'whole' from j
        where f.job_id = j.id and f.file_index = any(${sql.param(indexes)}::int[]) returning 1)
      select case when j.state in ('queued', 'running') then 1 else (
        select count(*)::int from job_files f where f.job_id = j.id and f.delivery <> 'whole'
          and (f.state = 'done' or (f.state = 'unchanged' and f.result -> 'renamed' is not null))
          and f.file_index <> all(${sql.param(indexes)}::int[])) end as left
      from j`),
  );
  return row?.left === 0;
}

/**
 * Marks results as delivered when their pictures are kept for a while. From now on the job survives the process that
 * accepted it: no connection waits for its answer.
 */
async function endKeptDelivery(db: Database, id: string, indexes?: readonly number[]): Promise<void> {
  const chosen = sql`${sql.param(indexes ?? null)}::int[]`;
  await db.execute(sql`
    with j as (select id from jobs where id = ${id} for update),
    whole as (
      update job_files f set delivery = 'whole' from j
      where f.job_id = j.id and f.delivery in ('sending', 'begun') and (${chosen} is null or f.file_index = any(${chosen}))
      returning 1)
    update jobs set process = null where id = ${id} and not exists (
      select 1 from job_files f where f.job_id = ${id} and f.state = 'done' and f.delivery = 'none')`);
}

/** Makes a delivered result due for removal now, for a retry by the sweep, instead of after the retention of unfetched results. */
async function removeSoon(db: Database, id: string, now: Date): Promise<void> {
  await db.execute(sql`
    update job_blobs set delete_after = least(delete_after, ${now.toISOString()}::timestamptz) where job_id = ${id}`);
}

/**
 * Before another preview is kept, makes older ones due for deletion, so that `most` remain of a person or of all guests of a
 * network (`holder`), or of everyone in a network. The networks around it keep a multiple. Job ids begin with a timestamp, so
 * the greatest id is the newest.
 */
export async function expireOldPreviews(
  tx: Transaction,
  { whose, max, now }: { whose: { holder: string } | { network: string }; max: number; now: Date },
): Promise<void> {
  const [column, text] = "holder" in whose ? [sql`b.holder`, whose.holder] : [sql`b.network`, whose.network];
  for (const { key, share } of networksAround(text))
    await tx.execute(sql`
      update job_blobs set delete_after = least(delete_after, ${now.toISOString()}::timestamptz)
      where job_id in (
        select b.job_id from job_blobs b join jobs j on j.id = b.job_id
        where ${isInNetwork(column, sql`${key}::text`)} and j.operation = 'preview' and j.state = 'done'
          and j.steps -> 0 -> 'options' -> 'keep' = 'true'::jsonb
        order by b.job_id desc offset ${max * share - 1}::int)`);
}
