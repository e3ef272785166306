import { and, asc, desc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "../../platform/db/database.ts";
import { type GatewayStatus, gatewayStatuses } from "../../platform/payments/gateway.ts";
import { currentRequestId } from "../../platform/request-id.ts";
import type { PriceMove, Stop, Subscription } from "./subscription.ts";
import { payments, subscriptions } from "./tables.ts";

type Row = typeof subscriptions.$inferSelect;

const isStatus = (value: string): value is GatewayStatus => gatewayStatuses.some((one) => one === value);

const fromRow = (row: Row): Subscription => ({
  id: row.id,
  accountId: row.accountId,
  gatewayId: row.gatewayId,
  gatewayPlanId: row.gatewayPlanId,
  plan: row.plan,
  cycle: row.cycle,
  currency: row.currency,
  amountMinor: row.amountMinor,
  formerAmountMinor: row.formerAmountMinor,
  move: moveOf(row),
  state: row.state,
  startsAt: row.startsAt,
  replaces: row.replaces,
  paidThrough: row.paidThrough,
  gatewayStatus: isStatus(row.gatewayStatus) ? row.gatewayStatus : "created",
  seenAt: row.seenAt,
  stop: stopOf(row),
  sentStop: row.sentStop,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
});

function stopOf({ stopReason, stoppedAt, stopEndsBy, stopRefundsFrom }: Row): Stop | null {
  if (!stopReason || !stoppedAt) return null;
  return { reason: stopReason, at: stoppedAt, endsBy: stopEndsBy, refundsFrom: stopRefundsFrom };
}

function moveOf(row: Row): PriceMove | null {
  const { moveAmountMinor, movePlanId, moveFrom, moveNotBefore, moveAnnouncedAt, moveState } = row;
  if (moveAmountMinor === null || !movePlanId || !moveFrom || !moveNotBefore || !moveAnnouncedAt || !moveState)
    return null;
  return {
    amountMinor: moveAmountMinor,
    gatewayPlanId: movePlanId,
    from: moveFrom,
    notBefore: moveNotBefore,
    announcedAt: moveAnnouncedAt,
    state: moveState,
  };
}

const toRow = ({ stop, move, ...rest }: Subscription) => ({
  ...rest,
  moveAmountMinor: move?.amountMinor ?? null,
  movePlanId: move?.gatewayPlanId ?? null,
  moveFrom: move?.from ?? null,
  moveNotBefore: move?.notBefore ?? null,
  moveAnnouncedAt: move?.announcedAt ?? null,
  moveState: move?.state ?? null,
  stopReason: stop?.reason ?? null,
  stoppedAt: stop?.at ?? null,
  stopEndsBy: stop?.endsBy ?? null,
  stopRefundsFrom: stop?.refundsFrom ?? null,
});

export async function subscriptionsOf(db: Queryable, accountId: string): Promise<Subscription[]> {
  const rows = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.accountId, accountId))
    .orderBy(asc(subscriptions.createdAt), asc(subscriptions.id));
  return rows.map(fromRow);
}

export async function findSubscription(
  db: Queryable,
  by: { id: string } | { gatewayId: string },
): Promise<Subscription | undefined> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where("id" in by ? eq(subscriptions.id, by.id) : eq(subscriptions.gatewayId, by.gatewayId));
  return row && fromRow(row);
}

/** Inserts a new one. Until the given time only the caller may create it at the gateway. */
export async function insertSubscription(
  tx: Transaction,
  claimedUntil: Date,
  subscription: Subscription,
): Promise<void> {
  const requestId = currentRequestId() ?? null;
  await tx.insert(subscriptions).values({ ...toRow(subscription), claimedUntil, wakeAt: claimedUntil, requestId });
}

/**
 * Writes a decision; `wakeAt` is the next poll. The gateway's id is written only by `keepGatewayId`, which holds no lock:
 * a decision based on an earlier read must not overwrite it.
 */
export async function saveSubscription(tx: Queryable, subscription: Subscription, wakeAt: Date | null): Promise<void> {
  const { id, gatewayId: _, ...values } = toRow(subscription);
  await tx
    .update(subscriptions)
    .set({ ...values, wakeAt, misses: 0 })
    .where(eq(subscriptions.id, id));
}

/** Subscriptions due for a poll, longest overdue first. */
export async function dueSubscriptions(db: Queryable, now: Date): Promise<Subscription[]> {
  const rows = await db
    .select()
    .from(subscriptions)
    .where(lte(subscriptions.wakeAt, now))
    .orderBy(asc(subscriptions.wakeAt))
    .limit(200);
  return rows.map(fromRow);
}

/** After the gateway did not respond: one minute, doubled each time, up to an hour. */
export async function postponePoll(db: Queryable, id: string, now: Date): Promise<void> {
  await db
    .update(subscriptions)
    .set({
      misses: sql`${subscriptions.misses} + 1`,
      wakeAt: sql`${now.toISOString()}::timestamptz + make_interval(mins => least(60, power(2, least(${subscriptions.misses}, 6))::int))`,
    })
    .where(eq(subscriptions.id, id));
}

/** Polls it then, or sooner. */
export async function pollBy(db: Queryable, id: string, at: Date): Promise<void> {
  const wakeAt = sql`least(${subscriptions.wakeAt}, ${at.toISOString()}::timestamptz)`;
  await db.update(subscriptions).set({ wakeAt }).where(eq(subscriptions.id, id));
}

/** Checkouts that were open when the server stopped may have been paid since. */
export async function pollOpenNow(db: Queryable, now: Date): Promise<void> {
  await db
    .update(subscriptions)
    .set({ wakeAt: now })
    .where(and(eq(subscriptions.state, "open"), isNotNull(subscriptions.gatewayId)));
}

export type PaymentRow = typeof payments.$inferSelect;

export const paymentsOf = (db: Queryable, subscriptionId: string): Promise<PaymentRow[]> =>
  db.select().from(payments).where(eq(payments.subscriptionId, subscriptionId)).orderBy(desc(payments.at));

/** A charge attempt, as the gateway reports it. */
export type FetchedPayment = Pick<
  PaymentRow,
  "id" | "amountMinor" | "currency" | "status" | "isTest" | "at" | "coversFrom" | "coversUntil"
>;

/** Records a charge attempt, once per id. Its status only moves forward. */
export async function recordPayment(
  tx: Transaction,
  payment: FetchedPayment,
  subscription: Subscription,
): Promise<void> {
  const { accountId, id: subscriptionId, plan, cycle } = subscription;
  await tx
    .insert(payments)
    .values({
      ...payment,
      accountId,
      subscriptionId,
      plan,
      cycle,
      refund: "none",
      requestId: currentRequestId() ?? null,
    })
    .onConflictDoUpdate({
      target: payments.id,
      set: {
        status: payment.status,
        // The period stays known, whatever the price is now.
        coversFrom: sql`coalesce(excluded.covers_from, ${payments.coversFrom})`,
        coversUntil: sql`coalesce(excluded.covers_until, ${payments.coversUntil})`,
      },
      setWhere: sql`${payments.subscriptionId} = ${subscriptionId} and ${payments.status} <> 'refunded' and excluded.status <> 'failed'`,
    });
}

/**
 * Marks all or part of a payment for refund, once, on top of what the gateway refunded before. Returns whether this call did it.
 */
export async function wantRefund(
  tx: Transaction,
  {
    paymentId,
    amountMinor,
    refundedBeforeMinor = 0,
    now,
  }: { paymentId: string; amountMinor?: number; refundedBeforeMinor?: number; now: Date },
): Promise<boolean> {
  const marked = await tx
    .update(payments)
    .set({
      refund: "wanted",
      refundMinor: amountMinor ?? sql`${payments.amountMinor}`,
      refundedBeforeMinor,
      refundDueAt: now,
    })
    .where(and(eq(payments.id, paymentId), eq(payments.refund, "none"), eq(payments.status, "captured")))
    .returning({ id: payments.id });
  return marked.length > 0;
}

/** Reserves the creation at the gateway for the caller; false while another holds it, or if the subscription exists. */
export async function claimCreation(
  db: Queryable,
  id: string,
  { now, holdMs }: { now: Date; holdMs: number },
): Promise<boolean> {
  const claimed = await db
    .update(subscriptions)
    .set({ claimedUntil: new Date(now.getTime() + holdMs) })
    .where(
      and(
        eq(subscriptions.id, id),
        isNull(subscriptions.gatewayId),
        or(isNull(subscriptions.claimedUntil), lte(subscriptions.claimedUntil, now)),
      ),
    )
    .returning({ id: subscriptions.id });
  return claimed.length > 0;
}

export async function releaseClaim(db: Queryable, id: string): Promise<void> {
  await db.update(subscriptions).set({ claimedUntil: null }).where(eq(subscriptions.id, id));
}

/** Records the gateway's subscription and polls it soon: it may have been paid meanwhile, or abandoned here. */
export async function keepGatewayId(
  db: Queryable,
  id: string,
  { gatewayId, now }: { gatewayId: string; now: Date },
): Promise<void> {
  await db
    .update(subscriptions)
    .set({ gatewayId, claimedUntil: null, wakeAt: new Date(now.getTime() + 60_000) })
    .where(eq(subscriptions.id, id));
}
