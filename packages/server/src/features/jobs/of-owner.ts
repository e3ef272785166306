import type { DeskJob } from "@tintype/contract";
import { desc, eq } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import { describeJobs } from "./overview.ts";
import { jobs } from "./tables.ts";

/** The holder that a job belongs to; undefined where there is no such job. */
export async function ownerOfJob(db: Database, id: string): Promise<string | undefined> {
  const [job] = await db.select({ owner: jobs.owner }).from(jobs).where(eq(jobs.id, id));
  return job?.owner;
}

/** A holder's jobs that are still remembered, the newest first, without the names of their pictures. */
export async function listJobsOf(db: Database, owner: string, most: number): Promise<DeskJob[]> {
  const rows = await db.select().from(jobs).where(eq(jobs.owner, owner)).orderBy(desc(jobs.id)).limit(most);
  return (await describeJobs(db, rows)).map(({ owner: _, ...job }) => job);
}
