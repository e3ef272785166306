import {
  type ApiKey,
  type CreatedApiKey,
  DomainError,
  deskScope,
  type HeldScope,
  type KeyMode,
} from "@tintype/contract";
import { and, desc, eq, gt, isNull, lte, or } from "drizzle-orm";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Queryable, Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import { newKeyMail, revokedKeyMail } from "../accounts/account-mails.ts";
import { findAccount, lockOwnAccount } from "../accounts/accounts.ts";
import { factsOf, makeKey } from "./key-text.ts";
import { apiKeys } from "./tables.ts";

export type KeyDependencies = { db: Database; clock: Clock; origin: string };
type Row = typeof apiKeys.$inferSelect;
type NewKeyOptions = {
  name: string;
  scopes: HeldScope[];
  mode: KeyMode;
  expiresAt: Date | null;
  dailyFiles: number | null;
};

/** Valid keys per account: more than anyone's services need, and few enough to scan. */
const maxKeys = 25;
const hourMs = 3_600_000;

/** @throws invalid-request if it would already have expired; conflict if there are too many */
export function makeApiKey(
  dependencies: KeyDependencies,
  accountId: string,
  options: NewKeyOptions,
  /** Runs in the same transaction. */
  also?: (tx: Transaction) => Promise<void>,
): Promise<CreatedApiKey> {
  if (options.expiresAt && options.expiresAt <= dependencies.clock.now())
    throw new DomainError("invalid-request", { field: "expires_at", detail: "expires_at: choose a time to come." });
  return dependencies.db.transaction(async (tx) => {
    await also?.(tx);
    return insertKey(tx, dependencies, accountId, options);
  });
}

export async function listApiKeys(
  { db, clock }: Pick<KeyDependencies, "db" | "clock">,
  accountId: string,
): Promise<ApiKey[]> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), isValidAt(clock.now())))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  return rows.map(viewOf);
}

/** @throws not-found */
export function revokeApiKey({ db, clock, origin }: KeyDependencies, accountId: string, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.delete(apiKeys).where(mine(accountId, id)).returning();
    if (!gone) throw new DomainError("not-found");
    const account = await findAccount(tx, accountId);
    if (!account?.email) return;
    const message = revokedKeyMail(account, { origin, label: gone.name, lastFour: gone.lastFour });
    await putMail(tx, { key: `revoked-key:${gone.id}`, accountId, message }, clock.now());
  });
}

/** Replaces a key, which stays valid for the overlap. @throws not-found, conflict */
export function rotateApiKey(
  dependencies: KeyDependencies,
  accountId: string,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<CreatedApiKey> {
  return dependencies.db.transaction(async (tx) => {
    const now = dependencies.clock.now();
    const [old] = await tx
      .select()
      .from(apiKeys)
      .where(and(mine(accountId, id), isValidAt(now)))
      .for("update");
    if (!old) throw new DomainError("not-found");
    // A desk key must be created at the desk, where the audit log records it with a reason.
    if (old.scopes.includes(deskScope))
      throw new DomainError("conflict", {
        detail: "A key of the operator's desk cannot be rotated. Create a new one at the desk.",
      });
    const end = new Date(now.getTime() + overlapHours * hourMs);
    if (overlapHours === 0) await tx.delete(apiKeys).where(eq(apiKeys.id, old.id));
    else if (!old.expiresAt || old.expiresAt > end)
      await tx.update(apiKeys).set({ expiresAt: end }).where(eq(apiKeys.id, old.id));
    const { name, scopes, mode, expiresAt, dailyFiles } = old;
    return insertKey(tx, dependencies, accountId, { name, scopes, mode, expiresAt, dailyFiles });
  });
}

/** Revokes one key of an account, or all. Returns how many. */
export async function revokeKeysOf(tx: Transaction, accountId: string, id: string | undefined): Promise<number> {
  const gone = await tx
    .delete(apiKeys)
    .where(id === undefined ? eq(apiKeys.accountId, accountId) : mine(accountId, id))
    .returning({ id: apiKeys.id });
  return gone.length;
}

/** The names of an account's keys by id. Revoked and expired ones may be missing. */
export async function keyNames(
  db: Queryable,
  accountId: string,
): Promise<Map<string, Pick<ApiKey, "name" | "last_four">>> {
  const rows = await db.select().from(apiKeys).where(eq(apiKeys.accountId, accountId));
  return new Map(rows.map(({ id, name, lastFour }) => [id, { name, last_four: lastFour }]));
}

const mine = (accountId: string, id: string) => and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, id));
const isValidAt = (now: Date) => or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));

async function insertKey(
  tx: Transaction,
  { clock, origin }: KeyDependencies,
  accountId: string,
  options: NewKeyOptions,
): Promise<CreatedApiKey> {
  const now = clock.now();
  // Locked until the key is inserted, so that concurrent requests are counted one after the other.
  const account = await lockOwnAccount(tx, accountId);
  await tx.delete(apiKeys).where(and(eq(apiKeys.accountId, accountId), lte(apiKeys.expiresAt, now)));
  const count = await tx.$count(apiKeys, and(eq(apiKeys.accountId, accountId), isValidAt(now)));
  if (count >= maxKeys)
    throw new DomainError("conflict", {
      detail: `An account can have up to ${maxKeys} keys. Revoke one you do not use.`,
    });
  const key = makeKey(options.mode);
  const { hash, lastFour } = factsOf(key, options.mode);
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...options, id: newId("key"), accountId, hash, lastFour, createdAt: now })
    .returning();
  if (!row) throw new Error("The key could not be kept.");
  if (account.email !== "") {
    const message = newKeyMail(account, { origin, label: options.name, lastFour });
    await putMail(tx, { key: `new-key:${row.id}`, accountId, message }, now);
  }
  return { ...viewOf(row), key };
}

const viewOf = ({ id, name, mode, scopes, lastFour, createdAt, expiresAt, lastUsedAt, dailyFiles }: Row): ApiKey => ({
  id,
  name,
  mode,
  scopes,
  last_four: lastFour,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt?.toISOString() ?? null,
  last_used_at: lastUsedAt?.toISOString() ?? null,
  daily_files: dailyFiles,
});
