import { DomainError } from "@tintype/contract";
import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { systemClock } from "../../platform/clock.ts";
import type { Database, Queryable, Transaction } from "../../platform/db/database.ts";
import { isAfter, pageOf, readPlace, writePlace } from "../../platform/db/page.ts";
import { listMails } from "../../platform/mail-outbox.ts";
import { type Account, findAccount, lockAccount } from "./accounts.ts";
import { outboxOwnerOf } from "./built-in-issuer.ts";
import { accounts, idpSession } from "./tables.ts";

// Operators' queries and changes of accounts.

const isAddress = (text: string): SQL => sql`lower(${accounts.email}) = ${text.toLowerCase()}`;

/** Accounts with exactly this address. */
export const findByAddress = (db: Database, address: string): Promise<Account[]> =>
  db.select().from(accounts).where(isAddress(address)).orderBy(desc(accounts.createdAt));

/**
 * A page of all accounts, newest first; with a text, of those with this address, or if there is none, of those whose address or name
 * contains it. @throws invalid-request
 */
export async function listAccounts(
  db: Database,
  { text, before, size }: { text: string; before: string | undefined; size: number },
): Promise<{ accounts: Account[]; total: number; next: string | null }> {
  const place = readPlace(before);
  const part = text.toLowerCase();
  const contains = sql`(position(${part} in lower(${accounts.email})) > 0 or position(${part} in lower(${accounts.name})) > 0)`;
  const where = text === "" ? undefined : (await db.$count(accounts, isAddress(text))) > 0 ? isAddress(text) : contains;
  const rows = await db
    .select()
    .from(accounts)
    .where(and(where, isAfter(place, { at: accounts.createdAt, id: accounts.id })))
    .orderBy(desc(accounts.createdAt), desc(accounts.id))
    .limit(size + 1);
  const { shown, next } = pageOf(rows, { size, cursorOf: ({ createdAt, id }) => writePlace({ at: createdAt, id }) });
  return { accounts: shown, total: await db.$count(accounts, where), next };
}

export async function findAccounts(db: Queryable, ids: readonly string[]): Promise<Account[]> {
  return ids.length === 0
    ? []
    : db
        .select()
        .from(accounts)
        .where(inArray(accounts.id, [...ids]));
}

/** @throws not-found */
export async function getAccount(db: Queryable, id: string): Promise<Account> {
  const account = await findAccount(db, id);
  if (!account) throw new DomainError("not-found");
  return account;
}

/** Locks the account until the transaction ends. @throws not-found */
export async function holdAccount(tx: Transaction, id: string): Promise<Account> {
  const account = await lockAccount(tx, id);
  if (!account) throw new DomainError("not-found");
  return account;
}

/** Refuses the person's sessions, keys and sign-ins from now on; null lifts the block. */
export async function setBlocked(tx: Transaction, id: string, blockedAt: Date | null): Promise<void> {
  await tx.update(accounts).set({ blockedAt }).where(eq(accounts.id, id));
}

/** Unexpired sessions of an account of the built-in provider, most recently used first. */
export async function sessionsOf(db: Queryable, { subject }: Pick<Account, "subject">) {
  return db
    .select({
      id: idpSession.id,
      userAgent: idpSession.userAgent,
      createdAt: idpSession.createdAt,
      updatedAt: idpSession.updatedAt,
    })
    .from(idpSession)
    .where(and(eq(idpSession.userId, subject), gt(idpSession.expiresAt, systemClock.now())))
    .orderBy(desc(idpSession.updatedAt));
}

/** Ends one session of an account of the built-in provider, or all, along with their tokens. Returns how many. */
export async function endSessionsOf(
  tx: Transaction,
  { subject }: Pick<Account, "subject">,
  sessionId: string | undefined,
): Promise<number> {
  const ended = await tx
    .delete(idpSession)
    .where(and(eq(idpSession.userId, subject), sessionId === undefined ? undefined : eq(idpSession.id, sessionId)))
    .returning({ id: idpSession.id });
  return ended.length;
}

/**
 * Counts the address of an account as verified, which gives it its whole allowance. It proves nothing to the provider: once the
 * address's owner does, what a stranger made in the account ends.
 */
export async function countAsVerified(tx: Transaction, id: string): Promise<void> {
  await tx.update(accounts).set({ emailVerified: true }).where(eq(accounts.id, id));
}

/**
 * The accounts of holders (`person:...`) and of owners of mails in the outbox: an account's id, or the built-in provider's
 * subject. Omits those without an account.
 */
export async function accountIdsOf(
  db: Queryable,
  owners: readonly (string | null)[],
  builtInIssuer: string | undefined,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const subjects = new Map<string, string>();
  for (const owner of owners) {
    const [, kind, id] = /^(?:(person|idp):)?(.+)$/.exec(owner ?? "") ?? [];
    if (!owner || !id) continue;
    if (kind === "idp") subjects.set(id, owner);
    else if (kind === "person" || id.startsWith("acc_")) found.set(owner, id);
  }
  if (builtInIssuer === undefined || subjects.size === 0) return found;
  const rows = await db
    .select({ id: accounts.id, subject: accounts.subject })
    .from(accounts)
    .where(and(eq(accounts.issuer, builtInIssuer), inArray(accounts.subject, [...subjects.keys()])));
  for (const { id, subject } of rows) found.set(subjects.get(subject) ?? "", id);
  return found;
}

/** A person's mails that wait, or that were sent or given up and whose rows still exist, newest first. */
export const mailsOf = (db: Queryable, { id, subject }: Pick<Account, "id" | "subject">, limit: number) =>
  listMails(db, { owners: [id, outboxOwnerOf(subject)], limit });
