import { costsCredits, type TaskName } from "@tintype/contract";
import type { Transaction } from "../../platform/db/database.ts";
import type { Holder, Usage } from "../credits/allowance.ts";
import type { Ledger } from "../credits/ledger.ts";
import type { NewFile } from "./job.ts";

type JobPrice = { id: string; operation: TaskName; creditsPerFile: number; files: readonly NewFile[] };
export type JobCharge = { charged: number; isFast: boolean; usage?: Usage };

/**
 * Charges the job; answers the usage after it, where there was something to charge. A file whose end is known already (no
 * picture, or source and target the same) costs a person nothing. A guest's batch is charged whole, as docs/product.md
 * requires, and its failed files are refunded at the end.
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
