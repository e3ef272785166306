import type { Metrics } from "../../http/metrics.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import type { GatewayStatus } from "../../platform/payments/gateway.ts";
import { type Account, lockAccount, setPaidPlan } from "../accounts/accounts.ts";
import { writeAudit } from "./audit.ts";
import { type EffectContext, recordEffects } from "./effects.ts";
import { planStateOf, settlePerson } from "./plan-state.ts";
import {
  type FetchedPayment,
  findSubscription,
  paymentsOf,
  recordPayment,
  saveSubscription,
  subscriptionsOf,
} from "./store.ts";
import { nextPoll, type Subscription, type SubscriptionEvent, stopToSend } from "./subscription.ts";

/** `seen` as reported by the gateway: payments are recorded first, and then all known ones count. */
export type Observation = {
  kind: "seen";
  at: Date;
  status: GatewayStatus;
  payments: readonly FetchedPayment[];
  planId?: string | undefined;
};

export type ApplyDependencies = {
  db: Database;
  clock: Clock;
  origin: string;
  meter: Pick<Metrics, "countPayment" | "countRefund" | "countPriceChange" | "countPaymentWebhookRefused">;
};

/** A call that the gateway has not answered is retried after this time. */
const resendDelayMs = 60_000;

/**
 * Applies an event to a subscription: payments, states, the person's plan, audit and mails in one transaction. Returns the
 * person's subscriptions after it; none if the subscription is unknown.
 */
export async function applyEvent(
  dependencies: ApplyDependencies,
  {
    subscriptionId,
    event,
  }: { subscriptionId: string; event: Observation | Exclude<SubscriptionEvent, { kind: "seen" }> },
): Promise<Subscription[]> {
  const recorded: FetchedPayment["status"][] = [];
  const after = await dependencies.db.transaction(async (tx) =>
    applyIn(tx, dependencies, { subscriptionId, event, onPayment: (status) => recorded.push(status) }),
  );
  // Only after the commit: a payment whose transaction failed comes again.
  for (const status of recorded) if (status !== "refunded") dependencies.meter.countPayment(status);
  return after;
}

/** The same inside the caller's transaction. */
export async function applyIn(
  tx: Transaction,
  { clock, origin }: Pick<ApplyDependencies, "clock" | "origin">,
  {
    subscriptionId,
    event,
    onPayment = () => {},
  }: {
    subscriptionId: string;
    event: Observation | Exclude<SubscriptionEvent, { kind: "seen" }>;
    /** Called for each payment whose status changed. */
    onPayment?(status: FetchedPayment["status"]): void;
  },
): Promise<Subscription[]> {
  const found = await findSubscription(tx, { id: subscriptionId });
  if (!found) return [];
  // The lock serialises everything that happens to this person. What was read before it may be stale.
  const account = found.accountId === null ? undefined : await lockAccount(tx, found.accountId);
  const before = account ? await subscriptionsOf(tx, account.id) : [{ ...found, accountId: null }];
  const target = before.find(({ id }) => id === subscriptionId);
  if (!target) return [];
  const now = clock.now();

  const { subscriptions, effects } = settlePerson(before, {
    targetId: subscriptionId,
    event: event.kind === "seen" ? await withPayments(tx, target, { ...event, onPayment }) : event,
    now,
  });
  const known = new Map(before.map((one) => [one.id, JSON.stringify(one)]));
  for (const one of subscriptions) {
    const isUntouched = one.id !== subscriptionId && known.get(one.id) === JSON.stringify(one);
    if (isUntouched) continue;
    const wakeAt = stopToSend(one, now) ? new Date(now.getTime() + resendDelayMs) : nextPoll(one, now);
    await saveSubscription(tx, one, wakeAt);
  }
  const recording: EffectContext = { tx, now, origin, account, subscriptions };
  for (const effect of effects) await recordEffects(recording, effect);
  await updatePlan(tx, { account, before, after: subscriptions, now });
  return subscriptions;
}

async function withPayments(
  tx: Transaction,
  target: Subscription,
  { payments, onPayment, ...event }: Observation & { onPayment(status: FetchedPayment["status"]): void },
) {
  const known = new Map(
    payments.length === 0 ? [] : (await paymentsOf(tx, target.id)).map(({ id, status }) => [id, status]),
  );
  for (const payment of payments) await recordPayment(tx, payment, target);
  const rows = await paymentsOf(tx, target.id);
  for (const { id, status } of rows)
    if (payments.some((payment) => payment.id === id) && known.get(id) !== status) onPayment(status);
  return {
    ...event,
    payments: rows.flatMap(({ id, at, coversUntil, status }) =>
      status === "captured" && coversUntil ? [{ id, at, coversUntil }] : [],
    ),
  };
}

type PlanChange = {
  account: Account | undefined;
  before: readonly Subscription[];
  after: readonly Subscription[];
  now: Date;
};

async function updatePlan(tx: Transaction, { account, before, after, now }: PlanChange): Promise<void> {
  const [from, to] = [planStateOf(before).plan, planStateOf(after).plan];
  if (!account || from === to) return;
  await setPaidPlan(tx, account.id, to);
  await writeAudit(tx, { at: now, kind: "plan-changed", accountId: account.id, detail: { from, to } });
}
