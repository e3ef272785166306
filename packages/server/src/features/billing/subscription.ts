import type { BillingCycle, Currency, PaidPlanName } from "@tintype/contract";
import type { GatewayStatus } from "../../platform/payments/gateway.ts";

/** `open`: sold, not taken up. `scheduled`: the card is authorised, begins later. README.md explains the others. */
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
  /** From then on the paid days count as unused, and their price goes back; null: nothing does. */
  refundsFrom: Date | null;
};

/** The stop that the gateway has to be sent, or was sent. */
export type SentStop = "none" | "at-end" | "now";

/** Another price that it is to renew at, from `from` on. The person was mailed of it. */
export type PriceMove = {
  amountMinor: number;
  /** The gateway's plan of that price. */
  gatewayPlanId: string;
  /** The first renewal at that price, as the mail names it. */
  from: Date;
  /** No renewal before then is at that price: the operator's day, and the end of the notice. */
  notBefore: Date;
  announcedAt: Date;
  /**
   * `sending`: the gateway is being told, and may know already. `scheduled`: it has said yes. `refused`: it has said no, or the mail
   * reached nobody; the price stays.
   */
  state: "announced" | "sending" | "scheduled" | "refused";
};

/** A subscription as we know it. `state` follows from the rest and the time. */
export type Subscription = {
  id: string;
  accountId: string | null;
  gatewayId: string | null;
  gatewayPlanId: string;
  plan: PaidPlanName;
  cycle: BillingCycle;
  currency: Currency;
  /** What it renews at. */
  amountMinor: number;
  /** What it renewed at before its price changed last. */
  formerAmountMinor: number | null;
  move: PriceMove | null;
  state: SubscriptionState;
  /** When it begins and the gateway first charges; null: at the checkout. */
  startsAt: Date | null;
  /** The subscription whose place it takes as soon as it is paid, where the person upgrades within a period. */
  replaces: string | null;
  /** The end of the last period there is money for. */
  paidThrough: Date | null;
  gatewayStatus: GatewayStatus;
  /** When the gateway last said so. */
  seenAt: Date | null;
  stop: Stop | null;
  sentStop: SentStop;
  createdAt: Date;
  expiresAt: Date;
};

/** Money that was taken for a subscription. */
export type Payment = { id: string; at: Date; coversUntil: Date };

export type SubscriptionEvent =
  /** The gateway was asked at that time, by whatever made us ask: checkout, webhook, poll or clock. */
  | {
      kind: "seen";
      at: Date;
      status: GatewayStatus;
      payments: readonly Payment[];
      /** The gateway's plan that it is on, where no change of it is scheduled. */
      planId?: string | undefined;
    }
  /** The price is to move, that is taken back, or the gateway took or refused it. */
  | { kind: "move"; move: PriceMove | null; reason?: string }
  | { kind: "stop"; stop: Stop }
  /** The stop is taken back, where it still can be. */
  | { kind: "resume" }
  | { kind: "stop-sent"; sentStop: SentStop }
  | { kind: "time" };

export type Effect =
  /** The card is authorised: at `startsAt` the plan is theirs. Nothing was charged. */
  | { kind: "scheduled" }
  /** The first money arrived. */
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
  /** What was announced does not happen: the operator took it back. */
  | { kind: "price-withdrawn"; announcedAt: Date }
  | { kind: "price-refused"; announcedAt: Date; reason: string }
  | { kind: "price-scheduled"; amountMinor: number }
  /** It renews at the new price. */
  | { kind: "price-moved"; from: number; to: number }
  /** The price of the unused days goes back. Said each time it is looked at. */
  | { kind: "refund-unused" }
  /** Money that came for nothing: it goes back. Said each time it is seen. */
  | { kind: "refund"; paymentId: string };

export type Change = { subscription: Subscription; effects: Effect[] };

/** The gateway retries for three days; after this long without money the plan ends, whatever the gateway says. */
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

/** Statuses from which on the gateway may charge the card. */
const authorizedStatuses: readonly GatewayStatus[] = ["authenticated", "active", "pending", "halted", "paused"];

/** Its state at a moment. Total: every set of facts has its state, in whatever order they came. */
export function stateOf(subscription: Subscription, now: Date): SubscriptionState {
  const { startsAt, paidThrough, gatewayStatus, stop } = subscription;
  if (!paidThrough) {
    if (stop || isOverAtGateway(gatewayStatus)) return "ended";
    if (!startsAt || !authorizedStatuses.includes(gatewayStatus)) return "open";
    return startsAt > now ? "scheduled" : whileUnpaid(subscription, startsAt);
  }
  const end = endOf(subscription);
  if (end && end <= now) return "ended";
  if (startsAt && startsAt > now) return "scheduled";
  return paidThrough > now ? "active" : whileUnpaid(subscription, paidThrough);
}

/** Nothing has been paid for since then: the charge is under way, or failing, or given up. */
function whileUnpaid({ gatewayStatus, seenAt }: Subscription, since: Date): SubscriptionState {
  if (gatewayStatus === "halted" || gatewayStatus === "paused") return "halted";
  if (seenAt && seenAt.getTime() >= since.getTime() + graceMs) return "halted";
  return gatewayStatus === "pending" ? "past_due" : "active";
}

/** The worth of a payment to it: nothing if it was refused, or the payment came after its stop. */
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
  const merged = merge(before, event, now);
  const subscription = { ...merged.subscription, state: stateOf(merged.subscription, now) };
  return { subscription, effects: [...merged.effects, ...effectsBetween(before, subscription)] };
}

function merge(before: Subscription, event: SubscriptionEvent, now: Date): Change {
  if (event.kind === "time") return { subscription: before, effects: [] };
  if (event.kind === "stop-sent")
    return { subscription: { ...before, sentStop: furthest(before.sentStop, event.sentStop) }, effects: [] };
  if (event.kind === "stop") return mergeStop(before, event.stop);
  if (event.kind === "resume") return mergeResume(before, now);
  if (event.kind === "move") return mergeMove(before, event);
  const isNews = !before.seenAt || event.at >= before.seenAt;
  const after: Subscription = {
    ...before,
    ...(isNews ? { gatewayStatus: event.status, seenAt: event.at } : {}),
  };
  const effects: Effect[] = [];
  const { move } = before;
  if (isNews && move && move.gatewayPlanId === event.planId) {
    const { amountMinor, gatewayPlanId } = move;
    Object.assign(after, { amountMinor, gatewayPlanId, formerAmountMinor: before.amountMinor, move: null });
    effects.push({ kind: "price-moved", from: before.amountMinor, to: amountMinor });
  } else if (isNews && move && isForgotten(before, event.planId))
    // Nothing of it is left at the gateway: the file decides again.
    after.move = { ...move, state: "announced" };
  for (const payment of event.payments.toSorted((a, b) => a.coversUntil.getTime() - b.coversUntil.getTime())) {
    if (!isWelcome(before, payment)) effects.push({ kind: "refund", paymentId: payment.id });
    else if (!after.paidThrough) effects.push({ kind: "began", paymentId: payment.id });
    else if (payment.coversUntil > after.paidThrough)
      effects.push({ kind: "renewed", paymentId: payment.id, paidThrough: payment.coversUntil });
    if (isWelcome(before, payment)) after.paidThrough = later(after.paidThrough, payment.coversUntil);
  }
  if (after.stop?.refundsFrom) effects.push({ kind: "refund-unused" });
  return { subscription: after, effects };
}

/** Whether a later stop takes the place of an earlier one; else the first reason stays. */
function outranks(wanted: Stop, { reason, refundsFrom }: Stop): boolean {
  if (reason === "deleted" || reason === "duplicate" || reason === "abandoned" || refundsFrom) return false;
  // These end it sooner: the account's deletion, an upgrade within the period, an operator who refunds it. Cancelled, it waits for
  // no other plan.
  return (
    wanted.reason === "deleted" ||
    wanted.refundsFrom !== null ||
    (wanted.reason === "cancelled" && (reason === "replaced" || wanted.endsBy !== null))
  );
}

function mergeStop(before: Subscription, wanted: Stop): Change {
  if (before.stop && !outranks(wanted, before.stop)) return { subscription: before, effects: [] };
  // Over already: a charge from before its end that is learnt of later must not bring it back beside another plan.
  const at = before.stop?.at ?? wanted.at;
  if (before.state === "ended") {
    if (!wanted.refundsFrom) return { subscription: before, effects: [] };
    const never = { reason: "abandoned", endsBy: null, refundsFrom: null } as const;
    return { subscription: { ...before, stop: { ...(before.paidThrough ? wanted : never), at } }, effects: [] };
  }
  // A subscription that never began waits for no end, and money that still comes for it goes back.
  const hasBegun = before.paidThrough !== null || (before.state !== "open" && before.state !== "scheduled");
  const reason = hasBegun || wanted.reason === "duplicate" ? wanted.reason : "abandoned";
  const stop = { ...wanted, reason, at };
  return {
    subscription: { ...before, stop },
    effects: [{ kind: "stopped", reason }, ...(stop.refundsFrom ? [{ kind: "refund-unused" } as const] : [])],
  };
}

function mergeResume(before: Subscription, now: Date): Change {
  const until = keepableUntil(before);
  if (!until || until <= now) return { subscription: before, effects: [] };
  return { subscription: { ...before, stop: null }, effects: [{ kind: "resumed" }] };
}

/** The gateway was told of a move, or may have been, and renewed at the old plan without a change to come. */
const isForgotten = ({ move, gatewayPlanId, paidThrough }: Subscription, planId: string | undefined): boolean =>
  (move?.state === "sending" || move?.state === "scheduled") &&
  planId === gatewayPlanId &&
  paidThrough !== null &&
  paidThrough > move.from;

const isRunning = ({ state }: Subscription): boolean => state === "active" || state === "past_due";

function mergeMove(before: Subscription, { move, reason = "" }: { move: PriceMove | null; reason?: string }): Change {
  const subscription = { ...before, move };
  const known = before.move;
  if (!move)
    return {
      subscription,
      // Who was told that the price stays, or has cancelled, need not hear it.
      effects:
        known && known.state !== "refused" && !before.stop && isRunning(before)
          ? [{ kind: "price-withdrawn", announcedAt: known.announcedAt }]
          : [],
    };
  const { amountMinor, from, announcedAt, state } = move;
  const isKnown = known?.announcedAt.getTime() === announcedAt.getTime();
  if (state === "announced")
    return { subscription, effects: isKnown ? [] : [{ kind: "price-announced", amountMinor, from, announcedAt }] };
  // Another move took its place meanwhile, or it has happened.
  if (!isKnown || known.state === state) return { subscription: before, effects: [] };
  if (state === "refused") return { subscription, effects: [{ kind: "price-refused", announcedAt, reason }] };
  return { subscription, effects: state === "scheduled" ? [{ kind: "price-scheduled", amountMinor }] : [] };
}

/** What it renews at next, and from when on at another price; null where nothing is known to change. */
export function nextPriceOf({ move, stop, paidThrough }: Subscription): { amountMinor: number; from: Date } | null {
  if (!move || move.state === "refused" || stop) return null;
  // It may be later than was announced, never sooner: a charge was late, or the plan was to end meanwhile.
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

/** The gateway cannot take a cancellation back; it hears of one that is due later only so long before the end. */
const sendBeforeMs = hourMs;
/** From so long before the end a stop stays: a clock that differs by less than the difference changes nothing. */
const keepBeforeMs = sendBeforeMs + 5 * minuteMs;

/** An end that was not sent to the gateway yet, since it may still be taken back; null where there is none. */
const openEndOf = (subscription: Subscription): Date | null => {
  const { stop, state, sentStop } = subscription;
  const isOpen =
    state === "active" && sentStop === "none" && (stop?.reason === "cancelled" || stop?.reason === "replaced");
  return isOpen ? endOf(subscription) : null;
};
const earlier = (at: Date | null, ms: number): Date | null => at && new Date(at.getTime() - ms);

/** Until when its stop can be taken back; null where it is not stopped, or cannot go on. */
export const keepableUntil = (subscription: Subscription): Date | null =>
  isOverAtGateway(subscription.gatewayStatus) ? null : earlier(openEndOf(subscription), keepBeforeMs);

/** The call that the gateway still needs, or undefined. */
export function stopToSend(subscription: Subscription, now: Date): Exclude<SentStop, "none"> | undefined {
  const { stop, gatewayStatus, gatewayId, state, sentStop } = subscription;
  if (!stop || !gatewayId || isOverAtGateway(gatewayStatus)) return undefined;
  const sendAt = earlier(openEndOf(subscription), sendBeforeMs);
  if (sendAt && sendAt > now) return undefined;
  // Only a cycle that is running has an end to wait for.
  const wanted = state === "active" && gatewayStatus === "active" ? "at-end" : "now";
  return reach[wanted] > reach[sentStop] ? wanted : undefined;
}

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
  const sendAt = earlier(openEndOf(subscription), sendBeforeMs);
  return paidThrough && paidThrough > now ? earliest(sendAt, endOf(subscription), paidThrough) : after(hourMs / 4);
}
