import { eq } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import type { Leaving } from "../accounts/leaving.ts";
import { freeEngineUse, jobBlobs, jobs, receipts } from "./tables.ts";

/** The jobs' part in the end of an account: what runs is cancelled, its pictures and its rows are deleted. */
export const leaveJobs = (use: {
  db: Database;
  /** Stops a job and deletes its pictures. */
  cancel(id: string, owners: readonly string[]): Promise<unknown>;
}): Leaving => ({
  async release({ key }) {
    const owned = await use.db.select({ id: jobs.id }).from(jobs).where(eq(jobs.owner, key));
    for (const { id } of owned) await use.cancel(id, [key]);
  },
  async forget(tx, { key }) {
    await tx.delete(jobs).where(eq(jobs.owner, key));
    await tx.delete(receipts).where(eq(receipts.owner, key));
    await tx.delete(freeEngineUse).where(eq(freeEngineUse.key, key));
    // Blobs that are still to be removed count against nobody's quota.
    await tx.update(jobBlobs).set({ holder: "" }).where(eq(jobBlobs.holder, key));
    return undefined;
  },
});
