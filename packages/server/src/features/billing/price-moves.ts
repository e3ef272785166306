import { addCycles, type BillingCycle, prices } from "@tintype/contract";
import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { PriceChanges } from "../../platform/brand/plan-rules.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { mailState } from "../../platform/mail-outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import { offerKey } from "../../platform/payments/plan-ids.ts";
import { lockAccount } from "../accounts/accounts.ts";
import { applyEvent, applyIn } from "./apply.ts";
import { announcedKey, undelivered } from "./effects.ts";
import type { Selling } from "./session.ts";
import { findSubscription } from "./store.ts";
import type { PriceMove, Subscription } from "./subscription.ts";
import { payments } from "./tables.ts";

// Who has a plan keeps its price, unless the brand file names a day from which they pay the present one. README.md has the order.

export type MovingPrices = Selling & { priceChanges: PriceChanges };

const dayMs = 86_400_000;
/** The mail goes out so long before the notice begins: a server that is down for less moves no date. */
const leadMs = 14 * dayMs;
/** A mail that is older is sent anew, with its notice: nobody remembers it, and the outbox will not (`forgetMails`). */
const mailCountsMs = 80 * dayMs;
/** The gateway hears of it so long before the renewal. Banks are told of a charge a day or more before it. */
const sendBeforeMs = 3 * dayMs;

/** The first renewal at a moment or after it. The last days of months follow from the day on which the first period began. */
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

type Wanted = {
  /** The present price and its plan at the gateway; undefined where nobody is moved to it. */
  target: { amountMinor: number; gatewayPlanId: string; since: Date } | undefined;
  noticeDays: number;
  anchor: Date | undefined;
  now: Date;
};

/** What the operator's file asks of a subscription now: another move, null to take one back, undefined for nothing. */
export function decideMove(
  subscription: Subscription,
  { target, noticeDays, anchor, now }: Wanted,
): PriceMove | null | undefined {
  const { amountMinor, move, paidThrough, cycle } = subscription;
  // The gateway has it, or may have it.
  if (subscription.state === "ended" || move?.state === "scheduled" || move?.state === "sending") return undefined;
  if (!target || target.amountMinor === amountMinor) return move ? null : undefined;
  const isOld = move?.state === "announced" && now.getTime() - move.announcedAt.getTime() > mailCountsMs;
  const isSame = move?.amountMinor === target.amountMinor && target.since <= move.from && !isOld;
  if (isSame || !isMovable(subscription, now) || !paidThrough) return undefined;
  const isDearer = target.amountMinor > amountMinor;
  const noticeEnd = new Date(now.getTime() + (isDearer ? noticeDays : 1) * dayMs);
  const notBefore = target.since > noticeEnd ? target.since : noticeEnd;
  const from = firstRenewalFrom(notBefore, { paidThrough, cycle, anchor });
  const isDue = from.getTime() - now.getTime() <= noticeDays * dayMs + leadMs;
  // Whoever was told of another price or day hears at once of this one.
  if (!isDue && move?.state !== "announced") return undefined;
  const { gatewayPlanId } = target;
  return { amountMinor: target.amountMinor, gatewayPlanId, from, notBefore, announcedAt: now, state: "announced" };
}

/** It is paid for, and goes on. What is to end is moved only if it is kept, and what is to begin first begins as it was sold. */
const isMovable = ({ state, stop, gatewayStatus, gatewayId, paidThrough }: Subscription, now: Date): boolean =>
  state === "active" &&
  !stop &&
  gatewayStatus === "active" &&
  gatewayId !== null &&
  paidThrough !== null &&
  paidThrough > now;

/** Whether the gateway has to be sent a move now, for the renewal that is next. */
export function isMoveDue(subscription: Subscription, now: Date): boolean {
  const { move, paidThrough } = subscription;
  if (!move || move.state === "refused" || !paidThrough || !isMovable(subscription, now)) return false;
  if (paidThrough < move.notBefore || paidThrough.getTime() - now.getTime() > sendBeforeMs) return false;
  // A renewal went by at the old price all the same: it is looked whether the gateway still has the change.
  return move.state !== "scheduled" || paidThrough > move.from;
}

/**
 * Moves a subscription to the present price of its plan, as far as it is time: the mail, and after the notice the change at the
 * gateway. Each step is written down before the next begins, and may be repeated.
 * @throws GatewayError
 */
export async function movePrice(use: MovingPrices, subscriptionId: string): Promise<void> {
  const { db, clock } = use;
  const found = await findSubscription(db, { id: subscriptionId });
  if (!found?.accountId || (!use.priceChanges.from[found.plan] && !found.move)) return;
  const { accountId } = found;
  const moved = await db.transaction((tx) => announce(tx, use, { subscriptionId, accountId }));
  const isAnnounced = moved?.move && moved.move.announcedAt.getTime() !== found.move?.announcedAt.getTime();
  if (isAnnounced) use.meter.countPriceChange("announced");
  if (moved && isMoveDue(moved, clock.now())) await send(use, moved);
}

/** Puts the mail in the outbox in the transaction that writes the move down. Answers the subscription after it. */
async function announce(
  tx: Parameters<typeof applyIn>[0],
  use: MovingPrices,
  { subscriptionId, accountId }: { subscriptionId: string; accountId: string },
): Promise<Subscription | undefined> {
  const account = await lockAccount(tx, accountId);
  const subscription = await findSubscription(tx, { id: subscriptionId });
  // Nobody pays more without a mail.
  if (!account?.email || !subscription) return undefined;
  const move = decideMove(subscription, {
    target: targetOf(subscription, use),
    noticeDays: use.priceChanges.noticeDays,
    anchor: await firstDayOf(tx, subscriptionId),
    now: use.clock.now(),
  });
  if (move === undefined) return subscription;
  const after = await applyIn(tx, use, { subscriptionId, event: { kind: "move", move } });
  return after.find(({ id }) => id === subscriptionId);
}

/** Undefined where the plan keeps its old prices, or is not sold in their currency any more. */
function targetOf({ plan, cycle, currency }: Subscription, { priceChanges, planIds }: MovingPrices): Wanted["target"] {
  const since = priceChanges.from[plan];
  const amountMinor = prices[plan][cycle][currency];
  const gatewayPlanId = planIds.get(offerKey({ plan, cycle, currency }));
  return since && amountMinor !== undefined && gatewayPlanId !== undefined
    ? { amountMinor, gatewayPlanId, since }
    : undefined;
}

/** The day on which its first period began. */
async function firstDayOf(db: Queryable, subscriptionId: string): Promise<Date | undefined> {
  const [first] = await db
    .select({ from: payments.coversFrom })
    .from(payments)
    .where(and(eq(payments.subscriptionId, subscriptionId), isNotNull(payments.coversFrom)))
    .orderBy(asc(payments.coversFrom))
    .limit(1);
  return first?.from ?? undefined;
}

async function send(use: MovingPrices, { id: subscriptionId, amountMinor, move }: Subscription): Promise<void> {
  const { db, gateway, log, meter } = use;
  if (!move) return;
  const note = async (state: PriceMove["state"], reason?: string) => {
    const event = { kind: "move" as const, move: { ...move, state }, ...(reason === undefined ? {} : { reason }) };
    const after = (await applyEvent(use, { subscriptionId, event })).find(({ id }) => id === subscriptionId);
    return after?.move?.announcedAt.getTime() === move.announcedAt.getTime() ? after : undefined;
  };
  const refuse = async (reason: string) => {
    log.error({ subscription: subscriptionId, reason }, "a subscription keeps its old price");
    await note("refused", reason);
    meter.countPriceChange("refused");
  };
  if (move.state === "announced" && move.amountMinor > amountMinor) {
    const mail = await mailState(db, announcedKey(subscriptionId, move.announcedAt));
    if (mail === "failed") return refuse(undelivered);
    if (mail !== "sent") return;
  }
  // The gateway's plan has the price that the mail named.
  await use.checkPlans();
  // From here on the file cannot take it back: the gateway may have it although we hear nothing.
  const sending = await note("sending");
  if (!sending?.gatewayId) return;
  const { gatewayId, gatewayPlanId } = sending;
  const found = await gateway.fetchSubscription(gatewayId);
  if (found.status !== "active" || found.planId !== gatewayPlanId) return;
  // An earlier attempt of which we did not hear the end may have scheduled it.
  const scheduled = found.hasScheduledChange ? await gateway.fetchScheduledPlan(gatewayId) : undefined;
  if (scheduled !== move.gatewayPlanId) {
    try {
      await gateway.changePlanAtCycleEnd(gatewayId, move.gatewayPlanId);
    } catch (problem) {
      if (!(problem instanceof GatewayError) || problem.kind !== "refused") throw problem;
      // Refused because it stopped running meanwhile: that is looked at again.
      if ((await gateway.fetchSubscription(gatewayId)).status !== "active") return;
      return refuse(problem.message);
    }
  }
  await note("scheduled");
  meter.countPriceChange("scheduled");
}
