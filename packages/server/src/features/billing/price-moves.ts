import { addCycles, type BillingCycle, prices } from "@tintype/contract";
import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { PriceChanges } from "../../platform/brand/plan-rules.ts";
import { dayMs, utcDay } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { mailState } from "../../platform/mail-outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import { offerKey } from "../../platform/payments/plan-ids.ts";
import { lockAccount } from "../accounts/accounts.ts";
import { applyIn } from "./apply.ts";
import { announcedKey, undelivered } from "./effects.ts";
import type { CheckoutDependencies } from "./session.ts";
import { findSubscription } from "./store.ts";
import type { PriceMove, Subscription } from "./subscription.ts";
import { payments } from "./tables.ts";

// A subscription keeps its price, unless the brand file sets a day from which it pays the current one. README.md has the order of steps.

export type PriceMoveDependencies = CheckoutDependencies & { priceChanges: PriceChanges };

/** The mail goes out this long before the notice starts: a shorter outage moves no date. */
const leadMs = 14 * dayMs;
/** An older mail is sent again, with a new notice, because the outbox deletes its row (`forgetMails`). */
const mailValidityMs = 80 * dayMs;
/** During a release two processes may have different files: neither may at once withdraw what the other has announced. */
const announcementLockMs = dayMs;
/** Sent to the gateway this long before the renewal: it announces a charge to banks a day or more ahead. */
const sendBeforeMs = 3 * dayMs;

/** The first renewal at or after a given time. Month ends follow from the day on which the first period started. */
export function firstRenewalFrom(
  earliest: Date,
  { paidThrough, cycle, anchor }: { paidThrough: Date; cycle: BillingCycle; anchor: Date | undefined },
): Date {
  const renewals = (start: Date, since: Date) => {
    for (let count = 0; ; count++) {
      const at = addCycles(start, { cycle, count });
      if (at >= since) return at;
    }
  };
  const isAnchored = anchor && renewals(anchor, paidThrough).getTime() === paidThrough.getTime();
  return renewals(isAnchored ? anchor : paidThrough, paidThrough > earliest ? paidThrough : earliest);
}

type MoveRequest = {
  /** The current price and its plan at the gateway; undefined if no subscription moves to it. */
  target: { amountMinor: number; gatewayPlanId: string; since: Date } | undefined;
  noticeDays: number;
  anchor: Date | undefined;
  now: Date;
};

/** The change that the operator's file requires: a new move, null to withdraw one, undefined for none. */
export function decideMove(
  subscription: Subscription,
  { target, noticeDays, anchor, now }: MoveRequest,
): PriceMove | null | undefined {
  const { amountMinor, move, paidThrough, cycle } = subscription;
  // The gateway has the move, or may have it.
  if (subscription.state === "ended" || move?.state === "scheduled" || move?.state === "sending") return undefined;
  const sinceMailMs = move ? now.getTime() - move.announcedAt.getTime() : undefined;
  const mayReplace = sinceMailMs === undefined || sinceMailMs >= announcementLockMs;
  if (!target || target.amountMinor === amountMinor) return move && mayReplace ? null : undefined;
  const isSame = move?.amountMinor === target.amountMinor && target.since <= move.from;
  if (move && isSame && (move.state === "refused" || (sinceMailMs ?? 0) <= mailValidityMs))
    // The same price under another gateway plan needs no mail.
    return move.state === "announced" && move.gatewayPlanId !== target.gatewayPlanId
      ? { ...move, gatewayPlanId: target.gatewayPlanId }
      : undefined;
  if (!mayReplace || !isMovable(subscription, now) || !paidThrough) return undefined;
  const isPriceIncrease = target.amountMinor > amountMinor;
  const noticeEnd = new Date(now.getTime() + (isPriceIncrease ? noticeDays : 1) * dayMs);
  const notBefore = target.since > noticeEnd ? target.since : noticeEnd;
  const from = firstRenewalFrom(notBefore, { paidThrough, cycle, anchor });
  const isNear = (at: Date) => at.getTime() - now.getTime() <= noticeDays * dayMs + leadMs;
  // A correction of an announced price or date is mailed at once; a reminder only shortly before the date.
  const isTime = move?.state === "announced" ? !isSame || isNear(move.from) : isNear(from);
  if (!isTime) return undefined;
  const { gatewayPlanId } = target;
  return { amountMinor: target.amountMinor, gatewayPlanId, from, notBefore, announcedAt: now, state: "announced" };
}

/**
 * It is paid and continues. One that is to end is moved only if it is kept, and one that has yet to start starts at the
 * price it was sold at.
 */
const isMovable = ({ state, stop, gatewayStatus, gatewayId, paidThrough }: Subscription, now: Date): boolean =>
  state === "active" &&
  !stop &&
  gatewayStatus === "active" &&
  gatewayId !== null &&
  paidThrough !== null &&
  paidThrough > now;

/** Whether a move has to be sent to the gateway now, for the next renewal. */
export function isMoveDue(subscription: Subscription, now: Date): boolean {
  const { move, paidThrough } = subscription;
  if (!move || move.state === "refused" || move.state === "scheduled" || !paidThrough) return false;
  // Never before the day that the mail names, wherever the gateway's months end.
  if (paidThrough < move.notBefore || utcDay(paidThrough) < utcDay(move.from)) return false;
  return isMovable(subscription, now) && paidThrough.getTime() - now.getTime() <= sendBeforeMs;
}

/**
 * Moves a subscription to the current price of its plan as far as is due: the mail, and after the notice the change at the
 * gateway. Each step is recorded before the next starts, and may be repeated.
 * @throws GatewayError
 */
export async function movePrice(dependencies: PriceMoveDependencies, subscriptionId: string): Promise<void> {
  const { db, clock } = dependencies;
  const found = await findSubscription(db, { id: subscriptionId });
  if (!found?.accountId || (!dependencies.priceChanges.from[found.plan] && !found.move)) return;
  const { accountId } = found;
  const moved = await db.transaction((tx) => announce(tx, dependencies, { subscriptionId, accountId }));
  const isAnnounced = moved?.move && moved.move.announcedAt.getTime() !== found.move?.announcedAt.getTime();
  if (isAnnounced) dependencies.meter.countPriceChange("announced");
  if (moved && isMoveDue(moved, clock.now())) await send(dependencies, moved);
}

/** Puts the mail in the outbox in the transaction that records the move. Returns the subscription after it. */
async function announce(
  tx: Parameters<typeof applyIn>[0],
  dependencies: PriceMoveDependencies,
  { subscriptionId, accountId }: { subscriptionId: string; accountId: string },
): Promise<Subscription | undefined> {
  const account = await lockAccount(tx, accountId);
  const subscription = await findSubscription(tx, { id: subscriptionId });
  // No one pays more without a mail.
  if (!account?.email || !subscription) return undefined;
  const move = decideMove(subscription, {
    target: targetOf(subscription, dependencies),
    noticeDays: dependencies.priceChanges.noticeDays,
    anchor: await firstDayOf(tx, subscriptionId),
    now: dependencies.clock.now(),
  });
  if (move === undefined) return subscription;
  const after = await applyIn(tx, dependencies, { subscriptionId, event: { kind: "move", move } });
  return after.find(({ id }) => id === subscriptionId);
}

/** Undefined if the plan keeps its old prices, or is no longer sold in their currency. */
function targetOf(
  { plan, cycle, currency }: Subscription,
  { priceChanges, planIds }: PriceMoveDependencies,
): MoveRequest["target"] {
  const since = priceChanges.from[plan];
  const amountMinor = prices[plan][cycle][currency];
  const gatewayPlanId = planIds.get(offerKey({ plan, cycle, currency }));
  return since && amountMinor !== undefined && gatewayPlanId !== undefined
    ? { amountMinor, gatewayPlanId, since }
    : undefined;
}

/** The day on which its first period started. */
async function firstDayOf(db: Queryable, subscriptionId: string): Promise<Date | undefined> {
  const [first] = await db
    .select({ from: payments.coversFrom })
    .from(payments)
    .where(and(eq(payments.subscriptionId, subscriptionId), isNotNull(payments.coversFrom)))
    .orderBy(asc(payments.coversFrom))
    .limit(1);
  return first?.from ?? undefined;
}

async function send(dependencies: PriceMoveDependencies, subscription: Subscription): Promise<void> {
  const { db, gateway, log, meter, priceChanges } = dependencies;
  const { id: subscriptionId, accountId, gatewayId, amountMinor, move, paidThrough } = subscription;
  if (!move || !accountId || !gatewayId || !paidThrough) return;
  /** Returns whether it was recorded; false if another process was faster. */
  const note = (state: PriceMove["state"], reason?: string): Promise<boolean> =>
    db.transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const known = (await findSubscription(tx, { id: subscriptionId }))?.move;
      const isKnown = known?.announcedAt.getTime() === move.announcedAt.getTime();
      if (!isKnown || !canBecome(known.state, state)) return false;
      const event = { kind: "move" as const, move: { ...known, state }, ...(reason === undefined ? {} : { reason }) };
      await applyIn(tx, dependencies, { subscriptionId, event });
      return true;
    });
  const refuse = async (reason: string) => {
    if (!(await note("refused", reason))) return;
    log.error({ subscription: subscriptionId, reason }, "a subscription keeps its old price");
    meter.countPriceChange("refused");
  };
  if (move.state === "announced" && move.amountMinor > amountMinor) {
    const mail = await mailState(db, announcedKey(subscriptionId, move.announcedAt));
    if (mail?.state === "failed") return refuse(undelivered);
    // The notice starts when the mail is sent, however long that took. Otherwise a later renewal is the first at the new price.
    if (!mail?.sentAt || paidThrough.getTime() - mail.sentAt.getTime() < priceChanges.noticeDays * dayMs) return;
  }
  const hasIt = async () => {
    const found = await gateway.fetchSubscription(gatewayId);
    if (found.status !== "active" || found.planId !== subscription.gatewayPlanId) return undefined;
    return found.hasScheduledChange && (await gateway.fetchScheduledPlan(gatewayId)) === move.gatewayPlanId;
  };
  // An earlier attempt without a response may have scheduled it.
  const known = await hasIt();
  if (known === undefined) return;
  await checkPlan(dependencies, subscription, move);
  // From here on the file cannot withdraw it: the gateway may have it even without a response.
  if (!(await note("sending"))) return;
  if (!known)
    try {
      await gateway.changePlanAtCycleEnd(gatewayId, move.gatewayPlanId);
    } catch (problem) {
      if (!(problem instanceof GatewayError) || problem.kind !== "refused") throw problem;
      // Refused because the subscription stopped running, or because another process was faster.
      const after = await hasIt();
      if (after === undefined) return;
      if (!after) return refuse(problem.message);
    }
  if (await note("scheduled")) meter.countPriceChange("scheduled");
}

/** A state may be written again after a crash, but never one that precedes the gateway's response. */
const canBecome = (from: PriceMove["state"], to: PriceMove["state"]): boolean =>
  to === "sending"
    ? from === "announced" || from === "sending"
    : from === "sending" || (from === "announced" && to === "refused");

/** @throws Error if the gateway's plan does not have the price that the mail announced */
async function checkPlan(
  { gateway }: PriceMoveDependencies,
  { currency, cycle }: Subscription,
  { gatewayPlanId, amountMinor }: PriceMove,
): Promise<void> {
  const plan = await gateway.fetchPlan(gatewayPlanId);
  if (plan.amountMinor !== amountMinor || plan.currency !== currency || plan.period !== cycle)
    throw new Error(`The gateway's plan ${gatewayPlanId} is not the ${cycle} price that was announced.`);
}
