import { addCycles } from "@tintype/contract";
import { isCharged } from "./cards.ts";
import {
  entityId,
  type InvoiceEntity,
  type PaymentEntity,
  type SandboxSubscription,
  type SubscriptionEntity,
} from "./entities.ts";
import { newInvoice, newPayment, paidInvoice } from "./invoices.ts";

// The state machine of a subscription, as the gateway's documentation describes it. Pure except for generated ids.

/** The result of a step: the subscription, the records to write, and the events to send. */
export type Step = {
  subscription: SandboxSubscription;
  invoice?: InvoiceEntity;
  payment?: PaymentEntity;
  events: { kind: string; at: number; subscription: SubscriptionEntity; payment?: PaymentEntity }[];
};

const daySeconds = 86_400;
/** A failed renewal is retried after one, two and three days. */
const retries = 3;

const cycleEnd = ({ plan }: SandboxSubscription, start: number, count: number): number =>
  addCycles(new Date(start * 1000), { cycle: plan.period, count }).getTime() / 1000;

/** When its next timed transition is due, or null. */
export function dueAt({ entity, retryAt }: SandboxSubscription): number | null {
  if (entity.status === "created") return entity.expire_by;
  if (entity.status === "authenticated") return entity.start_at;
  if (entity.status === "active") return entity.charge_at;
  return entity.status === "pending" ? retryAt : null;
}

/** Performs the earliest due transition, at its due time; undefined if nothing is due. */
export function stepTo(subscription: SandboxSubscription, now: number): Step | undefined {
  const at = dueAt(subscription);
  if (at === null || at > now) return undefined;
  const { entity, cancelsAtEnd, openInvoice } = subscription;
  if (entity.status === "created") return end(subscription, { status: "expired", at });
  if (entity.status === "active" && cancelsAtEnd) return end(subscription, { status: "cancelled", at });
  return openInvoice && entity.status === "pending"
    ? charge(subscription, { at, invoice: openInvoice })
    : beginCycle(subscription, at);
}

function end(
  subscription: SandboxSubscription,
  { status, at }: { status: "expired" | "cancelled" | "completed"; at: number },
): Step {
  const entity = { ...subscription.entity, status, ended_at: at, charge_at: null };
  const events = status === "expired" ? [] : [{ kind: `subscription.${status}`, at, subscription: entity }];
  return { subscription: { ...subscription, entity, retryAt: null }, events };
}

/** Issues the invoice of the next cycle and attempts to charge it; a scheduled plan takes effect with it. */
function beginCycle(before: SandboxSubscription, at: number): Step {
  const subscription = before.nextPlan ? withPlan(before, before.nextPlan) : before;
  const { entity, plan, cycles } = subscription;
  const startAt = entity.start_at ?? at;
  const [from, to] = [cycleEnd(subscription, startAt, cycles), cycleEnd(subscription, startAt, cycles + 1)];
  const invoice = newInvoice(subscription, { at, from, to, ...plan });
  const begun = {
    ...subscription,
    cycles: cycles + 1,
    attempts: 0,
    entity: { ...entity, start_at: startAt, current_start: from, current_end: to },
  };
  return charge(begun, { at, invoice });
}

const withPlan = (
  subscription: SandboxSubscription,
  { id, amount }: NonNullable<SandboxSubscription["nextPlan"]>,
): SandboxSubscription => ({
  ...subscription,
  nextPlan: undefined,
  plan: { ...subscription.plan, amount },
  entity: { ...subscription.entity, plan_id: id, has_scheduled_changes: false, change_scheduled_at: null },
});

function charge(subscription: SandboxSubscription, { at, invoice }: { at: number; invoice: InvoiceEntity }): Step {
  const { card, attempts, entity } = subscription;
  const isRenewal = subscription.cycles > 1 || subscription.startsLater;
  const isPaid = card !== null && isCharged(card.behaviour, { isRenewal, attempt: attempts });
  const payment = newPayment(subscription, { at, invoice, isPaid });
  return isPaid
    ? settle(subscription, { at, invoice, payment })
    : fail({ ...subscription, entity, attempts: attempts + 1 }, { at, invoice, payment });
}

type Attempt = { at: number; invoice: InvoiceEntity; payment: PaymentEntity };

function settle(subscription: SandboxSubscription, { at, invoice, payment }: Attempt): Step {
  const { entity } = subscription;
  const paidCount = entity.paid_count + 1;
  const isLast = paidCount >= entity.total_count;
  const after: SubscriptionEntity = {
    ...entity,
    status: isLast ? "completed" : "active",
    paid_count: paidCount,
    remaining_count: entity.total_count - paidCount,
    charge_at: isLast ? null : entity.current_end,
    ended_at: isLast ? at : null,
  };
  const about = { at, subscription: after, payment };
  return {
    subscription: { ...subscription, entity: after, openInvoice: null, attempts: 0, retryAt: null },
    invoice: paidInvoice(invoice, payment),
    payment,
    events: [
      { kind: "payment.captured", ...about },
      ...(entity.status === "active" ? [] : [{ kind: "subscription.activated", ...about }]),
      { kind: "subscription.charged", ...about },
      ...(isLast ? [{ kind: "subscription.completed", ...about }] : []),
    ],
  };
}

function fail(subscription: SandboxSubscription, { at, invoice, payment }: Attempt): Step {
  const { entity, attempts } = subscription;
  const isHalted = attempts > retries;
  const after: SubscriptionEntity = { ...entity, status: isHalted ? "halted" : "pending", charge_at: null };
  const about = { at, subscription: after, payment };
  return {
    subscription: {
      ...subscription,
      entity: after,
      openInvoice: invoice,
      retryAt: isHalted ? null : at + attempts * daySeconds,
    },
    invoice,
    payment,
    events: [
      { kind: "payment.failed", ...about },
      { kind: `subscription.${after.status}`, ...about },
    ],
  };
}

export type Paid = Step & { payment: PaymentEntity };

/** The gateway charges this to verify a card, and refunds it automatically. */
const cardCheckMinor = 500;

/** A checkout with a card: pays the first cycle, or verifies the card if the subscription starts later. */
export function payAtCheckout(
  unpaid: SandboxSubscription,
  { card, now }: { card: NonNullable<SandboxSubscription["card"]>; now: number },
): Paid | undefined {
  const { entity, plan, startsLater } = unpaid;
  const isOpen = entity.status === "created" && (entity.expire_by === null || entity.expire_by > now);
  if (!isOpen) return undefined;
  const subscription = {
    ...unpaid,
    card,
    entity: { ...entity, auth_attempts: entity.auth_attempts + 1, customer_id: entity.customer_id ?? entityId("cust") },
  };
  const check = { amount: cardCheckMinor, currency: plan.currency };
  if (card.behaviour === "declined") {
    const invoice = startsLater
      ? null
      : (unpaid.openInvoice ?? newInvoice(subscription, { at: now, from: null, to: null, ...plan }));
    const payment = newPayment(subscription, { at: now, isPaid: false, ...(invoice ? { invoice } : { check }) });
    const events = [{ kind: "payment.failed", at: now, subscription: subscription.entity, payment }];
    const refused = { ...subscription, card: null, openInvoice: invoice };
    return { subscription: refused, ...(invoice ? { invoice } : {}), payment, events };
  }
  if (!startsLater) {
    const { payment, ...first } = beginCycle({ ...subscription, openInvoice: null }, now);
    if (!payment) throw new Error("A cycle was begun without a payment.");
    return { ...first, payment };
  }
  const checked = newPayment(subscription, { at: now, isPaid: true, check });
  const returned = { status: "refunded", refund_status: "full", amount_refunded: check.amount } as const;
  const payment = { ...checked, ...returned };
  const after: SubscriptionEntity = { ...subscription.entity, status: "authenticated", charge_at: entity.start_at };
  const about = { at: now, subscription: after, payment };
  return {
    subscription: { ...subscription, entity: after, openInvoice: null },
    payment,
    events: [
      { kind: "payment.captured", ...about },
      { kind: "subscription.authenticated", ...about },
    ],
  };
}

const over: readonly string[] = ["cancelled", "completed", "expired"];

/** Cancels it, or returns the gateway's error message. A cancellation at the end of the cycle does not show until then. */
export function cancel(
  subscription: SandboxSubscription,
  { atCycleEnd, now }: { atCycleEnd: boolean; now: number },
): Step | string {
  const { status } = subscription.entity;
  if (over.includes(status)) return `Subscription is not cancellable in ${status} status.`;
  if (!atCycleEnd) return end(subscription, { status: "cancelled", at: now });
  if (status !== "active") return "Subscription cannot be cancelled since no billing cycle is going on";
  return { subscription: { ...subscription, cancelsAtEnd: true }, events: [] };
}

/** The requested plan. Its period and currency must match the current one's. */
type NewPlan = { id: string; amount: number; currency: string; period: SandboxSubscription["plan"]["period"] };

/** Schedules another plan for the next cycle, or returns the gateway's error message. */
export function changePlan(
  subscription: SandboxSubscription,
  { newPlan, now }: { newPlan: NewPlan; now: number },
): Step | string {
  const { entity, plan, card } = subscription;
  const { status } = entity;
  if (status !== "active" && status !== "authenticated") return `Subscription can't be updated when in ${status} state`;
  if (card?.behaviour === "keeps-plan") return "Subscription can't be updated with the current payment method";
  if (newPlan.currency !== plan.currency)
    return "The currency of the new plan must be the same as that of the current plan";
  // The gateway accepts another period only with a remaining_count, which we never send.
  if (newPlan.period !== plan.period) return "remaining_count is required when the plan's period changes";
  const after: SubscriptionEntity = { ...entity, has_scheduled_changes: true, change_scheduled_at: entity.charge_at };
  return {
    subscription: {
      ...subscription,
      nextPlan: { id: newPlan.id, amount: newPlan.amount * entity.quantity },
      entity: after,
    },
    events: [{ kind: "subscription.updated", at: now, subscription: after }],
  };
}
