import { createHash } from "node:crypto";
import { DomainError } from "@tintype/contract";
import { and, eq, inArray, sql } from "drizzle-orm";
import { type Queryable, rowsOf, type Transaction } from "../../platform/db/database.ts";
import { idempotencyKeys, jobFiles, jobs } from "../../platform/db/tables.ts";
import { nothingSaved } from "./ledger.ts";

export type IdempotencyKey = { owner: string; key: string; fingerprint: string };

/** How long a key is kept. */
const keyLifeMs = 24 * 3_600_000;
/** Delivered results are deleted, so that a repeat runs again. It costs nothing, and is therefore limited. */
const maxReplays = 10;
const maxKeyLength = 255;

/** The caller's key as sent, if any. @throws invalid-request when it is none that can be kept */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = Array.isArray(header) ? header.join(",") : header;
  if (key === "" || key.length > maxKeyLength)
    throw new DomainError("invalid-request", {
      field: "Idempotency-Key",
      detail: `An Idempotency-Key has 1 to ${maxKeyLength} characters.`,
    });
  return key;
}

/** The same request gives the same fingerprint, however its form was built. */
export const fingerprintOf = (request: unknown): string =>
  createHash("sha256").update(JSON.stringify(request)).digest("hex");

/** Whether a request came under the key before. A key made up for this request alone proves no payment. */
export async function isKnownKey(db: Queryable, { owner, key }: Omit<IdempotencyKey, "fingerprint">): Promise<boolean> {
  const rows = await db
    .select({ key: idempotencyKeys.key })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key)));
  return rows.length > 0;
}

export type KeyClaim =
  /** Work and charge. */
  | { kind: "first" }
  /** The last job under the key still runs. */
  | { kind: "running"; jobId: string }
  /** It was charged before: run without a charge the files that were not refunded. */
  | { kind: "again"; chargedJobId: string; charged: ReadonlySet<number>; before: ReadonlyMap<number, Before> };
/** The end of a file that was not charged. */
export type Before = { state: "failed" | "unchanged"; reason: string | undefined; code: string | undefined };

/**
 * Binds the key to the job, or answers what it is bound to. Concurrent requests wait for each other on the key's row. The
 * ledger says which files were charged: a repeat runs no others.
 * @throws idempotency-mismatch, conflict after too many repeats or when the charged job was cancelled
 */
export async function claimKey(
  tx: Transaction,
  { owner, key, fingerprint }: IdempotencyKey,
  { jobId, now }: { jobId: string; now: Date },
): Promise<KeyClaim> {
  const mine = and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key));
  await tx
    .delete(idempotencyKeys)
    .where(
      and(mine, sql`${idempotencyKeys.createdAt} < ${new Date(now.getTime() - keyLifeMs).toISOString()}::timestamptz`),
    );
  const made = await tx
    .insert(idempotencyKeys)
    .values({ owner, key, fingerprint, jobId, createdAt: now })
    .onConflictDoNothing()
    .returning();
  if (made.length > 0) return { kind: "first" };
  const [kept] = await tx.select().from(idempotencyKeys).where(mine).for("update");
  if (kept?.fingerprint !== fingerprint || !kept.jobId) throw new DomainError("idempotency-mismatch");
  const chargedJobId = kept.chargedJobId ?? kept.jobId;
  // A job of the key that ends meanwhile refunds its files before this reads them, or finds the new job.
  await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, chargedJobId)).for("update");
  const before = await tx
    .select({ id: jobs.id, state: jobs.state })
    .from(jobs)
    .where(inArray(jobs.id, [kept.jobId, chargedJobId]));
  const last = before.find(({ id }) => id === kept.jobId);
  if (last?.state === "queued" || last?.state === "running") return { kind: "running", jobId: last.id };
  const charged = await chargedFiles(tx, chargedJobId);
  if (charged.size === 0) {
    await tx.update(idempotencyKeys).set({ jobId, chargedJobId: null }).where(mine);
    return { kind: "first" };
  }
  if (before.some(({ id, state }) => id === chargedJobId && state === "cancelled"))
    throw new DomainError("conflict", {
      detail: "The request with this Idempotency-Key was cancelled. Use a new key.",
    });
  if (kept.replays >= maxReplays)
    throw new DomainError("conflict", { detail: "This Idempotency-Key was repeated too often. Use a new key." });
  await tx
    .update(idempotencyKeys)
    .set({ jobId, chargedJobId, replays: kept.replays + 1 })
    .where(mine);
  return { kind: "again", chargedJobId, charged, before: await uncharged(tx, chargedJobId) };
}

/** A file that stayed unchanged was refunded, and stays unchanged again. */
async function chargedFiles(tx: Transaction, jobId: string): Promise<Set<number>> {
  const rows = await rowsOf<{ file_index: number }>(
    tx.execute(sql`
      select file_index from credit_entries where job_id = ${jobId}
      group by file_index having bool_or(kind = 'charge')
        and not bool_or(kind = 'give-back' and reason is distinct from ${nothingSaved})`),
  );
  return new Set(rows.map(({ file_index }) => file_index));
}

async function uncharged(tx: Transaction, jobId: string): Promise<Map<number, Before>> {
  const rows = await tx
    .select({ index: jobFiles.fileIndex, state: jobFiles.state, reason: jobFiles.reason, code: jobFiles.code })
    .from(jobFiles)
    .where(and(eq(jobFiles.jobId, jobId), inArray(jobFiles.state, ["failed", "unchanged"])));
  return new Map(
    rows.map(({ index, state, reason, code }) => [
      index,
      { state: state === "unchanged" ? state : "failed", reason: reason ?? undefined, code: code ?? undefined },
    ]),
  );
}

/** For calls whose whole answer is a small JSON: the kept one, or undefined when this is the first. */
export async function claimAnswer(
  tx: Transaction,
  { owner, key, fingerprint }: IdempotencyKey,
  now: Date,
): Promise<unknown> {
  const mine = and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key));
  const made = await tx
    .insert(idempotencyKeys)
    .values({ owner, key, fingerprint, createdAt: now })
    .onConflictDoNothing()
    .returning();
  if (made.length > 0) return undefined;
  const [kept] = await tx.select().from(idempotencyKeys).where(mine).for("update");
  if (kept?.fingerprint !== fingerprint || kept.answer === null) throw new DomainError("idempotency-mismatch");
  return kept.answer;
}

export async function keepAnswer(tx: Transaction, { owner, key }: IdempotencyKey, answer: unknown): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ answer })
    .where(and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key)));
}
