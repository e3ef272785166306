import type { TaskName, TierName } from "@tintype/contract";
import { and, eq, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { idempotencyKeys, jobs } from "../../platform/db/tables.ts";
import type { FileRecord, JobRecord } from "./job.ts";

/** A server that has not said so for this long is taken for dead. */
const leaseMs = 30_000;

/** The jobs table: the row is the truth, whatever a process remembers. */
export type JobStore = {
  insert(tx: Queryable, job: JobRecord): Promise<void>;
  find(id: string): Promise<JobRecord | undefined>;
  save(tx: Queryable, job: JobRecord): Promise<void>;
  /** The job's pictures are gone; names are forgotten, here and in the ledger. */
  saveRemoved(job: JobRecord): Promise<void>;
  /** Jobs this server began and did not end, and those of servers that are dead. */
  orphans(now: Date): Promise<(JobRecord & { isOurs: boolean })[]>;
  /** Answers of this server that were ready and, it seems, never went out whole. To be asked when it starts. */
  undelivered(): Promise<JobRecord[]>;
  renewLeases(now: Date): Promise<void>;
  /** Jobs whose pictures are due to go. */
  expired(endedBefore: Date): Promise<JobRecord[]>;
  /** Deletes rows that nothing needs any more. */
  forget(endedBefore: Date): Promise<void>;
};

export function createJobStore({ db, runner }: { db: Database; runner: string }): JobStore {
  const values = (job: JobRecord) => ({
    ...job,
    runner,
    leaseUntil: new Date(job.createdAt.getTime() + leaseMs),
    finishedAt: job.finishedAt,
  });
  const unfinished = inArray(jobs.state, ["queued", "running"]);
  return {
    async insert(tx, job) {
      await tx.insert(jobs).values(values(job));
    },
    async find(id) {
      const [row] = await db.select().from(jobs).where(eq(jobs.id, id));
      return row && recordOf(row);
    },
    async save(tx, { id, state, charged, files, attempt, finishedAt, removedAt }) {
      await tx
        .update(jobs)
        .set({ state, charged, files, attempt, finishedAt, removedAt, runner })
        .where(eq(jobs.id, id));
    },
    async saveRemoved({ id, state, charged, files, removedAt }) {
      const nameless = files.map((file) => ({
        ...file,
        name: "",
        ...(file.result ? { result: { ...file.result, name: "" } } : {}),
      }));
      await db.execute(sql`
        with forgotten as (
          update credit_entries set file_name = null where job_id = ${id} and file_name is not null)
        update jobs set state = ${state}, charged = ${charged}::int, files = ${JSON.stringify(nameless)}::jsonb,
          removed_at = ${removedAt?.toISOString() ?? null}::timestamptz
        where id = ${id}`);
    },
    async orphans(now) {
      const ours = await db
        .select()
        .from(jobs)
        .where(and(unfinished, eq(jobs.runner, runner)));
      const others = await db
        .select()
        .from(jobs)
        .where(and(unfinished, ne(jobs.runner, runner), lt(jobs.leaseUntil, now)));
      return [
        ...ours.map((row) => ({ ...recordOf(row), isOurs: true })),
        ...others.map((row) => ({ ...recordOf(row), isOurs: false })),
      ];
    },
    async undelivered() {
      const rows = await db
        .select()
        .from(jobs)
        .where(and(eq(jobs.runner, runner), eq(jobs.waited, true), eq(jobs.state, "done"), isNull(jobs.removedAt)));
      return rows.map(recordOf);
    },
    async renewLeases(now) {
      await db
        .update(jobs)
        .set({ leaseUntil: new Date(now.getTime() + leaseMs) })
        .where(and(unfinished, eq(jobs.runner, runner)));
    },
    async expired(endedBefore) {
      const rows = await db
        .select()
        .from(jobs)
        .where(and(isNull(jobs.removedAt), lt(jobs.finishedAt, endedBefore)))
        .limit(500);
      return rows.map(recordOf);
    },
    async forget(endedBefore) {
      await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, endedBefore));
      await db.delete(jobs).where(and(lt(jobs.finishedAt, endedBefore), sql`${jobs.removedAt} is not null`));
    },
  };
}

const recordOf = (row: typeof jobs.$inferSelect): JobRecord => ({
  id: row.id,
  owner: row.owner,
  // Text columns and JSON that only this file writes.
  tier: row.tier as TierName,
  operation: row.operation as TaskName,
  options: row.options,
  state: row.state,
  waited: row.waited,
  fast: row.fast,
  charged: row.charged,
  replay: row.replay,
  files: row.files as FileRecord[],
  attempt: row.attempt,
  createdAt: row.createdAt,
  finishedAt: row.finishedAt,
  removedAt: row.removedAt,
});
