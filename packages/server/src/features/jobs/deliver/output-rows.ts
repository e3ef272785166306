import { and, desc, eq, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import { type Database, type Queryable, rowsOf } from "../../../platform/db/database.ts";
import type { Settlement } from "../../../platform/outbox.ts";
import { textArray } from "../record/store.ts";
import { jobOutputs, jobs } from "../tables.ts";

// The addresses that callers want results sent to: one row per job, deleted with the job's.

/** An address that a result is due to be sent to. `queue_key`: the queue of the job's files. */
export type DueOutput = {
  job_id: string;
  url: string;
  tries: number;
  queue_key: string;
  request_id: string | null;
};

const ended = sql.raw("('done', 'failed', 'cancelled')");

/** SQL condition: the job has ended, and its result was sent to the caller's address or given up, if there is an address. */
export const isSettled = (jobId: SQL): SQL => sql`
  exists (select 1 from jobs j where j.id = ${jobId} and j.state in ${ended})
  and not exists (select 1 from job_outputs o where o.job_id = ${jobId} and o.state = 'waiting')`;

/** The id of the request that began the job. */
export const requestIdOf = (jobId: SQL): SQL => sql`(select j.request_id from jobs j where j.id = ${jobId})`;

/** Records the address in the transaction that creates the job. */
export async function insertOutput(tx: Queryable, output: { jobId: string; url: string; dueAt: Date }): Promise<void> {
  await tx.insert(jobOutputs).values(output);
}

/**
 * Reserves a due address of an ended job for this process. Others may take it over after `reservationMs`. Undefined if only
 * queues in `busy` have one.
 */
export async function reserveOutput(
  db: Database,
  { now, reservationMs, busy }: { now: Date; reservationMs: number; busy: readonly string[] },
): Promise<DueOutput | undefined> {
  const queueKeyOf = (jobId: SQL) => sql`coalesce((select min(queue_key) from job_files where job_id = ${jobId}), '')`;
  const [row] = await rowsOf<DueOutput>(
    db.execute(sql`
      update job_outputs set tries = tries + 1, due_at = ${new Date(now.getTime() + reservationMs).toISOString()}::timestamptz
      where job_id = (
        select o.job_id from job_outputs o join jobs j on j.id = o.job_id
        where o.state = 'waiting' and o.due_at <= ${now.toISOString()}::timestamptz
          and j.state in ${ended} and ${queueKeyOf(sql.raw("j.id"))} <> all(${textArray(busy)})
        order by o.due_at limit 1 for update of o skip locked)
      returning job_id, url, tries, ${queueKeyOf(sql.raw("job_outputs.job_id"))} as queue_key,
        (select request_id from jobs where id = job_outputs.job_id) as request_id`),
  );
  return row;
}

/** Records the outcome of an attempt. The address is deleted once no further attempt is needed. */
export const settleOutput = (
  db: Database,
  jobId: string,
  { state, dueAt, lastProblem }: Settlement,
): Promise<unknown> =>
  db.execute(
    dueAt
      ? sql`update job_outputs set due_at = ${dueAt.toISOString()}::timestamptz, last_problem = ${lastProblem}
          where job_id = ${jobId} and state = 'waiting'`
      : sql`update job_outputs set state = ${state}, url = '', due_at = null, last_problem = ${lastProblem}
          where job_id = ${jobId}`,
  );

/** An address that was given up, or that failed and will be retried. */
export type FailingOutput = {
  jobId: string;
  owner: string;
  /** Empty once given up: the address may contain a signature, and is deleted. */
  url: string;
  tries: number;
  dueAt: Date | null;
  lastProblem: string | null;
};

/** Those of jobs whose rows still exist, newest job first, after a cursor. */
export function listFailingOutputs(
  db: Database,
  { state, after, limit }: { state: "waiting" | "failed"; after: string | undefined; limit: number },
): Promise<FailingOutput[]> {
  return db
    .select({
      jobId: jobOutputs.jobId,
      owner: jobs.owner,
      url: jobOutputs.url,
      tries: jobOutputs.tries,
      dueAt: jobOutputs.dueAt,
      lastProblem: jobOutputs.lastProblem,
    })
    .from(jobOutputs)
    .innerJoin(jobs, eq(jobs.id, jobOutputs.jobId))
    .where(
      and(
        eq(jobOutputs.state, state),
        state === "waiting" ? isNotNull(jobOutputs.lastProblem) : undefined,
        after === undefined ? undefined : lt(jobOutputs.jobId, after),
      ),
    )
    .orderBy(desc(jobOutputs.jobId))
    .limit(limit);
}
