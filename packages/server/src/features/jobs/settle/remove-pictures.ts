import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import { forgetFileNames } from "../../credits/history.ts";

/** Removes a job's pictures, and forgets their names. */
export async function removePictures(
  dependencies: { blobs: Blobs; db: Database; clock: Clock },
  id: string,
  how: { isDelivered: boolean },
): Promise<void> {
  await dependencies.blobs.remove(id);
  await forgetPictures(dependencies, id, how);
}

/** Removes blobs at once if the store responds; otherwise the sweep retries. Their row stays until the names are cleared too. */
export async function dropPictures(
  { blobs, log }: { blobs: Blobs; log: Pick<FastifyBaseLogger, "warn"> },
  jobId: string,
): Promise<boolean> {
  return blobs.remove(jobId).then(
    () => true,
    (problem: unknown) => {
      log.warn({ err: problem, job: jobId }, "cannot delete a job's images yet");
      return false;
    },
  );
}

/**
 * Clears the names of a job's removed pictures, here and in the ledger, and deletes the row of their prefix.
 * `isDelivered`: everything deliverable was delivered.
 */
export async function forgetPictures(
  { db, clock }: { db: Database; clock: Clock },
  id: string,
  { isDelivered }: { isDelivered: boolean },
): Promise<void> {
  await db.execute(sql`
    with j as (
      update jobs set removed_at = coalesce(removed_at, ${clock.now().toISOString()}::timestamptz), process = null
      where id = ${id} returning id),
    names as (${forgetFileNames(id)}),
    files as (
      update job_files f set name = '',
        result = case when f.result is null then null else jsonb_set(f.result, '{name}', '""') end,
        delivery = case when ${isDelivered}::boolean and f.delivery in ('sending', 'begun') then 'whole' else f.delivery end
      from j where f.job_id = j.id)
    delete from job_blobs where job_id = ${id}`);
}
