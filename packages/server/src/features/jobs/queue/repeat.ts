import { DomainError } from "@tintype/contract";
import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "../../../platform/db/database.ts";
import { bindKey, type IdempotencyKey, rebindKey } from "../../credits/idempotency.ts";
import { chargedFiles } from "../../credits/ledger.ts";
import type { StoredReason } from "../record/sentences.ts";
import { jobFiles, jobs } from "../tables.ts";

/** A delivered result is deleted, so a repeat runs the work again. A repeat is free, and therefore limited. */
const maxReplays = 10;

/** What a request under an Idempotency-Key turned out to be. */
export type KeyClaim =
  /** New: run and charge it. */
  | { kind: "first" }
  /** The last job under the key is still running. */
  | { kind: "running"; jobId: string }
  /** Charged before: run the files that were not refunded, without a charge. */
  | { kind: "again"; chargedJobId: string; charged: ReadonlySet<number>; before: ReadonlyMap<number, EarlierEnd> };
/** The end of a file that was not charged. */
type EarlierEnd = { state: "failed" | "unchanged"; reason: StoredReason | undefined; code: string | undefined };

/**
 * Binds the key to the job, or returns what happened under it before. The ledger says which files were charged; a repeat runs no others.
 * @throws idempotency-mismatch; conflict after too many repeats or when the charged job was cancelled
 */
export async function claimKey(
  tx: Transaction,
  key: IdempotencyKey,
  { jobId, now }: { jobId: string; now: Date },
): Promise<KeyClaim> {
  const bound = await bindKey(tx, key, { jobId, now });
  if (!bound) return { kind: "first" };
  const { chargedJobId, replays } = bound;
  // A job of the key that ends at the same time either refunds its files before this reads them, or sees the new job.
  await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, chargedJobId)).for("update");
  const before = await tx
    .select({ id: jobs.id, state: jobs.state })
    .from(jobs)
    .where(inArray(jobs.id, [bound.jobId, chargedJobId]));
  const last = before.find(({ id }) => id === bound.jobId);
  if (last?.state === "queued" || last?.state === "running") return { kind: "running", jobId: last.id };
  const charged = await chargedFiles(tx, chargedJobId);
  if (charged.size === 0) {
    await rebindKey(tx, key, { jobId, chargedJobId: null });
    return { kind: "first" };
  }
  if (before.some(({ id, state }) => id === chargedJobId && state === "cancelled"))
    throw new DomainError("conflict", {
      detail: "The request with this Idempotency-Key was cancelled. Use a new key.",
    });
  if (replays >= maxReplays)
    throw new DomainError("conflict", { detail: "This Idempotency-Key was repeated too often. Use a new key." });
  await rebindKey(tx, key, { jobId, chargedJobId });
  return { kind: "again", chargedJobId, charged, before: await readUncharged(tx, chargedJobId) };
}

async function readUncharged(tx: Transaction, jobId: string): Promise<Map<number, EarlierEnd>> {
  const rows = await tx
    .select({ index: jobFiles.fileIndex, state: jobFiles.state, reason: jobFiles.reason, code: jobFiles.code })
    .from(jobFiles)
    .where(and(eq(jobFiles.jobId, jobId), inArray(jobFiles.state, ["failed", "unchanged", "cancelled"])));
  return new Map(
    rows.map(({ index, state, reason, code }) => [
      index,
      { state: state === "unchanged" ? state : "failed", reason: reason ?? undefined, code: code ?? undefined },
    ]),
  );
}
