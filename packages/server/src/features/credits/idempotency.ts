import { createHash } from "node:crypto";
import { DomainError } from "@tintype/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import { idempotencyKeys, jobs } from "../../platform/db/tables.ts";

export type IdempotencyKey = { owner: string; key: string; fingerprint: string };

/** How long a key is kept. */
const keyLifeMs = 24 * 3_600_000;
/** Delivered results are deleted, so that the same request is worked on again, at no cost; but not without end. */
const maxReplays = 10;
const maxKeyLength = 255;

/** The caller's key as sent, if any. @throws invalid-request when it is none that can be kept */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = Array.isArray(header) ? header.join(",") : header;
  if (key === "" || key.length > maxKeyLength)
    throw new DomainError("invalid-request", { detail: `An Idempotency-Key has 1 to ${maxKeyLength} characters.` });
  return key;
}

/** The same request gives the same fingerprint, however its form was built. */
export const fingerprintOf = (request: unknown): string =>
  createHash("sha256").update(JSON.stringify(request)).digest("hex");

/** `first`: nobody has used the key, work and charge. `again`: it was charged before, work without a charge. */
export type Claim = { kind: "first" } | { kind: "again"; charged: number };

/**
 * Puts the job in the key's place, or says what the key stands for. Two at once wait for each other on the key's row.
 * @throws idempotency-mismatch, idempotency-in-progress, conflict after too many repeats
 */
export async function claimKey(
  tx: Transaction,
  { owner, key, fingerprint }: IdempotencyKey,
  { jobId, now }: { jobId: string; now: Date },
): Promise<Claim> {
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
  const [before] = await tx
    .select({ state: jobs.state, charged: jobs.charged })
    .from(jobs)
    .where(eq(jobs.id, kept.jobId));
  if (before?.state === "queued" || before?.state === "running")
    throw new DomainError("idempotency-in-progress", { retryAfterSeconds: 2 });
  if (!before || before.charged === 0) {
    await tx.update(idempotencyKeys).set({ jobId }).where(mine);
    return { kind: "first" };
  }
  if (kept.replays >= maxReplays)
    throw new DomainError("conflict", { detail: "This Idempotency-Key was repeated too often. Use a new key." });
  await tx
    .update(idempotencyKeys)
    .set({ jobId, replays: kept.replays + 1 })
    .where(mine);
  return { kind: "again", charged: before.charged };
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
