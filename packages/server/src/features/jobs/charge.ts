import { costsCredits } from "@tintype/contract";
import type { Transaction } from "../../platform/db/database.ts";
import type { Holder, Usage } from "../credits/allowance.ts";
import type { Claim } from "../credits/idempotency.ts";
import type { Ledger } from "../credits/ledger.ts";
import type { JobRecord } from "./job.ts";
import { isWaiting } from "./live-job.ts";

/**
 * Takes the job's credits and writes into its record what was taken; answers the usage after it, where there was
 * something to take. A file whose fate is known already (no picture, source and target the same) costs a person
 * nothing; a guest's batch is counted whole, as SPEC.md §6 wants, and gets back at the end what failed.
 */
export async function chargeJob(
  tx: Transaction,
  record: JobRecord,
  { ledger, holder, claim }: { ledger: Ledger; holder: Holder; claim: Claim },
): Promise<Usage | undefined> {
  const { operation } = record;
  if (!costsCredits(operation)) return undefined;
  if (claim.kind === "again") {
    record.replay = true;
    record.charged = claim.charged;
    return undefined;
  }
  const owed = record.files.flatMap((file, index) =>
    isWaiting(file) || (holder.tier === "guest" && file.state === "failed") ? [{ index, name: file.name }] : [],
  );
  if (owed.length === 0 || !record.files.some(isWaiting)) return undefined;
  const { usage, isFast } = await ledger.charge(tx, holder, { jobId: record.id, operation, files: owed });
  record.charged = owed.length;
  record.fast = isFast;
  return usage;
}
