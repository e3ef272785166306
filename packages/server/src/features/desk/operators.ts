import { type DeskRole, DomainError } from "@tintype/contract";
import { asc, eq, sql } from "drizzle-orm";
import type { Database, Queryable, Transaction } from "../../platform/db/database.ts";
import type { Account } from "../accounts/accounts.ts";
import { findAccounts, findByAddress, holdAccount } from "../accounts/people.ts";
import { type DeskChange, writeChange } from "./audit.ts";
import { adminAudit, operators } from "./tables.ts";

export async function roleOf(db: Queryable, accountId: string): Promise<DeskRole | undefined> {
  const [row] = await db.select({ role: operators.role }).from(operators).where(eq(operators.accountId, accountId));
  return row?.role;
}

export async function hasOperators(db: Queryable): Promise<boolean> {
  const rows = await db.select({ accountId: operators.accountId }).from(operators).limit(1);
  return rows.length > 0;
}

/** How many roles were ever granted, including to accounts deleted since. */
export const countGrants = (db: Queryable): Promise<number> =>
  db.$count(adminAudit, eq(adminAudit.action, "operator-granted"));

export async function listOperators(db: Database): Promise<{ account: Account; role: DeskRole; grantedAt: Date }[]> {
  const rows = await db.select().from(operators).orderBy(asc(operators.grantedAt));
  const accounts = new Map(
    (
      await findAccounts(
        db,
        rows.map(({ accountId }) => accountId),
      )
    ).map((account) => [account.id, account]),
  );
  return rows.flatMap(({ accountId, role, grantedAt }) => {
    const account = accounts.get(accountId);
    return account ? { account, role, grantedAt } : [];
  });
}

/**
 * The account with this address or id. An unverified address may belong to a stranger, so it requires the id.
 * @throws Error with a message for the terminal
 */
export async function namedAccount(db: Database, who: string): Promise<Account> {
  const [byId] = await findAccounts(db, [who]);
  if (byId) return byId;
  const found = await findByAddress(db, who);
  const [account, ...others] = found;
  if (!account) throw new Error(`No account has the address ${who}. Sign up on the site first.`);
  const ids = found.map(({ id }) => id).join(", ");
  if (others.length > 0) throw new Error(`Several accounts have the address ${who}. Name one by its id: ${ids}.`);
  if (!account.emailVerified)
    throw new Error(
      `The address ${who} is not verified: somebody else may have signed up with it. If the account is yours, name it by its id: ${ids}.`,
    );
  return account;
}

type GrantOrigin = Pick<DeskChange, "at" | "actor" | "reason" | "requestId">;

type Grant = GrantOrigin & {
  accountId: string;
  role: DeskRole;
  /** Grants it only if no one has a role. */
  onlyIfFirst?: boolean;
};

/** Grants an account a role at the desk, replacing its current one. @throws not-found if another change came first */
export async function grantRole(db: Database, { accountId, role, onlyIfFirst = false, ...by }: Grant): Promise<void> {
  await db.transaction(async (tx) => {
    await holdAccount(tx, accountId);
    if (onlyIfFirst) {
      // Serialises two people who follow the link at once.
      await tx.execute(sql`lock table operators in share row exclusive mode`);
      if (await hasOperators(tx)) throw new DomainError("not-found");
    }
    await setRole(tx, { ...by, accountId, role });
  });
}

/** Within the caller's transaction, for an account that it holds. */
export async function setRole(
  tx: Transaction,
  { accountId, role, ...by }: GrantOrigin & { accountId: string; role: DeskRole },
): Promise<void> {
  const before = (await roleOf(tx, accountId)) ?? null;
  await tx
    .insert(operators)
    .values({ accountId, role, grantedAt: by.at })
    .onConflictDoUpdate({ target: operators.accountId, set: { role, grantedAt: by.at } });
  await writeChange(tx, {
    ...by,
    action: "operator-granted",
    subject: accountId,
    before: { role: before },
    after: { role },
  });
}

/** Revokes the role. Returns whether there was one. */
export async function revokeRole(
  db: Database,
  { accountId, ...by }: GrantOrigin & { accountId: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.delete(operators).where(eq(operators.accountId, accountId)).returning();
    if (!gone) return false;
    await writeChange(tx, {
      ...by,
      action: "operator-revoked",
      subject: accountId,
      before: { role: gone.role },
      after: { role: null },
    });
    return true;
  });
}
