import { costsCredits, type TaskName } from "@tintype/contract";
import type { Transaction } from "../../platform/db/database.ts";
import type { Holder, Usage } from "../credits/allowance.ts";
import type { Ledger } from "../credits/ledger.ts";
import type { NewFile } from "./job.ts";

type JobPrice = { id: string; operation: TaskName; creditsPerFile: number; files: readonly NewFile[] };
export type JobCharge = { charged: number; isFast: boolean; usage?: Usage };

/**
 * Charges the job and returns the usage after it, if there was something to charge. A person pays nothing for a file whose
 * outcome is already known (not a picture, or already in the target format). A guest's batch is charged in full, as
 * docs/product.md requires, and its failed files are refunded at the end.
 */
export async function chargeJob(
  tx: Transaction,
  { id, operation, creditsPerFile, files }: JobPrice,
  { ledger, holder }: { ledger: Ledger; holder: Holder },
): Promise<JobCharge> {
  const owed = files.flatMap(({ name, ending, isFree }, index) =>
    !isFree && (!ending || (holder.tier === "guest" && ending.state === "failed")) ? [{ index, name }] : [],
  );
  if (creditsPerFile === 0 || !costsCredits(operation) || !files.some(({ ending, isFree }) => !ending && !isFree))
    return { charged: 0, isFast: false };
  const { usage, isFast } = await ledger.charge(tx, holder, { jobId: id, operation, creditsPerFile, files: owed });
  return { charged: owed.length * creditsPerFile, isFast, usage };
}
