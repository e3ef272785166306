import { DomainError } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import { eq } from "drizzle-orm";
import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import { deletedMail } from "./account-mails.ts";
import { keptKeysOf } from "./deleted.ts";
import { forget } from "./forget.ts";
import type { Leaver, Leaving } from "./leaving.ts";
import { accounts } from "./tables.ts";

export type Deleting = {
  db: Database;
  clock: Clock;
  /** The issuer whose identities are ours to delete; undefined where another provider vouches for people. */
  builtInIssuer: string | undefined;
  /** Keys the hash by which the account's counters are kept. */
  countersKey: string;
  /** In this order. */
  leavings: readonly Leaving[];
};

const isSameEmail = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

export function mountDeleteAccount(mount: Mount, use: Deleting): void {
  mount(endpoints.deleteAccount, async ({ caller, body, reply }) => {
    await deleteAccount(use, { person: caller, email: body.email });
    return reply.code(204).send();
  });
}

/**
 * Deletes the person: first what others hold (the subscription at the gateway, pictures on the disk), then every row
 * in one transaction. Cut off in between, the account still stands and the same call goes on from there.
 * @throws invalid-request when the e-mail is another one, and what a feature's `release` throws; then nothing of the
 * account is deleted
 */
export async function deleteAccount(
  { db, clock, builtInIssuer, countersKey, leavings }: Deleting,
  { person, email }: { person: Leaver; email: string },
): Promise<void> {
  if (!isSameEmail(email, person.email))
    throw new DomainError("invalid-request", {
      field: "email",
      detail: "This is not your account’s email.",
    });
  for (const { release } of leavings) await release?.(person);

  const rest = await db.transaction(async (tx) => {
    const now = clock.now();
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, person.accountId)).for("update");
    // Another call was quicker.
    if (!account) return [];
    const { issuer, subject, email, emailVerified } = account;
    const { identity, address } = keptKeysOf({ issuer, subject, email }, countersKey);
    // Anybody may sign up with somebody's address: what they used is not its owner's.
    const keptKeys = address && emailVerified ? [identity, address] : [identity];
    const holder = { accountId: account.id, key: person.key, issuer, subject, email, emailVerified, keptKeys, now };
    const left: (() => Promise<void>)[] = [];
    for (const leaving of leavings) left.push((await leaving.forget(tx, holder)) ?? (async () => {}));
    await forget(tx, holder, { builtInIssuer });
    await putMail(tx, { key: `deleted:${account.id}`, accountId: null, message: deletedMail(account) }, now);
    return left;
  });
  for (const finish of rest) await finish();
}
