import { DomainError, isPrivate, type PaidPlanName, type PlanName, rankOf, scopes } from "@tintype/contract";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Person } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Queryable, Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { type Admission, refuseUnadmitted } from "./admission.ts";
import { refuseDeleted } from "./deleted.ts";
import { acceptInvitation, findInvitation, type OpenInvitation } from "./invitations.ts";
import { cleanName } from "./person-name.ts";
import { accounts } from "./tables.ts";
import type { Identity } from "./token.ts";

export type Account = typeof accounts.$inferSelect;
/**
 * Anyone can sign up with anyone's address. Once its owner proves the address, whatever somebody else has made in the account
 * must end, or it would go on opening the owner's account.
 */
export type TakeOver = {
  /** Deletes API keys, webhooks and recipes, in the transaction that records the proof. */
  removeMade(tx: Transaction, accountId: string): Promise<void>;
  /** Cancels the jobs, after that transaction. */
  cancelJobs(holder: string): Promise<void>;
};

export type AccountDependencies = {
  db: Database;
  clock: Clock;
  admission: Admission;
  /**
   * Ends what others made in an account whose address another issuer calls verified for the first time: its links, new
   * passwords and linked sign-ins are not ours to see. Undefined for the built-in provider, which does so itself.
   */
  takeOver: TakeOver | undefined;
  /** Extends a new account, in the transaction that creates it. `invitation` is the one that the person accepted. */
  onCreated(tx: Transaction, account: Account, invitation: OpenInvitation | undefined): Promise<void>;
};

/** The person that a verified token names, with their current plan. The account is created on their first call. */
export async function personOf(
  identity: Identity,
  { network, invitationToken }: { network: string; invitationToken?: string | undefined },
  dependencies: AccountDependencies,
): Promise<Person> {
  const found = await findOrCreate(identity, invitationToken, dependencies);
  const { signedInAt } = identity;
  return personOfAccount(
    { ...found, ...identity, emailVerified: isVerified(found, identity) },
    { by: "session", scopes, mode: "live", network, signedInAt },
    dependencies.clock.now(),
  );
}

type Credential = Pick<Person, "by" | "scopes" | "mode" | "network" | "keyId" | "keyDailyFiles" | "signedInAt">;

/** The person of an account, by their credential, with their current plan. */
export function personOfAccount(
  account: Omit<Account, "createdAt" | "blockedAt">,
  shown: Credential,
  now: Date,
): Person {
  const { plan, grantedUntil } = planOf(account, now);
  const { id, paidPlan, issuer, subject, email, name, picture, emailVerified } = account;
  return {
    ...shown,
    kind: "person",
    key: holderOf(id),
    tier: plan,
    paidPlan,
    grantedUntil,
    accountId: id,
    issuer,
    subject,
    email,
    // Without a name, use the address as is: cleanName would remove its domain.
    name: name === email ? email : cleanName(name) || email,
    picture,
    emailVerified,
  };
}

/** The holder of a person's credits and jobs. */
export const holderOf = (accountId: string): string => `person:${accountId}`;

/** The account, locked until the transaction ends, which serialises everything counted or changed per account. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<Account | undefined> {
  const [row] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("update");
  return row;
}

/** The same, for an account that is the caller's own. @throws unauthorized once it is deleted */
export async function lockOwnAccount(tx: Transaction, accountId: string): Promise<Account> {
  const account = await lockAccount(tx, accountId);
  if (!account) throw new DomainError("unauthorized", { detail: "This account was deleted." });
  return account;
}

/** A statement that returns a row while the account exists, and blocks its deletion until the transaction ends. */
export const shareAccount = (accountId: string): SQL =>
  sql`select 1 from accounts where id = ${accountId} for key share`;

export async function findAccount(db: Queryable, accountId: string): Promise<Account | undefined> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  return row;
}

export async function hasAccounts(db: Queryable): Promise<boolean> {
  const rows = await db.select({ id: accounts.id }).from(accounts).limit(1);
  return rows.length > 0;
}

/** The id of the account that an issuer knows by this subject. */
export async function accountIdOf(db: Queryable, { issuer, subject }: Pick<Identity, "issuer" | "subject">) {
  const [row] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.issuer, issuer), eq(accounts.subject, subject)));
  return row?.id;
}

/** Sets the plan that the account's subscription pays for. Only billing calls it; credits and limits read `planOf` on each request. */
export async function setPaidPlan(tx: Transaction, accountId: string, paidPlan: PlanName): Promise<void> {
  await tx.update(accounts).set({ paidPlan }).where(eq(accounts.id, accountId));
}

/** Grants a plan in place of an earlier grant, or ends it with null. The paid plan is unchanged. */
export async function setGrantedPlan(tx: Transaction, accountId: string, granted: GrantedPlan | null): Promise<void> {
  await tx
    .update(accounts)
    .set({ grantedPlan: granted?.plan ?? null, grantedUntil: granted?.until ?? null })
    .where(eq(accounts.id, accountId));
}

/** @throws account-blocked */
export function refuseBlocked({ blockedAt }: Pick<Account, "blockedAt">): void {
  if (blockedAt) throw new DomainError("account-blocked");
}

type FoundAccount = Pick<Account, "id" | "paidPlan" | "grantedPlan" | "grantedUntil" | "email" | "emailVerified">;

/**
 * An address stays verified: a token from before the proof may still be in use, and it must not make the next one look like a new
 * proof. An operator's word counts here alone, not with the provider: it is no proof.
 */
const isVerified = (account: Pick<Account, "email" | "emailVerified">, { email, emailVerified }: Identity): boolean =>
  emailVerified || (account.emailVerified && account.email === email);

async function findOrCreate(
  identity: Identity,
  invitationToken: string | undefined,
  { db, clock, admission, takeOver, onCreated }: AccountDependencies,
): Promise<FoundAccount> {
  const { issuer, subject, email, emailVerified, name, picture } = identity;
  const byIdentity = and(eq(accounts.issuer, issuer), eq(accounts.subject, subject));
  const [known] = await db.select().from(accounts).where(byIdentity);
  if (known) {
    refuseBlocked(known);
    const isCurrent =
      known.email === email &&
      known.name === name &&
      known.picture === picture &&
      known.emailVerified === isVerified(known, identity);
    if (!isCurrent) await bringUpToDate(identity, { db, takeOver, accountId: known.id });
    return known;
  }
  const now = clock.now();
  const invitation = await findInvitation(db, { token: invitationToken, email, emailVerified, now });
  refuseUnadmitted(admission, identity, invitation);
  await refuseDeleted(db, identity);
  await db.transaction(async (tx) => {
    const [account] = await tx
      .insert(accounts)
      .values({ id: newId("acc"), issuer, subject, email, emailVerified, name, picture, createdAt: now })
      .onConflictDoNothing()
      .returning();
    // Of two concurrent first calls, one creates it.
    if (!account) return;
    const isAccepted = invitation && (await acceptInvitation(tx, { id: invitation.id, accountId: account.id, now }));
    // Somebody else was faster: without the invitation the rest decides.
    if (!isAccepted) refuseUnadmitted(admission, identity);
    await onCreated(tx, account, isAccepted ? invitation : undefined);
  });
  const [created] = await db.select().from(accounts).where(byIdentity);
  if (!created) throw new DomainError("unauthorized", { detail: "This account has just been deleted." });
  return created;
}

async function bringUpToDate(
  identity: Identity,
  { db, takeOver, accountId }: Pick<AccountDependencies, "db" | "takeOver"> & { accountId: string },
): Promise<void> {
  const isTaken = await db.transaction(async (tx) => {
    const before = await lockOwnAccount(tx, accountId);
    const { email, name, picture } = identity;
    const emailVerified = isVerified(before, identity);
    await tx.update(accounts).set({ email, emailVerified, name, picture }).where(eq(accounts.id, accountId));
    if (!takeOver || !emailVerified || before.emailVerified) return false;
    await takeOver.removeMade(tx, accountId);
    return true;
  });
  if (isTaken) await takeOver?.cancelJobs(holderOf(accountId));
}

/** An unpaid plan, until a given time. */
export type GrantedPlan = { plan: PaidPlanName; until: Date };

type Plans = Pick<typeof accounts.$inferSelect, "paidPlan" | "grantedPlan" | "grantedUntil">;

/** The plan that an operator granted, while it lasts, even if the paid plan is better. */
export function grantOf({ grantedPlan, grantedUntil }: Omit<Plans, "paidPlan">, now: Date): GrantedPlan | undefined {
  return grantedPlan && grantedUntil && grantedUntil > now ? { plan: grantedPlan, until: grantedUntil } : undefined;
}

/**
 * An account's effective plan at a given time, which decides its credits and limits: the paid plan, or a better granted
 * one. Every caller's tier is decided here on lookup, so a granted plan starts and ends on time without a sweep.
 * `grantedUntil` is the granted plan's end; null if the plan is not a granted one.
 */
export function planOf(account: Plans, now: Date): { plan: PlanName; grantedUntil: Date | null } {
  // Nothing is sold: everyone has the largest shares.
  if (isPrivate()) return { plan: "pro", grantedUntil: null };
  const granted = grantOf(account, now);
  return granted && rankOf(granted.plan) > rankOf(account.paidPlan)
    ? { plan: granted.plan, grantedUntil: granted.until }
    : { plan: account.paidPlan, grantedUntil: null };
}
