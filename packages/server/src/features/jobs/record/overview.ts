import type { DeskJob, DeskJobCounts, DeskJobState } from "@tintype/contract";
import { taskNames } from "@tintype/contract";
import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { type Database, rowsOf } from "../../../platform/db/database.ts";
import { jobFiles, jobs } from "../tables.ts";

// Jobs of all callers for operators, without pictures or their names.

/** A job with its holder, `person:...` or `guest:...`. */
export type OwnedJob = DeskJob & { owner: string };

/** SQL condition on `jobs`: a worker has started one of its files. The row says `running` only once the first file has ended. */
const isTakenUp = sql`exists (
  select 1 from job_files f where f.job_id = jobs.id and (f.state = 'working' or f.tries > 0))`;

type Page = { state: DeskJobState; code: string | undefined; after: string | undefined; limit: number };

/** Jobs that wait, are in work, or have a file that failed with this error code; newest first, after a job. */
export async function listJobsIn(db: Database, { state, code, after, limit }: Page): Promise<OwnedJob[]> {
  // As an array, the page is read by its ids. As a join, all jobs would be read first.
  const failed = sql`array(select distinct job_id from job_files where state = 'failed'
    ${code === undefined ? sql`` : sql`and code = ${code}`} ${after === undefined ? sql`` : sql`and job_id < ${after}`}
    order by job_id desc limit ${limit})`;
  const isIn = {
    waiting: sql`${jobs.state} = 'queued' and not ${isTakenUp}`,
    working: sql`${jobs.state} in ('queued', 'running') and (${jobs.state} = 'running' or ${isTakenUp})`,
    failed: sql`${jobs.id} = any(${failed})`,
  }[state];
  const rows = await db
    .select()
    .from(jobs)
    .where(and(isIn, after === undefined ? undefined : lt(jobs.id, after)))
    .orderBy(desc(jobs.id))
    .limit(limit);
  return describeJobs(db, rows);
}

/** Jobs with the counts and errors of their files. */
async function describeJobs(db: Database, rows: readonly (typeof jobs.$inferSelect)[]): Promise<OwnedJob[]> {
  if (rows.length === 0) return [];
  const counts = await db
    .select({
      jobId: jobFiles.jobId,
      files: sql<number>`count(*)::int`,
      failed: sql<number>`(count(*) filter (where ${jobFiles.state} = 'failed'))::int`,
      isTakenUp: sql<boolean>`bool_or(${jobFiles.state} = 'working' or ${jobFiles.tries} > 0)`,
      codes: sql<string | null>`string_agg(distinct ${jobFiles.code}, ' ')`,
    })
    .from(jobFiles)
    .where(
      inArray(
        jobFiles.jobId,
        rows.map(({ id }) => id),
      ),
    )
    .groupBy(jobFiles.jobId);
  const byJob = new Map(counts.map((count) => [count.jobId, count]));
  return rows.flatMap((row) => {
    const operation = taskNames.find((name) => name === row.operation);
    const count = byJob.get(row.id);
    return operation === undefined
      ? []
      : {
          id: row.id,
          owner: row.owner,
          operation,
          state: row.state === "queued" && count?.isTakenUp ? "running" : row.state,
          files: count?.files ?? 0,
          failed_files: count?.failed ?? 0,
          credits: row.charged,
          created_at: row.createdAt.toISOString(),
          finished_at: row.finishedAt?.toISOString() ?? null,
          codes: count?.codes?.split(" ") ?? [],
        };
  });
}

/** Counts of waiting and running jobs, and of failed files by error code, among jobs whose rows still exist. */
export async function countJobs(db: Database): Promise<DeskJobCounts> {
  const [open] = await rowsOf<{ waiting: number; working: number }>(
    db.execute(sql`
      select count(*) filter (where state = 'queued' and not ${isTakenUp})::int as waiting,
        count(*) filter (where state = 'running' or ${isTakenUp})::int as working
      from jobs where state in ('queued', 'running')`),
  );
  const failed = await db
    .select({
      code: sql<string>`coalesce(${jobFiles.code}, 'internal')`,
      files: sql<number>`count(*)::int`,
      jobs: sql<number>`count(distinct ${jobFiles.jobId})::int`,
    })
    .from(jobFiles)
    .where(eq(jobFiles.state, "failed"))
    .groupBy(jobFiles.code)
    .orderBy(sql`count(*) desc`, jobFiles.code);
  return { waiting: open?.waiting ?? 0, working: open?.working ?? 0, failed };
}

/** The holders of the job with this id, or of the jobs that the request with this id created. */
export async function ownersOfJobs(db: Database, by: { jobId: string } | { requestId: string }): Promise<string[]> {
  const rows = await db
    .selectDistinct({ owner: jobs.owner })
    .from(jobs)
    .where("jobId" in by ? eq(jobs.id, by.jobId) : eq(jobs.requestId, by.requestId))
    .limit(maxOwners);
  return rows.map(({ owner }) => owner);
}

/** Callers choose request ids, so several may choose the same one. */
const maxOwners = 20;

/** A holder's jobs whose rows still exist, newest first, without the names of their pictures. */
export async function listJobsOf(db: Database, owner: string, limit: number): Promise<DeskJob[]> {
  const rows = await db.select().from(jobs).where(eq(jobs.owner, owner)).orderBy(desc(jobs.id)).limit(limit);
  return (await describeJobs(db, rows)).map(({ owner: _, ...job }) => job);
}
