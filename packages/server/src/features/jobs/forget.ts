import { eq } from "drizzle-orm";
import type { Database } from "../../platform/db/database.ts";
import type { AccountRemoval } from "../accounts/account-removal.ts";
import { freeEngineUse, jobBlobs, jobs, receipts } from "./tables.ts";

/** Removes an account's jobs: cancels running ones, and deletes pictures and rows. */
export const leaveJobs = (dependencies: {
  db: Database;
  /** Stops a job and deletes its pictures. */
  cancel(id: string, owners: readonly string[]): Promise<unknown>;
}): AccountRemoval => ({
  async release({ key }) {
    const owned = await dependencies.db.select({ id: jobs.id }).from(jobs).where(eq(jobs.owner, key));
    for (const { id } of owned) await dependencies.cancel(id, [key]);
  },
  async forget(tx, { key }) {
    await tx.delete(jobs).where(eq(jobs.owner, key));
    await tx.delete(receipts).where(eq(receipts.owner, key));
    await tx.delete(freeEngineUse).where(eq(freeEngineUse.key, key));
    // Blobs that still wait for removal count against no quota.
    await tx.update(jobBlobs).set({ holder: "" }).where(eq(jobBlobs.holder, key));
    return undefined;
  },
});
