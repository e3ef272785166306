import { DomainError } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import { eq, like, or } from "drizzle-orm";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { deleteMails, putMail } from "../../platform/mail-outbox.ts";
import { deletedMail } from "./account-mails.ts";
import type { AccountRemoval, DepartingPerson, RemovedPerson } from "./account-removal.ts";
import { outboxOwnerOf } from "./built-in-issuer.ts";
import { keptKeysOf, rememberDeleted } from "./deleted.ts";
import { accounts, idpUser, idpVerification } from "./tables.ts";

export type DeleteAccountDependencies = {
  db: Database;
  clock: Clock;
  /** The issuer whose identities are ours to delete; undefined if another provider authenticates people. */
  builtInIssuer: string | undefined;
  /** The key for the hash that keeps the account's counters. */
  countersKey: string;
  /** Run in this order. */
  removals: readonly AccountRemoval[];
};

const isSameEmail = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

export function mountDeleteAccount(mount: Mount, dependencies: DeleteAccountDependencies): void {
  mount(endpoints.deleteAccount, ({ caller, body }) =>
    deleteAccount(dependencies, { person: caller, email: body.email }),
  );
}

/**
 * Deletes the person: first external state (the subscription at the gateway, pictures on disk), then every row in one
 * transaction. If interrupted in between, the account still exists and the same call resumes.
 * @throws invalid-request when the e-mail does not match, and what a feature's `release` throws; then nothing of the account is deleted
 */
export async function deleteAccount(
  { db, clock, builtInIssuer, countersKey, removals }: DeleteAccountDependencies,
  { person, email }: { person: DepartingPerson; email: string },
): Promise<void> {
  if (!isSameEmail(email, person.email))
    throw new DomainError("invalid-request", {
      field: "email",
      detail: "This is not the email of your account.",
    });
  for (const { release } of removals) await release?.(person);

  const rest = await db.transaction(async (tx) => {
    const now = clock.now();
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, person.accountId)).for("update");
    // A concurrent call was faster.
    if (!account) return [];
    const { issuer, subject, email, emailVerified } = account;
    const { identity, address } = keptKeysOf({ issuer, subject, email }, countersKey);
    // An unverified address may belong to someone else: do not count the usage against its owner.
    const keptKeys = address && emailVerified ? [identity, address] : [identity];
    const holder = { accountId: account.id, key: person.key, issuer, subject, email, emailVerified, keptKeys, now };
    const left: (() => Promise<void>)[] = [];
    for (const removal of removals) left.push((await removal.forget(tx, holder)) ?? (async () => {}));
    await forget(tx, holder, { builtInIssuer });
    await putMail(tx, { key: `deleted:${account.id}`, accountId: null, message: deletedMail(account) }, now);
    return left;
  });
  for (const finish of rest) await finish();
}

/**
 * Deletes the account, with everything that references its row, and its identity if ours is the provider. Older tokens are
 * refused from now on.
 */
async function forget(
  tx: Transaction,
  { accountId, issuer, subject, email }: RemovedPerson,
  { builtInIssuer }: { builtInIssuer: string | undefined },
): Promise<void> {
  await deleteMails(tx, { accountId: outboxOwnerOf(subject) });
  await tx.delete(accounts).where(eq(accounts.id, accountId));
  if (issuer === builtInIssuer) {
    // Sessions and passwords are deleted with it.
    await tx.delete(idpUser).where(eq(idpUser.id, subject));
    await tx
      .delete(idpVerification)
      .where(
        or(
          eq(idpVerification.value, subject),
          like(idpVerification.identifier, `%${email.replace(/[\\%_]/g, "\\$&")}%`),
        ),
      );
  }
  await rememberDeleted(tx, { issuer, subject });
}
