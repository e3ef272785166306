import type { DeskJob } from "@tintype/contract";
import { taskNames } from "@tintype/contract";
import { desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import { jobFiles, jobs } from "./tables.ts";

/** The holder that a job belongs to; undefined where there is no such job. */
export async function ownerOfJob(db: Database, id: string): Promise<string | undefined> {
  const [job] = await db.select({ owner: jobs.owner }).from(jobs).where(eq(jobs.id, id));
  return job?.owner;
}

/** A holder's jobs that are still remembered, the newest first, without the names of their pictures. */
export async function listJobsOf(db: Database, owner: string, most: number): Promise<DeskJob[]> {
  const rows = await db.select().from(jobs).where(eq(jobs.owner, owner)).orderBy(desc(jobs.id)).limit(most);
  if (rows.length === 0) return [];
  const counts = await db
    .select({
      jobId: jobFiles.jobId,
      files: sql<number>`count(*)::int`,
      failed: sql<number>`(count(*) filter (where ${jobFiles.state} = 'failed'))::int`,
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
          operation,
          state: row.state,
          files: count?.files ?? 0,
          failed_files: count?.failed ?? 0,
          credits: row.charged,
          created_at: row.createdAt.toISOString(),
          finished_at: row.finishedAt?.toISOString() ?? null,
          codes: count?.codes?.split(" ") ?? [],
        };
  });
}
