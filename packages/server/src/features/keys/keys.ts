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
import { newKeyMail } from "../accounts/account-mails.ts";
import { accountIdOf, lockOwnAccount } from "../accounts/accounts.ts";
import { factsOf, makeKey } from "./key-text.ts";
import { apiKeys } from "./tables.ts";

export type KeyDependencies = { db: Database; clock: Clock; origin: string };
type Row = typeof apiKeys.$inferSelect;
type Wish = { name: string; scopes: HeldScope[]; mode: KeyMode; expiresAt: Date | null };

/** Valid ones of an account: more than anybody has services, and few enough to look through. */
const mostKeys = 25;
const hourMs = 3_600_000;

/** @throws invalid-request where it would have expired already, conflict where there are too many */
export function makeApiKey(
  use: KeyDependencies,
  accountId: string,
  wish: Wish,
  /** Done in the same transaction. */
  also?: (tx: Transaction) => Promise<void>,
): Promise<CreatedApiKey> {
  if (wish.expiresAt && wish.expiresAt <= use.clock.now())
    throw new DomainError("invalid-request", { field: "expires_at", detail: "expires_at: choose a time to come." });
  return use.db.transaction(async (tx) => {
    await also?.(tx);
    return insertKey(tx, use, accountId, wish);
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
export async function revokeApiKey({ db }: KeyDependencies, accountId: string, id: string): Promise<void> {
  const gone = await db.delete(apiKeys).where(mine(accountId, id)).returning({ id: apiKeys.id });
  if (gone.length === 0) throw new DomainError("not-found");
}

/** A new key in the place of another, which works on for the overlap. @throws not-found, conflict */
export function rotateApiKey(
  use: KeyDependencies,
  accountId: string,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<CreatedApiKey> {
  return use.db.transaction(async (tx) => {
    const now = use.clock.now();
    const [old] = await tx
      .select()
      .from(apiKeys)
      .where(and(mine(accountId, id), isValidAt(now)))
      .for("update");
    if (!old) throw new DomainError("not-found");
    // The audit log has each key of the desk, with a reason.
    if (old.scopes.includes(deskScope))
      throw new DomainError("conflict", {
        detail: "A key of the operator's desk cannot be rotated. Make a new one at the desk.",
      });
    const end = new Date(now.getTime() + overlapHours * hourMs);
    if (overlapHours === 0) await tx.delete(apiKeys).where(eq(apiKeys.id, old.id));
    else if (!old.expiresAt || old.expiresAt > end)
      await tx.update(apiKeys).set({ expiresAt: end }).where(eq(apiKeys.id, old.id));
    const { name, scopes, mode, expiresAt } = old;
    return insertKey(tx, use, accountId, { name, scopes, mode, expiresAt });
  });
}

/** Revokes one key of an account or all, and answers how many. */
export async function revokeKeysOf(tx: Transaction, accountId: string, id: string | undefined): Promise<number> {
  const gone = await tx
    .delete(apiKeys)
    .where(id === undefined ? eq(apiKeys.accountId, accountId) : mine(accountId, id))
    .returning({ id: apiKeys.id });
  return gone.length;
}

/** Every key of the person an issuer calls by this subject: the account has another owner now. */
export async function revokeAllKeys(db: Database, who: { issuer: string; subject: string }): Promise<void> {
  const accountId = await accountIdOf(db, who);
  if (accountId !== undefined) await db.delete(apiKeys).where(eq(apiKeys.accountId, accountId));
}

/** What an account calls its keys, by their ids. Revoked and expired ones may be gone. */
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
  wish: Wish,
): Promise<CreatedApiKey> {
  const now = clock.now();
  // Held until the key is in: two at once are counted one after the other.
  const account = await lockOwnAccount(tx, accountId);
  await tx.delete(apiKeys).where(and(eq(apiKeys.accountId, accountId), lte(apiKeys.expiresAt, now)));
  const count = await tx.$count(apiKeys, and(eq(apiKeys.accountId, accountId), isValidAt(now)));
  if (count >= mostKeys)
    throw new DomainError("conflict", {
      detail: `An account can have up to ${mostKeys} keys. Revoke one you do not use.`,
    });
  const key = makeKey(wish.mode);
  const { hash, lastFour } = factsOf(key, wish.mode);
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...wish, id: newId("key"), accountId, hash, lastFour, createdAt: now })
    .returning();
  if (!row) throw new Error("The key could not be kept.");
  if (account.email !== "") {
    const message = newKeyMail(account, { origin, label: wish.name, lastFour });
    await putMail(tx, { key: `new-key:${row.id}`, accountId, message }, now);
  }
  return { ...viewOf(row), key };
}

const viewOf = ({ id, name, mode, scopes, lastFour, createdAt, expiresAt, lastUsedAt }: Row): ApiKey => ({
  id,
  name,
  mode,
  scopes,
  last_four: lastFour,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt?.toISOString() ?? null,
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
