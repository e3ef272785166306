import { sql } from "drizzle-orm";
import { type Database, type Queryable, rowsOf } from "../../../platform/db/database.ts";
import { readCursor } from "../../../platform/db/page.ts";
import type { JobRecord } from "./job.ts";
import { type JobRow, jobColumns, recordOf } from "./job-row.ts";

/** The job with its files. */
export async function findJob(db: Queryable, id: string): Promise<JobRecord | undefined> {
  const [row] = await rowsOf<JobRow>(db.execute(sql`select ${jobColumns} from jobs j where j.id = ${id}`));
  return row && recordOf(row);
}

/** The cursor of a list of jobs: the id of a job. @throws invalid-request */
export const readJobCursor = (before: string | undefined): string | undefined =>
  readCursor(before, /^job_[0-9a-z]{1,40}$/);

/** Jobs of these owners created since then, newest first. `before`: older than the job with this id. */
export async function findJobsOf(
  db: Queryable,
  {
    owners,
    since,
    before,
    limit,
  }: { owners: readonly string[]; since: Date; before: string | undefined; limit: number },
): Promise<JobRecord[]> {
  const rows = await rowsOf<JobRow>(
    db.execute(sql`
      select ${jobColumns} from jobs j
      where j.owner = any(${textArray(owners)}) and j.created_at > ${since.toISOString()}::timestamptz
        and (${before ?? null}::text is null or j.id < ${before ?? null}::text)
      order by j.id desc limit ${limit}::int`),
  );
  return rows.map(recordOf);
}

/** A list as one parameter, so that the statement's text does not depend on its length. */
export const textArray = (values: readonly string[]) => sql`${sql.param(values)}::text[]`;

/** The number of other jobs' files before the job's next one. Undefined if none of its files waits, or one is in work. */
export async function positionOf(db: Database, { id, files }: JobRecord): Promise<number | undefined> {
  if (files.some(({ state }) => state === "working")) return undefined;
  const [next] = files.filter(({ state }) => state === "waiting").toSorted((a, b) => a.priority - b.priority);
  if (!next) return undefined;
  const [row] = await rowsOf<{ before: number }>(
    db.execute(sql`
      select count(*)::int as before from job_files
      where state = 'waiting' and class = ${next.class} and job_id <> ${id}
        and ((lane = 'fast' and ${next.lane} = 'normal')
          or (lane = ${next.lane} and (priority, job_id) < (${next.priority}::int, ${id})))`),
  );
  return row?.before;
}

/** A job whose caller knows its address, or follows it, no longer ends with the connection or the process that began it. */
export async function outliveConnection(
  db: Queryable,
  id: string,
  { isCharged }: { isCharged: boolean },
): Promise<void> {
  // A free job is never resumed: it still ends with the process that accepted it.
  await db.execute(sql`
    update jobs set waited = false, process = case when ${isCharged}::boolean or state = 'done' then null else process end
    where id = ${id}`);
}
