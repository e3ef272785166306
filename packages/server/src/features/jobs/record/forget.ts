import { eq } from "drizzle-orm";
import type { Database } from "../../../platform/db/database.ts";
import type { AccountRemoval } from "../../accounts/account-removal.ts";
import { freeEngineUse, jobBlobs, jobs, previewParts, receipts, resultChains } from "../tables.ts";

type Cancelling = {
  db: Database;
  /** Stops a job and deletes its pictures. */
  cancel(id: string, owners: readonly string[]): Promise<unknown>;
};

/** Stops every job of a holder and deletes their pictures. */
export async function cancelJobsOf({ db, cancel }: Cancelling, holder: string): Promise<void> {
  const owned = await db.select({ id: jobs.id }).from(jobs).where(eq(jobs.owner, holder));
  for (const { id } of owned) await cancel(id, [holder]);
}

/** Removes an account's jobs: cancels running ones, and deletes pictures and rows. */
export const removeAccountFromJobs = (dependencies: Cancelling): AccountRemoval => ({
  release: ({ key }) => cancelJobsOf(dependencies, key),
  async forget(tx, { key }) {
    await tx.delete(jobs).where(eq(jobs.owner, key));
    await tx.delete(receipts).where(eq(receipts.owner, key));
    await tx.delete(freeEngineUse).where(eq(freeEngineUse.key, key));
    await tx.delete(previewParts).where(eq(previewParts.key, key));
    await tx.delete(resultChains).where(eq(resultChains.owner, key));
    // Blobs that still wait for removal count against no quota.
    await tx.update(jobBlobs).set({ holder: "" }).where(eq(jobBlobs.holder, key));
    return undefined;
  },
});
