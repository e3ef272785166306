import {
  type CreatedApiKey,
  type DeskAction,
  DomainError,
  deskScope,
  hasRole,
  maxGrantedDays,
} from "@tintype/contract";
import type { Person } from "../../http/caller.ts";
import { dayMs } from "../../platform/clock.ts";
import type { Transaction } from "../../platform/db/database.ts";
import type { AccountRemoval } from "../accounts/account-removal.ts";
import { type Account, type GrantedPlan, grantOf, holderOf, planOf, setGrantedPlan } from "../accounts/accounts.ts";
import { type DeleteAccountDependencies, deleteAccount } from "../accounts/delete-account.ts";
import { countAsVerified, endSessionsOf, getAccount, holdAccount, setBlocked } from "../accounts/people.ts";
import { cancelSubscription } from "../billing/cancel.ts";
import { keepPlan } from "../billing/keep.ts";
import { planStateOf } from "../billing/plan-state.ts";
import { type ReconcileDependencies, sendStops } from "../billing/reconcile.ts";
import { type ManualRefund, refundedAtGateway, refundPayment } from "../billing/refunds.ts";
import { subscriptionsOf } from "../billing/store.ts";
import { answerByMail, markMessage } from "../contact/messages.ts";
import type { GrantEnd } from "../credits/ledger.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { makeApiKey, revokeKeysOf } from "../keys/keys.ts";
import { type Facts, writeChange } from "./audit.ts";
import { roleOf } from "./operators.ts";
import { type DeskReadDependencies, exportOf, ledgerHolder } from "./people.ts";

/** An operator who changes something, and why. */
export type OperatorCall = { operator: Person; reason: string; requestId: string };

export type DeskDependencies = DeskReadDependencies &
  ReconcileDependencies & {
    deleting: DeleteAccountDependencies;
    jobs: Pick<Jobs, "end">;
    /** Where answers to an operator's mails go. */
    contactEmail: string | undefined;
    /** Whether this server really sends mail. */
    sendsMail: boolean;
  };

type AuditFacts = { action: DeskAction; subject: string; before?: Facts; after?: Facts };

/** Writes a change to the audit log, in the transaction that makes it. */
export const note = (
  tx: Transaction,
  { clock }: Pick<DeskDependencies, "clock">,
  { operator, reason, requestId }: OperatorCall,
  change: AuditFacts,
) => writeChange(tx, { ...change, at: clock.now(), actor: operator.accountId, reason, requestId });

/** @throws conflict when the account's role at the desk is above the operator's */
export async function refuseAbove(tx: Transaction, { operator }: OperatorCall, accountId: string): Promise<void> {
  const [own, personRole] = [await roleOf(tx, operator.accountId), await roleOf(tx, accountId)];
  if (personRole && !(own && hasRole(own, personRole)))
    throw new DomainError("conflict", { detail: "This account has a higher role at the desk than yours." });
}

/** Changes an account under its lock, and records the change in the same transaction. @throws not-found, conflict */
function change<T>(
  dependencies: DeskDependencies,
  { call, accountId }: { call: OperatorCall; accountId: string },
  work: (tx: Transaction, account: Account) => Promise<{ noted: Omit<AuditFacts, "subject">; answer: T }>,
): Promise<T> {
  return dependencies.db.transaction(async (tx) => {
    const account = await holdAccount(tx, accountId);
    await refuseAbove(tx, call, accountId);
    const { noted, answer } = await work(tx, account);
    await note(tx, dependencies, call, { ...noted, subject: accountId });
    return answer;
  });
}

/** @throws not-found, conflict, invalid-request */
export async function adjustCredits(
  dependencies: DeskDependencies,
  call: OperatorCall,
  { id, credits, end }: { id: string; credits: number; end: GrantEnd },
): Promise<{ used: number; limit: number | null }> {
  const now = dependencies.clock.now();
  if (end instanceof Date && end <= now)
    throw new DomainError("invalid-request", { field: "until", detail: "Choose a day that is still to come." });
  return change(dependencies, { call, accountId: id }, async (tx, account) => {
    const { before, after } = await dependencies.ledger.adjust(tx, ledgerHolder(account, now), {
      credits,
      end,
      reason: call.reason,
    });
    return {
      noted: {
        action: "credits-adjusted",
        before: { used: before.used, limit: before.limit },
        after: {
          used: after.used,
          limit: after.limit,
          credits,
          ...(credits > 0 ? { until: end instanceof Date ? end.toISOString() : end } : {}),
        },
      },
      answer: { used: after.used, limit: after.limit },
    };
  });
}

export const endSessions = (
  dependencies: DeskDependencies,
  call: OperatorCall,
  { id, sessionId }: { id: string; sessionId: string | undefined },
): Promise<{ count: number }> =>
  change(dependencies, { call, accountId: id }, async (tx, account) => {
    if (account.issuer !== dependencies.builtInIssuer)
      throw new DomainError("conflict", { detail: "Another identity provider keeps this person's sessions." });
    const count = await endSessionsOf(tx, account, sessionId);
    if (count === 0) throw new DomainError("conflict", { detail: "There is no such session any more." });
    return { noted: { action: "sessions-ended", after: { ended: count } }, answer: { count } };
  });

export const revokeKeys = (
  dependencies: DeskDependencies,
  call: OperatorCall,
  { id, keyId }: { id: string; keyId: string | undefined },
): Promise<{ count: number }> =>
  change(dependencies, { call, accountId: id }, async (tx) => {
    const count = await revokeKeysOf(tx, id, keyId);
    if (count === 0) throw new DomainError("conflict", { detail: "There is no such key any more." });
    return { noted: { action: "keys-revoked", after: { revoked: count, key: keyId ?? null } }, answer: { count } };
  });

export const setBlock = (
  dependencies: DeskDependencies,
  call: OperatorCall,
  { id, isBlocked }: { id: string; isBlocked: boolean },
) =>
  change(dependencies, { call, accountId: id }, async (tx, account) => {
    if (id === call.operator.accountId)
      throw new DomainError("conflict", { detail: "You cannot block your own account." });
    if ((account.blockedAt !== null) === isBlocked)
      throw new DomainError("conflict", {
        detail: isBlocked ? "This account is blocked already." : "This account is not blocked.",
      });
    await setBlocked(tx, id, isBlocked ? dependencies.clock.now() : null);
    // Another provider's sessions are not ours to end: the API refuses the person instead.
    const endsSessions = isBlocked && account.issuer === dependencies.builtInIssuer;
    const ended = endsSessions ? await endSessionsOf(tx, account, undefined) : undefined;
    return {
      noted: {
        action: isBlocked ? "person-blocked" : "person-unblocked",
        before: { blocked: !isBlocked },
        after: { blocked: isBlocked, ...(ended === undefined ? {} : { ended }) },
      },
      answer: undefined,
    };
  });

export const verifyAddress = (dependencies: DeskDependencies, call: OperatorCall, id: string) =>
  change(dependencies, { call, accountId: id }, async (tx, account) => {
    if (account.issuer !== dependencies.builtInIssuer)
      throw new DomainError("conflict", { detail: "Another identity provider says whether this address is verified." });
    if (account.emailVerified) throw new DomainError("conflict", { detail: "This address is verified already." });
    await countAsVerified(tx, account.id);
    return {
      noted: { action: "address-verified", before: { verified: false }, after: { verified: true } },
      answer: undefined,
    };
  });

/** All data of a person. The export itself is recorded in the audit log. */
export async function exportPerson(
  dependencies: DeskDependencies,
  call: OperatorCall,
  id: string,
): Promise<Record<string, unknown>> {
  const exported = await exportOf(dependencies, id);
  await change(dependencies, { call, accountId: id }, async () => ({
    noted: { action: "person-exported" },
    answer: undefined,
  }));
  return exported;
}

/** @throws not-found, conflict; unavailable if the gateway does not answer, then nothing was deleted */
export async function deletePerson(
  dependencies: DeskDependencies,
  call: OperatorCall,
  { id, email }: { id: string; email: string },
) {
  const account = await getAccount(dependencies.db, id);
  if (id === call.operator.accountId)
    throw new DomainError("conflict", { detail: "Delete your own account on your account page." });
  if (account.email.trim().toLowerCase() !== email.trim().toLowerCase())
    throw new DomainError("invalid-request", { field: "email", detail: "This is not the account's email." });
  // Runs first: the role that it reads is deleted with the account.
  const logged: AccountRemoval = {
    async forget(tx) {
      await refuseAbove(tx, call, id);
      await note(tx, dependencies, call, {
        action: "person-deleted",
        subject: id,
        before: { plan: planOf(account, dependencies.clock.now()).plan },
      });
      return undefined;
    },
  };
  await deleteAccount(
    { ...dependencies.deleting, removals: [logged, ...dependencies.deleting.removals] },
    { person: { accountId: id, key: holderOf(id), email: account.email }, email },
  );
}

export async function cancelPlan(dependencies: DeskDependencies, call: OperatorCall, id: string): Promise<void> {
  const account = await getAccount(dependencies.db, id);
  const { current, next } = planStateOf(await subscriptionsOf(dependencies.db, id));
  const gatewayId = (current ?? next)?.gatewayId;
  if (!gatewayId || (current?.stop && !next))
    throw new DomainError("conflict", { detail: "There is no plan to cancel, or it is cancelled already." });
  await cancelSubscription(dependencies, {
    accountId: id,
    gatewayId,
    also: (tx) =>
      note(tx, dependencies, call, {
        action: "plan-cancelled",
        subject: id,
        before: { plan: account.paidPlan },
        after: { cancelled: true },
      }),
  });
}

export async function keepPlanOf(dependencies: DeskDependencies, call: OperatorCall, id: string): Promise<void> {
  await getAccount(dependencies.db, id);
  const { current } = planStateOf(await subscriptionsOf(dependencies.db, id));
  if (!current?.stop) throw new DomainError("conflict", { detail: "No cancellation or change can be taken back." });
  await keepPlan(dependencies, id, (tx) =>
    note(tx, dependencies, call, {
      action: "plan-kept",
      subject: id,
      before: { cancelled: true },
      after: { plan: current.plan, cancelled: false },
    }),
  );
}

const factsOf = (granted: GrantedPlan | undefined): Facts => ({
  granted: granted?.plan ?? null,
  until: granted?.until.toISOString() ?? null,
});

/** Replaces an earlier grant. Moves no money: the subscription is unchanged. @throws not-found, conflict, invalid-request */
export async function grantPlan(
  dependencies: DeskDependencies,
  call: OperatorCall,
  { id, ...granted }: GrantedPlan & { id: string },
): Promise<void> {
  const now = dependencies.clock.now();
  if (granted.until <= now)
    throw new DomainError("invalid-request", { field: "until", detail: "Choose a day that is still to come." });
  if (granted.until.getTime() > now.getTime() + maxGrantedDays * dayMs)
    throw new DomainError("invalid-request", {
      field: "until",
      detail: `A plan is granted for ${maxGrantedDays} days at most.`,
    });
  await change(dependencies, { call, accountId: id }, async (tx, account) => {
    await setGrantedPlan(tx, id, granted);
    return {
      noted: { action: "plan-granted", before: factsOf(grantOf(account, now)), after: factsOf(granted) },
      answer: undefined,
    };
  });
}

/** @throws not-found, conflict */
export const endGrantedPlan = (dependencies: DeskDependencies, call: OperatorCall, id: string): Promise<void> =>
  change(dependencies, { call, accountId: id }, async (tx, account) => {
    const granted = grantOf(account, dependencies.clock.now());
    if (!granted) throw new DomainError("conflict", { detail: "No plan is granted to this account." });
    await setGrantedPlan(tx, id, null);
    return {
      noted: { action: "granted-plan-ended", before: factsOf(granted), after: factsOf(undefined) },
      answer: undefined,
    };
  });

export async function refund(dependencies: DeskDependencies, call: OperatorCall, order: ManualRefund): Promise<void> {
  const refundedBeforeMinor = await refundedAtGateway(dependencies, order.paymentId);
  const stopped = await dependencies.db.transaction(async (tx) => {
    const after = await refundPayment(tx, dependencies, { ...order, refundedBeforeMinor });
    await note(tx, dependencies, call, {
      action: "payment-refunded",
      subject: order.paymentId,
      after: { amount_minor: order.amountMinor, ends_plan: order.endsPlan },
    });
    return after;
  });
  await sendStops(dependencies, stopped);
}

export async function answer(
  dependencies: DeskDependencies,
  call: OperatorCall,
  { id, text }: { id: string; text: string },
): Promise<void> {
  if (!dependencies.sendsMail)
    throw new DomainError("conflict", {
      detail:
        "This server is not set up to send mail. Write to the person from your own mailbox, and mark the message.",
    });
  await dependencies.db.transaction(async (tx) => {
    await answerByMail(tx, { id, text, replyTo: dependencies.contactEmail, now: dependencies.clock.now() });
    await note(tx, dependencies, call, { action: "message-answered", subject: id, after: { answered: true } });
  });
}

export async function mark(
  dependencies: DeskDependencies,
  call: OperatorCall,
  { id, isAnswered }: { id: string; isAnswered: boolean },
): Promise<void> {
  await dependencies.db.transaction(async (tx) => {
    const was = await markMessage(tx, { id, answeredAt: isAnswered ? dependencies.clock.now() : null });
    await note(tx, dependencies, call, {
      action: "message-marked",
      subject: id,
      before: { answered: was },
      after: { answered: isAnswered },
    });
  });
}

/** A key of the desk that is forgotten somewhere must not open it for ever. */
const maxKeyLifeMs = 366 * 86_400_000;

/** Creates the operator's own API key with the desk's scope. It has the rights of their role, while they have one. */
export function makeDeskKey(
  dependencies: DeskDependencies,
  call: OperatorCall,
  { name, expiresAt }: { name: string; expiresAt: Date },
): Promise<CreatedApiKey> {
  const { accountId, by } = call.operator;
  if (by !== "session") throw new DomainError("conflict", { detail: "A key makes no other key. Please sign in." });
  if (expiresAt.getTime() > dependencies.clock.now().getTime() + maxKeyLifeMs)
    throw new DomainError("invalid-request", {
      field: "expires_at",
      detail: "expires_at: choose a time within a year.",
    });
  return makeApiKey(
    dependencies,
    accountId,
    { name, scopes: [deskScope], mode: "live", expiresAt, dailyFiles: null },
    (tx) =>
      note(tx, dependencies, call, {
        action: "admin-key-made",
        subject: accountId,
        after: { name, expires_at: expiresAt.toISOString() },
      }),
  );
}
