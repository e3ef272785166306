import type { BillingCycle, Currency, PaidPlanName } from "@tintype/contract";
import type { GatewayStatus } from "../../platform/payments/gateway.ts";

/** `open`: sold, not paid. `scheduled`: paid, begins later. The others are explained in README.md. */
export type SubscriptionState = "open" | "scheduled" | "active" | "past_due" | "halted" | "ended";

/**
 * Why we end it: the person asked; another one took its place; its checkout is no longer offered; it was bought
 * while another one was running; the account is gone.
 */
export type StopReason = "cancelled" | "replaced" | "abandoned" | "duplicate" | "deleted";
export type Stop = {
  reason: StopReason;
  at: Date;
  /** It ends then at the latest; without it, when what is paid for is over. */
  endsBy: Date | null;
};

/** How far the gateway has to be, or has been, told of a stop. */
export type Told = "none" | "at-end" | "now";

/** A subscription as we know it. `state` follows from the rest and the time. */
export type Subscription = {
  id: string;
  accountId: string | null;
  gatewayId: string | null;
  gatewayPlanId: string;
  plan: PaidPlanName;
  cycle: BillingCycle;
  currency: Currency;
  amountMinor: number;
  state: SubscriptionState;
  /** When what is paid at the checkout begins to count; null: at once. */
  startsAt: Date | null;
  /** The end of the last period there is money for. */
  paidThrough: Date | null;
  gatewayStatus: GatewayStatus;
  /** When the gateway last said so. */
  seenAt: Date | null;
  stop: Stop | null;
  told: Told;
  createdAt: Date;
  expiresAt: Date;
};

/** Money that was taken for a subscription. */
export type Payment = { id: string; at: Date; coversUntil: Date };

export type SubscriptionEvent =
  /** The gateway was asked at that time, by whatever made us ask: checkout, webhook, poll or clock. */
  | { kind: "seen"; at: Date; status: GatewayStatus; payments: readonly Payment[] }
  | { kind: "stop"; stop: Stop }
  | { kind: "told"; told: Told }
  | { kind: "time" };

export type Effect =
  /** The first money arrived: now, or at `startsAt`, the plan is theirs. */
  | { kind: "began"; paymentId: string }
  | { kind: "renewed"; paymentId: string; paidThrough: Date }
  /** What was paid ahead has begun to count. */
  | { kind: "started" }
  | { kind: "charge-failed" }
  | { kind: "halted" }
  | { kind: "ended" }
  | { kind: "stopped"; reason: StopReason }
  /** Money that came for nothing: it goes back. Said each time it is seen. */
  | { kind: "refund"; paymentId: string };

export type Change = { subscription: Subscription; effects: Effect[] };

/** The gateway retries for three days; after this long without money nobody keeps a plan, whatever it says. */
const graceMs = 15 * 86_400_000;

/** Statuses after which the gateway takes no more money. */
export const isOverAtGateway = (status: GatewayStatus): boolean =>
  status === "cancelled" || status === "expired" || status === "completed";

const later = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : (a ?? b));

/** When it ends, or null while it goes on. */
export function endOf({ paidThrough, stop, gatewayStatus }: Subscription): Date | null {
  if (!paidThrough) return null;
  if (stop?.endsBy && stop.endsBy < paidThrough) return stop.endsBy;
  return stop || isOverAtGateway(gatewayStatus) ? paidThrough : null;
}

/** What it is at a moment. Total: every set of facts has its state, in whatever order they came. */
export function stateOf(subscription: Subscription, now: Date): SubscriptionState {
  const { startsAt, paidThrough, gatewayStatus, seenAt, stop } = subscription;
  if (!paidThrough) return stop || isOverAtGateway(gatewayStatus) ? "ended" : "open";
  const end = endOf(subscription);
  if (end && end <= now) return "ended";
  if (startsAt && startsAt > now) return "scheduled";
  if (paidThrough > now) return "active";
  // Nothing is paid for any more: the renewal is under way, or failing, or given up.
  if (gatewayStatus === "halted" || gatewayStatus === "paused") return "halted";
  if (seenAt && seenAt.getTime() >= paidThrough.getTime() + graceMs) return "halted";
  return gatewayStatus === "pending" ? "past_due" : "active";
}

/** What a payment is worth to it: nothing where it never was to be, or was taken after it was stopped. */
function isWelcome({ stop }: Subscription, { at }: Payment): boolean {
  if (!stop) return true;
  const neverWas = stop.reason === "duplicate" || stop.reason === "abandoned";
  return !neverWas && at <= stop.at;
}

/**
 * One event in; the new subscription and what has to happen out. The same event again changes nothing; events in
 * another order come to the same end, since money only adds up and the newest word of the gateway counts.
 */
export function transition(before: Subscription, event: SubscriptionEvent, now: Date): Change {
  const merged = merge(before, event);
  const subscription = { ...merged.subscription, state: stateOf(merged.subscription, now) };
  return { subscription, effects: [...merged.effects, ...effectsBetween(before, subscription)] };
}

function merge(before: Subscription, event: SubscriptionEvent): Change {
  if (event.kind === "time") return { subscription: before, effects: [] };
  if (event.kind === "told")
    return { subscription: { ...before, told: furthest(before.told, event.told) }, effects: [] };
  if (event.kind === "stop") return mergeStop(before, event.stop);
  const isNews = !before.seenAt || event.at >= before.seenAt;
  const after: Subscription = {
    ...before,
    ...(isNews ? { gatewayStatus: event.status, seenAt: event.at } : {}),
  };
  const effects: Effect[] = [];
  for (const payment of event.payments.toSorted((a, b) => a.coversUntil.getTime() - b.coversUntil.getTime())) {
    if (!isWelcome(before, payment)) effects.push({ kind: "refund", paymentId: payment.id });
    else if (!after.paidThrough) effects.push({ kind: "began", paymentId: payment.id });
    else if (payment.coversUntil > after.paidThrough)
      effects.push({ kind: "renewed", paymentId: payment.id, paidThrough: payment.coversUntil });
    if (isWelcome(before, payment)) after.paidThrough = later(after.paidThrough, payment.coversUntil);
  }
  return { subscription: after, effects };
}

/** The first reason stays, but for the account's deletion, which waits for no end of a period. */
function mergeStop(before: Subscription, wanted: Stop): Change {
  const isLate =
    before.state === "ended" || (before.stop && (before.stop.reason === "deleted" || wanted.reason !== "deleted"));
  if (isLate) return { subscription: before, effects: [] };
  // What was never paid has nothing to wait for the end of, and money that still comes for it goes back.
  const reason = before.paidThrough || wanted.reason === "duplicate" ? wanted.reason : "abandoned";
  const stop = { ...wanted, reason, at: before.stop?.at ?? wanted.at };
  return { subscription: { ...before, stop }, effects: [{ kind: "stopped", reason: stop.reason }] };
}

function effectsBetween(before: Subscription, after: Subscription): Effect[] {
  if (before.state === after.state) return [];
  if (before.state === "scheduled" && after.state === "active") return [{ kind: "started" }];
  if (after.state === "past_due") return [{ kind: "charge-failed" }];
  if (after.state === "halted") return [{ kind: "halted" }];
  if (after.state === "ended") return [{ kind: "ended" }];
  return [];
}

const reach: Record<Told, number> = { none: 0, "at-end": 1, now: 2 };
const furthest = (a: Told, b: Told): Told => (reach[a] >= reach[b] ? a : b);

/** What the gateway has to be told and was not, or undefined. */
export function toTell(subscription: Subscription): Exclude<Told, "none"> | undefined {
  const { stop, gatewayStatus, gatewayId, state, told } = subscription;
  if (!stop || !gatewayId || isOverAtGateway(gatewayStatus)) return undefined;
  // Only a cycle that is running has an end to wait for.
  const wanted = state === "active" && gatewayStatus === "active" ? "at-end" : "now";
  return reach[wanted] > reach[told] ? wanted : undefined;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** When to look at it next, should nothing be heard of it before; null: never again. */
export function nextLook(subscription: Subscription, now: Date): Date | null {
  const { state, createdAt, startsAt, paidThrough, gatewayStatus, stop } = subscription;
  const after = (ms: number) => new Date(now.getTime() + ms);
  const earliest = (...moments: (Date | null)[]) =>
    moments.reduce<Date>((first, one) => (one && one > now && one < first ? one : first), after(dayMs));
  if (state === "open") return after(now.getTime() - createdAt.getTime() < hourMs ? minuteMs : hourMs / 4);
  if (state === "scheduled") return earliest(startsAt, endOf(subscription));
  if (state === "past_due") return after(hourMs);
  if (state === "halted") return after(dayMs);
  if (state === "ended")
    return stop && !isOverAtGateway(gatewayStatus) && subscription.gatewayId ? after(hourMs) : null;
  // Active: what is paid for ends, then the renewal shows up within the hour or two that the gateway takes.
  return paidThrough && paidThrough > now ? earliest(endOf(subscription), paidThrough) : after(hourMs / 4);
}
