import { DomainError } from "@tintype/contract";
import { eq, inArray, like, or, sql } from "drizzle-orm";
import type { Person } from "../../http/caller.ts";
import type { Transaction } from "../../platform/db/database.ts";
import {
  accounts,
  auditLines,
  contactMessages,
  idempotencyKeys,
  idpUser,
  idpVerification,
  jobs,
  outboxMails,
  payments,
  subscriptions,
} from "../../platform/db/tables.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import { keptKeysOf, rememberDeleted } from "../accounts/deleted.ts";
import { outboxOwnerOf } from "../accounts/provider-mails.ts";
import { forgetHolder } from "../credits/kept-counters.ts";
import { applyIn } from "./apply.ts";
import { writeAudit } from "./audit.ts";
import { deletedMail } from "./mails.ts";
import { type Reconciling, tellGateway } from "./reconcile.ts";
import { lockAccount, subscriptionsOf } from "./store.ts";
import { isOverAtGateway, type Subscription } from "./subscription.ts";

export type Deleting = Reconciling & {
  /** The issuer whose identities are ours to delete; undefined where another provider vouches for people. */
  builtInIssuer: string | undefined;
  /** Keys the hash by which the account's counters are kept. */
  secret: string;
  /** Stops a job and deletes its pictures. */
  cancelJob(id: string, owner: string): Promise<unknown>;
};

const isSameEmail = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/**
 * Deletes the person: first what others hold (the subscription at the gateway, pictures on the disk), then every row
 * in one transaction. Cut off in between, the account still stands and the same call goes on from there.
 * @throws invalid-request when the e-mail is another one, unavailable when the gateway cannot be told; then nothing
 * of the account is deleted
 */
export async function deleteAccount(
  use: Deleting,
  { person, email }: { person: Person; email: string },
): Promise<void> {
  if (!isSameEmail(email, person.email))
    throw new DomainError("invalid-request", { detail: "This is not the e-mail address of your account." });
  const { db, clock, cancelJob } = use;
  await cancelAtGateway(use, await subscriptionsOf(db, person.accountId));
  const owned = await db.select({ id: jobs.id }).from(jobs).where(eq(jobs.owner, person.key));
  for (const { id } of owned) await cancelJob(id, person.key);

  const after = await db.transaction(async (tx) => {
    const now = clock.now();
    const account = await lockAccount(tx, person.accountId);
    // Another call was quicker.
    if (!account) return [];
    const stopped = await stopAll(tx, use, { accountId: account.id, now });
    await forgetPerson(tx, use, { person, account, now });
    await putMail(tx, { key: `deleted:${account.id}`, accountId: null, message: deletedMail(account) }, now);
    await writeAudit(tx, { at: now, kind: "account-deleted" });
    return stopped;
  });
  // Bought in another tab in the meantime; should the gateway not answer now, the row remembers.
  await tellGateway(use, after);
}

async function cancelAtGateway({ gateway }: Deleting, all: readonly Subscription[]): Promise<void> {
  for (const { gatewayId, gatewayStatus } of all) {
    if (gatewayId === null || isOverAtGateway(gatewayStatus)) continue;
    try {
      await gateway.cancelSubscription(gatewayId, "now");
    } catch (problem) {
      if (!(problem instanceof GatewayError)) throw problem;
      const isOver = problem.kind === "refused" && isOverAtGateway((await gateway.fetchSubscription(gatewayId)).status);
      if (!isOver)
        throw new DomainError("unavailable", {
          detail:
            "Your subscription could not be cancelled just now, so nothing was deleted. Please try again shortly.",
          cause: problem,
        });
    }
  }
}

async function stopAll(
  tx: Transaction,
  use: Deleting,
  { accountId, now }: { accountId: string; now: Date },
): Promise<Subscription[]> {
  let after: Subscription[] = [];
  for (const { id, state } of await subscriptionsOf(tx, accountId)) {
    if (state === "ended") continue;
    const stop = { reason: "deleted" as const, at: now, endsBy: now, refundsFrom: null };
    after = await applyIn(tx, use, { subscriptionId: id, event: { kind: "stop", stop } });
  }
  return after;
}

async function forgetPerson(
  tx: Transaction,
  { builtInIssuer, secret }: Deleting,
  { person, account, now }: { person: Person; account: typeof accounts.$inferSelect; now: Date },
): Promise<void> {
  const { accountId, key, issuer, subject } = person;
  const { email } = account;
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.owner, key));
  await tx.delete(jobs).where(eq(jobs.owner, key));
  await forgetHolder(tx, { holder: key, keys: keptKeysOf({ issuer, subject, email }, secret), now });
  await tx.delete(outboxMails).where(inArray(outboxMails.accountId, [accountId, outboxOwnerOf(subject)]));
  // Anybody can type an address at the sign-up: only its owner may have what was written from it deleted.
  if (account.emailVerified)
    await tx.delete(contactMessages).where(eq(sql`lower(${contactMessages.email})`, email.toLowerCase()));
  // Bookkeeping stays, and names nobody.
  for (const table of [subscriptions, payments, auditLines])
    await tx.update(table).set({ accountId: null }).where(eq(table.accountId, accountId));
  await tx.delete(accounts).where(eq(accounts.id, accountId));
  if (issuer === builtInIssuer) {
    // Sessions and passwords go with it.
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
