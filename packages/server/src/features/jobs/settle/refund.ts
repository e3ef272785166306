import type { JobState } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { rowsOf, type Transaction } from "../../../platform/db/database.ts";
import type { Ledger } from "../../credits/ledger.ts";
import { type FileRecord, owedFiles } from "../record/job.ts";

/** A job that has ended. Its row is locked. */
type EndedJob = {
  jobId: string;
  state: JobState;
  /** For a repeat: the job whose charge it uses. */
  chargeJobId: string | null;
  files: readonly FileRecord[];
};

/**
 * Refunds the job's files that have no result. Requests repeated under one Idempotency-Key are charged once for all of
 * their jobs: a file's charge belongs to the job that delivers it, and the last job that could have delivered it refunds
 * it. Every end locks the row of the charged job, and so does `claimKey`, which serialises them.
 */
export async function refundUndelivered(
  tx: Transaction,
  { jobId, state, chargeJobId, files }: EndedJob,
  { ledger }: { ledger: Ledger },
): Promise<void> {
  const owed = owedFiles(files, state);
  if (owed.length === 0) return;
  const charged = chargeJobId ?? jobId;
  if (chargeJobId !== null) {
    const rows = await rowsOf(tx.execute(sql`select 1 from jobs where id = ${chargeJobId} for update`));
    // Rows are kept for a day after the end, which is longer than a key lives. What was not refunded by then was delivered.
    if (rows.length === 0) return;
  }
  const claimed = await claimedByOthers(tx, { jobId, charged });
  const returned = await ledger.refund(tx, {
    jobId: charged,
    files: owed.filter(({ index }) => !claimed.has(index)),
  });
  if (returned > 0) await tx.execute(sql`update jobs set charged = charged - ${returned}::int where id = ${charged}`);
}

/** Indexes of files of the same charge that another job has delivered or may still deliver. */
export async function claimedByOthers(
  tx: Transaction,
  { jobId, charged }: { jobId: string; charged: string },
): Promise<ReadonlySet<number>> {
  const rows = await rowsOf<{ file_index: number }>(
    tx.execute(sql`
      select distinct f.file_index from jobs j join job_files f on f.job_id = j.id
      where j.id <> ${jobId} and (j.id = ${charged} or j.charge_job_id = ${charged})
        and (f.delivery = 'whole' or f.state in ('waiting', 'working')
          or (f.state = 'done' and (f.delivery in ('sending', 'begun') or (j.state <> 'cancelled' and j.removed_at is null))))`),
  );
  return new Set(rows.map(({ file_index: index }) => index));
}
