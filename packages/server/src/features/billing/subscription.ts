import type { BillingCycle, Currency, PaidPlanName } from "@tintype/contract";
import type { GatewayStatus } from "../../platform/payments/gateway.ts";

/** `open`: sold, not taken up. `scheduled`: the card is authorised, it starts later. README.md explains the others. */
export type SubscriptionState = "open" | "scheduled" | "active" | "past_due" | "halted" | "ended";

/**
 * Why we end it: the person cancelled; another one replaced it; its checkout is no longer offered; it was bought while
 * another one was running; the account was deleted.
 */
export type StopReason = "cancelled" | "replaced" | "abandoned" | "duplicate" | "deleted";
export type Stop = {
  reason: StopReason;
  at: Date;
  /** It ends then at the latest. Null: at the end of the paid period. */
  endsBy: Date | null;
  /** Paid days from then on count as unused and are refunded. Null: no refund. */
  refundsFrom: Date | null;
};

/** The stop that has to be sent to the gateway, or was sent. */
export type SentStop = "none" | "at-end" | "now";

/** A new renewal price, from `from` on. The person was mailed about it. */
export type PriceMove = {
  amountMinor: number;
  /** The gateway's plan for that price. */
  gatewayPlanId: string;
  /** The first renewal at that price, as announced in the mail. */
  from: Date;
  /** No renewal before then uses that price: the operator's date, and the end of the notice. */
  notBefore: Date;
  announcedAt: Date;
  /**
   * `sending`: the request to the gateway is in progress, or unanswered. `scheduled`: it accepted. `refused`: it refused,
   * or the mail could not be delivered; the price stays.
   */
  state: "announced" | "sending" | "scheduled" | "refused";
};

/** A subscription as we know it. `state` follows from the other fields and the time. */
export type Subscription = {
  id: string;
  accountId: string | null;
  gatewayId: string | null;
  gatewayPlanId: string;
  plan: PaidPlanName;
  cycle: BillingCycle;
  currency: Currency;
  /** The renewal price. */
  amountMinor: number;
  /** The renewal price before its last change. */
  formerAmountMinor: number | null;
  move: PriceMove | null;
  state: SubscriptionState;
  /** When it starts and the gateway first charges; null: at the checkout. */
  startsAt: Date | null;
  /** The subscription that it replaces once paid, if the person upgrades within a period. */
  replaces: string | null;
  /** The end of the last paid period. */
  paidThrough: Date | null;
  gatewayStatus: GatewayStatus;
  /** When the gateway last confirmed it. */
  seenAt: Date | null;
  stop: Stop | null;
  sentStop: SentStop;
  createdAt: Date;
  expiresAt: Date;
};

/** A captured payment for a subscription. */
export type Payment = { id: string; at: Date; coversUntil: Date };

export type SubscriptionEvent =
  /** The gateway was polled, whatever the cause: checkout, webhook, poll or clock. */
  | {
      kind: "seen";
      at: Date;
      status: GatewayStatus;
      payments: readonly Payment[];
      /** The gateway's plan that it is on, if no change of it is scheduled. */
      planId?: string | undefined;
    }
  /** The price is to move, the move is withdrawn, or the gateway accepted or refused it. */
  | { kind: "move"; move: PriceMove | null; reason?: string }
  | { kind: "stop"; stop: Stop }
  /** The stop is undone, if that is still possible. */
  | { kind: "resume" }
  | { kind: "stop-sent"; sentStop: SentStop }
  | { kind: "time" };

export type Effect =
  /** The card is authorised: the plan starts at `startsAt`. Nothing was charged. */
  | { kind: "scheduled" }
  /** The first payment arrived. */
  | { kind: "began"; paymentId: string }
  | { kind: "renewed"; paymentId: string; paidThrough: Date }
  /** `startsAt` has come. */
  | { kind: "started" }
  | { kind: "charge-failed" }
  | { kind: "halted" }
  | { kind: "ended" }
  | { kind: "stopped"; reason: StopReason }
  | { kind: "resumed" }
  | { kind: "price-announced"; amountMinor: number; from: Date; announcedAt: Date }
  /** The announced price is withdrawn by the operator. */
  | { kind: "price-withdrawn"; announcedAt: Date }
  | { kind: "price-refused"; announcedAt: Date; reason: string }
  | { kind: "price-scheduled"; amountMinor: number }
  /** It renews at the new price. */
  | { kind: "price-moved"; from: number; to: number }
  /** The price of the unused days is refunded. Emitted at each poll. */
  | { kind: "refund-unused" }
  /** A payment without a service: it is refunded. Emitted each time it is seen. */
  | { kind: "refund"; paymentId: string };

export type Transition = { subscription: Subscription; effects: Effect[] };

/** The gateway retries for three days. After this long without payment the plan ends, whatever the gateway says. */
const graceMs = 15 * 86_400_000;

/** Statuses after which the gateway charges no more. */
export const isOverAtGateway = (status: GatewayStatus): boolean =>
  status === "cancelled" || status === "expired" || status === "completed";

const later = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : (a ?? b));

/** When it ends; null while it continues. */
export function endOf({ paidThrough, stop, gatewayStatus }: Subscription): Date | null {
  if (!paidThrough) return null;
  if (stop?.endsBy && stop.endsBy < paidThrough) return stop.endsBy;
  return stop || isOverAtGateway(gatewayStatus) ? paidThrough : null;
}

/** Statuses in which the gateway may charge the card. */
const authorizedStatuses: readonly GatewayStatus[] = ["authenticated", "active", "pending", "halted", "paused"];

/** Its state at a given time. Total: every set of facts has a state, in whatever order they arrived. */
export function stateOf(subscription: Subscription, now: Date): SubscriptionState {
  const { startsAt, paidThrough, gatewayStatus, stop } = subscription;
  if (!paidThrough) {
    if (stop || isOverAtGateway(gatewayStatus)) return "ended";
    if (!startsAt || !authorizedStatuses.includes(gatewayStatus)) return "open";
    return startsAt > now ? "scheduled" : unpaidState(subscription, startsAt);
  }
  const end = endOf(subscription);
  if (end && end <= now) return "ended";
  if (startsAt && startsAt > now) return "scheduled";
  return paidThrough > now ? "active" : unpaidState(subscription, paidThrough);
}

/** Nothing has been paid since then: the charge is in progress, failing, or given up. */
function unpaidState({ gatewayStatus, seenAt }: Subscription, since: Date): SubscriptionState {
  if (gatewayStatus === "halted" || gatewayStatus === "paused") return "halted";
  if (seenAt && seenAt.getTime() >= since.getTime() + graceMs) return "halted";
  return gatewayStatus === "pending" ? "past_due" : "active";
}

/** Whether a payment counts for it: not if the payment came after its stop. */
function isExpectedPayment({ stop }: Subscription, { at }: Payment): boolean {
  if (!stop) return true;
  const isVoid = stop.reason === "duplicate" || stop.reason === "abandoned";
  return !isVoid && at <= stop.at;
}

/**
 * Takes one event; returns the new subscription and the required effects. Repeating an event changes nothing, and any
 * order leads to the same state: amounts only add up, and the gateway's newest answer counts.
 */
export function transition(before: Subscription, event: SubscriptionEvent, now: Date): Transition {
  const merged = merge(before, event, now);
  const subscription = { ...merged.subscription, state: stateOf(merged.subscription, now) };
  return { subscription, effects: [...merged.effects, ...effectsBetween(before, subscription)] };
}

function merge(before: Subscription, event: SubscriptionEvent, now: Date): Transition {
  if (event.kind === "time") return { subscription: before, effects: [] };
  if (event.kind === "stop-sent")
    return { subscription: { ...before, sentStop: furthest(before.sentStop, event.sentStop) }, effects: [] };
  if (event.kind === "stop") return mergeStop(before, event.stop);
  if (event.kind === "resume") return mergeResume(before, now);
  if (event.kind === "move") return mergeMove(before, event);
  const isNewer = !before.seenAt || event.at >= before.seenAt;
  const after: Subscription = {
    ...before,
    ...(isNewer ? { gatewayStatus: event.status, seenAt: event.at } : {}),
  };
  const effects: Effect[] = [];
  const { move } = before;
  if (isNewer && move && move.gatewayPlanId === event.planId) {
    const { amountMinor, gatewayPlanId } = move;
    Object.assign(after, { amountMinor, gatewayPlanId, formerAmountMinor: before.amountMinor, move: null });
    effects.push({ kind: "price-moved", from: before.amountMinor, to: amountMinor });
  } else if (isNewer && move && isForgotten(before, event.planId))
    // The gateway no longer has it, so the file decides again.
    after.move = { ...move, state: "announced" };
  for (const payment of event.payments.toSorted((a, b) => a.coversUntil.getTime() - b.coversUntil.getTime())) {
    if (!isExpectedPayment(before, payment)) effects.push({ kind: "refund", paymentId: payment.id });
    else if (!after.paidThrough) effects.push({ kind: "began", paymentId: payment.id });
    else if (payment.coversUntil > after.paidThrough)
      effects.push({ kind: "renewed", paymentId: payment.id, paidThrough: payment.coversUntil });
    if (isExpectedPayment(before, payment)) after.paidThrough = later(after.paidThrough, payment.coversUntil);
  }
  if (after.stop?.refundsFrom) effects.push({ kind: "refund-unused" });
  return { subscription: after, effects };
}

/** Whether a later stop replaces an earlier one; otherwise the first reason stays. */
function outranks(next: Stop, { reason, refundsFrom }: Stop): boolean {
  if (reason === "deleted" || reason === "duplicate" || reason === "abandoned" || refundsFrom) return false;
  // These end it sooner: the account's deletion, an upgrade within the period, an operator's refund. A cancelled one does
  // not wait for another plan.
  return (
    next.reason === "deleted" ||
    next.refundsFrom !== null ||
    (next.reason === "cancelled" && (reason === "replaced" || next.endsBy !== null))
  );
}

function mergeStop(before: Subscription, next: Stop): Transition {
  if (before.stop && !outranks(next, before.stop)) return { subscription: before, effects: [] };
  // Already over: a charge from before its end that is learned of later must not revive it beside another plan.
  const at = before.stop?.at ?? next.at;
  if (before.state === "ended") {
    if (!next.refundsFrom) return { subscription: before, effects: [] };
    const never = { reason: "abandoned", endsBy: null, refundsFrom: null } as const;
    return { subscription: { ...before, stop: { ...(before.paidThrough ? next : never), at } }, effects: [] };
  }
  // A subscription that never started has no end to wait for, and late payments for it are refunded.
  const hasBegun = before.paidThrough !== null || (before.state !== "open" && before.state !== "scheduled");
  const reason = hasBegun || next.reason === "duplicate" ? next.reason : "abandoned";
  const stop = { ...next, reason, at };
  return {
    subscription: { ...before, stop },
    effects: [{ kind: "stopped", reason }, ...(stop.refundsFrom ? [{ kind: "refund-unused" } as const] : [])],
  };
}

function mergeResume(before: Subscription, now: Date): Transition {
  const until = keepableUntil(before);
  if (!until || until <= now) return { subscription: before, effects: [] };
  return { subscription: { ...before, stop: null }, effects: [{ kind: "resumed" }] };
}

/** A move was sent to the gateway, or may have been, but it renewed at the old plan and no change is scheduled. */
const isForgotten = ({ move, gatewayPlanId, paidThrough }: Subscription, planId: string | undefined): boolean =>
  (move?.state === "sending" || move?.state === "scheduled") &&
  planId === gatewayPlanId &&
  paidThrough !== null &&
  paidThrough > move.from;

const isRunning = ({ state }: Subscription): boolean => state === "active" || state === "past_due";

function mergeMove(
  before: Subscription,
  { move, reason = "" }: { move: PriceMove | null; reason?: string },
): Transition {
  const subscription = { ...before, move };
  const known = before.move;
  if (!move)
    return {
      subscription,
      // No mail if the price was announced to stay, or the plan is cancelled.
      effects:
        known && known.state !== "refused" && !before.stop && isRunning(before)
          ? [{ kind: "price-withdrawn", announcedAt: known.announcedAt }]
          : [],
    };
  const { amountMinor, from, announcedAt, state } = move;
  const isKnown = known?.announcedAt.getTime() === announcedAt.getTime();
  if (state === "announced")
    return { subscription, effects: isKnown ? [] : [{ kind: "price-announced", amountMinor, from, announcedAt }] };
  // Another move replaced it meanwhile, or it has happened.
  if (!isKnown || known.state === state) return { subscription: before, effects: [] };
  if (state === "refused") return { subscription, effects: [{ kind: "price-refused", announcedAt, reason }] };
  return { subscription, effects: state === "scheduled" ? [{ kind: "price-scheduled", amountMinor }] : [] };
}

/** The next renewal price, and when it changes; null if no change is known. */
export function nextPriceOf({ move, stop, paidThrough }: Subscription): { amountMinor: number; from: Date } | null {
  if (!move || move.state === "refused" || stop) return null;
  // It may be later than announced, never sooner: a charge was late, or the plan was to end meanwhile.
  const from = paidThrough && paidThrough > move.from ? paidThrough : move.from;
  return { amountMinor: move.amountMinor, from };
}

function effectsBetween(before: Subscription, after: Subscription): Effect[] {
  if (before.state === after.state) return [];
  if (before.state === "open" && after.state === "scheduled") return [{ kind: "scheduled" }];
  if (before.state === "scheduled" && after.state === "active") return [{ kind: "started" }];
  if (after.state === "past_due") return [{ kind: "charge-failed" }];
  if (after.state === "halted") return [{ kind: "halted" }];
  if (after.state === "ended") return [{ kind: "ended" }];
  return [];
}

const reach: Record<SentStop, number> = { none: 0, "at-end": 1, now: 2 };
const furthest = (a: SentStop, b: SentStop): SentStop => (reach[a] >= reach[b] ? a : b);

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The gateway cannot undo a cancellation: a later one is sent only this long before the end. */
const sendBeforeMs = hourMs;
/** This long before the end a stop can no longer be undone. The difference allows for clock skew. */
const keepBeforeMs = sendBeforeMs + 5 * minuteMs;

/** An end that has not been sent to the gateway and may still be undone; null if there is none. */
const openEndOf = (subscription: Subscription): Date | null => {
  const { stop, state, sentStop } = subscription;
  const isOpen =
    state === "active" && sentStop === "none" && (stop?.reason === "cancelled" || stop?.reason === "replaced");
  return isOpen ? endOf(subscription) : null;
};
const earlier = (at: Date | null, ms: number): Date | null => at && new Date(at.getTime() - ms);

/** How long its stop can be undone; null if it is not stopped, or cannot continue. */
export const keepableUntil = (subscription: Subscription): Date | null =>
  isOverAtGateway(subscription.gatewayStatus) ? null : earlier(openEndOf(subscription), keepBeforeMs);

/** The call that the gateway still needs, or undefined. */
export function stopToSend(subscription: Subscription, now: Date): Exclude<SentStop, "none"> | undefined {
  const { stop, gatewayStatus, gatewayId, state, sentStop } = subscription;
  if (!stop || !gatewayId || isOverAtGateway(gatewayStatus)) return undefined;
  const sendAt = earlier(openEndOf(subscription), sendBeforeMs);
  if (sendAt && sendAt > now) return undefined;
  // Only a running cycle has an end to wait for.
  const next = state === "active" && gatewayStatus === "active" ? "at-end" : "now";
  return reach[next] > reach[sentStop] ? next : undefined;
}

/** When to poll it next, if no event comes first; null: never again. */
export function nextPoll(subscription: Subscription, now: Date): Date | null {
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
  // Active: the paid period ends, then the renewal shows up within the hour or two that the gateway takes.
  const sendAt = earlier(openEndOf(subscription), sendBeforeMs);
  return paidThrough && paidThrough > now ? earliest(sendAt, endOf(subscription), paidThrough) : after(hourMs / 4);
}
