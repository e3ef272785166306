import { DomainError, type PlanName, scopes } from "@tintype/contract";
import { and, eq } from "drizzle-orm";
import type { Person } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { accounts } from "../../platform/db/tables.ts";
import { newId } from "../../platform/id.ts";
import { refuseDeleted } from "./deleted.ts";
import { cleanName } from "./person-name.ts";
import type { Identity } from "./token.ts";

export type Account = typeof accounts.$inferSelect;
export type Accounts = {
  db: Database;
  clock: Clock;
  /** Extends a new account, in the transaction that makes it. */
  onMade(tx: Transaction, account: Account): Promise<void>;
};

/** The person a verified token names, with the plan they have now; made on their first call. */
export async function personOf(identity: Identity, network: string, use: Accounts): Promise<Person> {
  const found = await findOrCreate(identity, use);
  const { signedInAt } = identity;
  return personOfAccount({ ...found, ...identity }, { by: "session", scopes, mode: "live", network, signedInAt });
}

type Shown = Pick<Person, "by" | "scopes" | "mode" | "network" | "keyId" | "signedInAt">;

/** The person of an account, by what they showed. */
export function personOfAccount(account: Omit<Account, "createdAt">, shown: Shown): Person {
  const { id, plan, issuer, subject, email, name, picture, emailVerified } = account;
  return {
    ...shown,
    kind: "person",
    key: holderOf(id),
    tier: plan,
    accountId: id,
    issuer,
    subject,
    email,
    // Without a name the address stands for it; cleanName would see a domain in it.
    name: name === email ? email : cleanName(name) || email,
    picture,
    emailVerified,
  };
}

/** The holder of a person's credits and jobs. */
export const holderOf = (accountId: string): string => `person:${accountId}`;

type Found = { id: string; plan: PlanName };

async function findOrCreate(identity: Identity, { db, clock, onMade }: Accounts): Promise<Found> {
  const { issuer, subject, email, emailVerified, name, picture } = identity;
  const mine = and(eq(accounts.issuer, issuer), eq(accounts.subject, subject));
  const [known] = await db.select().from(accounts).where(mine);
  if (known) {
    const isCurrent =
      known.email === email &&
      known.name === name &&
      known.picture === picture &&
      known.emailVerified === emailVerified;
    if (!isCurrent) await db.update(accounts).set({ email, emailVerified, name, picture }).where(mine);
    return { id: known.id, plan: known.plan };
  }
  await refuseDeleted(db, identity);
  await db.transaction(async (tx) => {
    const [account] = await tx
      .insert(accounts)
      .values({ id: newId("acc"), issuer, subject, email, emailVerified, name, picture, createdAt: clock.now() })
      .onConflictDoNothing()
      .returning();
    // Of two first calls at once, one makes it.
    if (account) await onMade(tx, account);
  });
  const [made] = await db.select().from(accounts).where(mine);
  if (!made) throw new DomainError("unauthorized", { detail: "This account has just been deleted." });
  return { id: made.id, plan: made.plan };
}
