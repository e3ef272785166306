import { and, eq, ne } from "drizzle-orm";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { accountIdOf, holderOf, type TakeOver } from "./accounts.ts";
import { accounts, idpAccount, idpPasskey, idpSession, idpTwoFactor, idpUser, idpVerification } from "./tables.ts";

/**
 * Whether the person who proves the address made what is in the account. A mailed link alone does not show it: `password` and
 * `provider` name the one way to sign in that is theirs.
 */
export type ProvedBy = "maker" | "password" | "provider";

/** better-auth's name for an account that logs in with a password. */
export const passwordProvider = "credential";

type Dependencies = { db: Database; issuer: string; takeOver: TakeOver };

/** Records that the address of a user of the built-in provider is proved. The first proof ends what was made by others. */
export async function proveAddress(
  { db, issuer, takeOver }: Dependencies,
  userId: string,
  by: ProvedBy,
): Promise<void> {
  const who = { issuer, subject: userId };
  const taken = await db.transaction(async (tx) => {
    const [user] = await tx.select().from(idpUser).where(eq(idpUser.id, userId)).for("update");
    if (!user || user.emailVerified) return undefined;
    await tx.update(idpUser).set({ emailVerified: true }).where(eq(idpUser.id, userId));
    await tx.update(accounts).set({ emailVerified: true }).where(accountOf(who));
    // Mailed links for a new password, and sign-ins that wait for a second factor.
    await tx.delete(idpVerification).where(eq(idpVerification.value, userId));
    if (by === "maker") return undefined;
    await removeCredentials(tx, userId, by);
    const accountId = await accountIdOf(tx, who);
    if (accountId !== undefined) await takeOver.removeMade(tx, accountId);
    return accountId;
  });
  if (taken !== undefined) await takeOver.cancelJobs(holderOf(taken));
}

const accountOf = ({ issuer, subject }: { issuer: string; subject: string }) =>
  and(eq(accounts.issuer, issuer), eq(accounts.subject, subject));

/** All except the prover's own way to sign in. */
async function removeCredentials(tx: Transaction, userId: string, kept: "password" | "provider"): Promise<void> {
  const isOther = (kept === "password" ? ne : eq)(idpAccount.providerId, passwordProvider);
  await tx.delete(idpAccount).where(and(eq(idpAccount.userId, userId), isOther));
  for (const table of [idpPasskey, idpTwoFactor, idpSession]) await tx.delete(table).where(eq(table.userId, userId));
  await tx.update(idpUser).set({ twoFactorEnabled: false }).where(eq(idpUser.id, userId));
}
