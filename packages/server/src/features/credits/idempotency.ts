import { createHash } from "node:crypto";
import { DomainError } from "@tintype/contract";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Database, Queryable, Transaction } from "../../platform/db/database.ts";
import { idempotencyKeys } from "./tables.ts";

export type IdempotencyKey = { owner: string; key: string; fingerprint: string };
type KeyName = Omit<IdempotencyKey, "fingerprint">;

/** How long a key is kept. */
export const keyLifeMs = 24 * 3_600_000;
const maxKeyLength = 255;

/** The caller's key as sent, if any. @throws invalid-request when it is not a valid key */
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

/** Equal requests have equal fingerprints, however their forms were built. */
export const fingerprintOf = (request: unknown): string =>
  createHash("sha256").update(JSON.stringify(request)).digest("hex");

/** Whether a request was made under the key before. A key invented for this request proves no payment. */
export async function isKnownKey(db: Queryable, key: KeyName): Promise<boolean> {
  const rows = await db.select({ key: idempotencyKeys.key }).from(idempotencyKeys).where(rowOf(key));
  return rows.length > 0;
}

/** What a key is bound to. */
export type BoundKey = {
  /** The latest job under the key. */
  jobId: string;
  /** The job that was charged for it. */
  chargedJobId: string;
  replays: number;
};

const rowOf = ({ owner, key }: KeyName) => and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key));

/**
 * Inserts a key. Returns its row if it was used before; then concurrent requests wait for each other on it.
 * @throws idempotency-mismatch when a different request was made under the key
 */
async function claim(tx: Transaction, key: IdempotencyKey, values: { jobId?: string; createdAt: Date }) {
  const inserted = await tx
    .insert(idempotencyKeys)
    .values({ ...key, ...values })
    .onConflictDoNothing()
    .returning();
  if (inserted.length > 0) return undefined;
  const [kept] = await tx.select().from(idempotencyKeys).where(rowOf(key)).for("update");
  if (kept?.fingerprint !== key.fingerprint) throw new DomainError("idempotency-mismatch");
  return kept;
}

/**
 * Binds a key to a job. Returns what it is already bound to; undefined if it is new.
 * @throws idempotency-mismatch when a different request was made under the key
 */
export async function bindKey(
  tx: Transaction,
  key: IdempotencyKey,
  { jobId, now }: { jobId: string; now: Date },
): Promise<BoundKey | undefined> {
  await tx.delete(idempotencyKeys).where(and(rowOf(key), lt(idempotencyKeys.createdAt, olderThan(now))));
  const kept = await claim(tx, key, { jobId, createdAt: now });
  if (!kept) return undefined;
  if (!kept.jobId) throw new DomainError("idempotency-mismatch");
  return { jobId: kept.jobId, chargedJobId: kept.chargedJobId ?? kept.jobId, replays: kept.replays };
}

/** Binds an existing key to another job: as a first one, or as a repeat of what `chargedJobId` was charged for. */
export async function rebindKey(
  tx: Transaction,
  key: IdempotencyKey,
  { jobId, chargedJobId }: { jobId: string; chargedJobId: string | null },
): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ jobId, chargedJobId, ...(chargedJobId === null ? {} : { replays: sql`${idempotencyKeys.replays} + 1` }) })
    .where(rowOf(key));
}

/** Deletes expired keys: a request under one is a new one. */
export async function forgetKeys(db: Database, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, olderThan(now)));
}

const olderThan = (now: Date) => new Date(now.getTime() - keyLifeMs);

/** For calls that respond with a small JSON: the stored response; undefined for the first call. */
export async function claimResponse(tx: Transaction, key: IdempotencyKey, now: Date): Promise<unknown> {
  const kept = await claim(tx, key, { createdAt: now });
  if (!kept) return undefined;
  if (kept.response === null) throw new DomainError("idempotency-mismatch");
  return kept.response;
}

export async function keepResponse(tx: Transaction, key: IdempotencyKey, response: unknown): Promise<void> {
  await tx.update(idempotencyKeys).set({ response }).where(rowOf(key));
}
