import { DomainError } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import { eq } from "drizzle-orm";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import { deletedMail } from "./account-mails.ts";
import type { AccountRemoval, DepartingPerson } from "./account-removal.ts";
import { keptKeysOf } from "./deleted.ts";
import { forget } from "./forget.ts";
import { accounts } from "./tables.ts";

export type Deleting = {
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

export function mountDeleteAccount(mount: Mount, use: Deleting): void {
  mount(endpoints.deleteAccount, ({ caller, body }) => deleteAccount(use, { person: caller, email: body.email }));
}

/**
 * Deletes the person: first external state (the subscription at the gateway, pictures on disk), then every row in one
 * transaction. If interrupted in between, the account still exists and the same call resumes.
 * @throws invalid-request when the e-mail does not match, and what a feature's `release` throws; then nothing of the account is deleted
 */
export async function deleteAccount(
  { db, clock, builtInIssuer, countersKey, removals }: Deleting,
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
