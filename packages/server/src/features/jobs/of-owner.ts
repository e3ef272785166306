import type { DeskJob } from "@tintype/contract";
import { desc, eq, or } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import { describeJobs } from "./overview.ts";
import { jobs } from "./tables.ts";

/** The holders of the job with this id, and of those that the request with this id made. */
export async function ownersOfJobs(db: Database, id: string): Promise<string[]> {
  const found = await db
    .selectDistinct({ owner: jobs.owner })
    .from(jobs)
    .where(or(eq(jobs.id, id), eq(jobs.requestId, id)))
    .limit(mostOwners);
  return found.map(({ owner }) => owner);
}

/** A caller chooses the id of a request, and several may choose the same. */
const mostOwners = 20;

/** A holder's jobs that are still remembered, the newest first, without the names of their pictures. */
export async function listJobsOf(db: Database, owner: string, most: number): Promise<DeskJob[]> {
  const rows = await db.select().from(jobs).where(eq(jobs.owner, owner)).orderBy(desc(jobs.id)).limit(most);
  return (await describeJobs(db, rows)).map(({ owner: _, ...job }) => job);
}
