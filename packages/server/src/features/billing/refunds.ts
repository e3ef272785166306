import { DomainError, formatPrice } from "@tintype/contract";
import { and, eq, lte, sql } from "drizzle-orm";
import type { Transaction } from "../../platform/db/database.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import { lockAccount } from "../accounts/accounts.ts";
import { type ApplyDependencies, applyIn } from "./apply.ts";
import { writeAudit } from "./audit.ts";
import { refundedMail } from "./mails.ts";
import { planStateOf } from "./plan-state.ts";
import type { ReconcileDependencies } from "./reconcile.ts";
import { findSubscription, subscriptionsOf, wantRefund } from "./store.ts";
import type { Subscription } from "./subscription.ts";
import { payments } from "./tables.ts";
import { minRefundMinor } from "./unused.ts";

const pauseMs = (tries: number) => Math.min(6 * 3_600_000, 60_000 * 2 ** tries);

/**
 * Sends refunds. One idempotency key per payment: the gateway executes a repeated request once. A refusal means that the
 * payment was already refunded; anything else is retried.
 */
export async function sendRefunds({ db, clock, gateway, log, meter }: ReconcileDependencies): Promise<void> {
  const due = await db
    .select()
    .from(payments)
    .where(and(eq(payments.refund, "wanted"), lte(payments.refundDueAt, clock.now())))
    .limit(50);
  for (const { id, accountId, subscriptionId, refundTries, refundedBeforeMinor, ...payment } of due) {
    const amountMinor = payment.refundMinor ?? payment.amountMinor;
    const now = clock.now();
    try {
      const problem = await gateway.refundPayment(id, { amountMinor, key: `tintype_refund_${id}` }).then(
        () => undefined,
        (refused: unknown) => refused,
      );
      // Whatever the response was, the gateway's record of the payment counts.
      const shown = await gateway.fetchPayment(id);
      if (shown.refundedMinor < refundedBeforeMinor + amountMinor)
        throw problem ?? new GatewayError("unavailable", `${id} is not refunded`);
      const status = shown.status === "refunded" ? "refunded" : "captured";
      const isFirst = await db.transaction(async (tx) => {
        // Two processes may have asked the gateway at once: one of them records it.
        const marked = await tx
          .update(payments)
          .set({
            refund: "done",
            status,
            // A refund on the dashboard may have preceded ours, known only to the gateway.
            refundedBeforeMinor: Math.max(0, shown.refundedMinor - amountMinor),
            refundDueAt: null,
          })
          .where(and(eq(payments.id, id), eq(payments.refund, "wanted")))
          .returning({ id: payments.id });
        if (marked.length === 0) return false;
        await writeAudit(tx, {
          at: now,
          kind: "refunded",
          accountId,
          subscriptionId,
          detail: { paymentId: id, amountMinor },
        });
        return true;
      });
      if (isFirst) meter.countRefund("done");
    } catch (problem) {
      meter.countRefund("failed");
      log.error({ err: problem, payment: id }, "cannot refund a payment yet");
      await db
        .update(payments)
        .set({
          refundTries: sql`${payments.refundTries} + 1`,
          refundDueAt: new Date(now.getTime() + pauseMs(refundTries)),
        })
        .where(and(eq(payments.id, id), eq(payments.refund, "wanted")));
    }
  }
}

export type ManualRefund = { paymentId: string; amountMinor: number; endsPlan: boolean };

/**
 * How much of a payment the gateway has already refunded. A refund made on its dashboard leaves no trace in our rows.
 * @throws not-found; conflict when the gateway does not know the payment; unavailable when it does not respond
 */
export async function refundedAtGateway(
  { db, gateway }: Pick<ReconcileDependencies, "db" | "gateway">,
  paymentId: string,
): Promise<number> {
  const [found] = await db.select({ id: payments.id }).from(payments).where(eq(payments.id, paymentId));
  if (!found) throw new DomainError("not-found");
  try {
    return (await gateway.fetchPayment(paymentId)).refundedMinor;
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem;
    if (problem.kind === "refused")
      throw new DomainError("conflict", { detail: "The payment gateway does not know this payment.", cause: problem });
    throw new DomainError("unavailable", {
      detail: "The payment gateway is not responding, so nothing was refunded. Please try again shortly.",
      cause: problem,
    });
  }
}

/**
 * Marks a payment for refund, in whole or in part, and on request ends the plan that it paid for. The person gets a mail.
 * A payment is refunded once. Returns the subscriptions whose cancellation must be sent to the gateway.
 * @throws not-found; invalid-request for more than was paid; conflict when it failed or was refunded, when less than the
 * amount is left at the gateway, when part of a running period would be refunded while its plan continues, or when the
 * plan to end has ended
 */
export async function refundPayment(
  tx: Transaction,
  { clock, origin }: Pick<ApplyDependencies, "clock" | "origin">,
  { paymentId, amountMinor, endsPlan, refundedBeforeMinor }: ManualRefund & { refundedBeforeMinor: number },
): Promise<Subscription[]> {
  const [found] = await tx.select().from(payments).where(eq(payments.id, paymentId));
  if (!found) throw new DomainError("not-found");
  // Lock the account first, as everywhere.
  const account = found.accountId === null ? undefined : await lockAccount(tx, found.accountId);
  const subscription = await findSubscription(tx, { id: found.subscriptionId });
  if (!subscription) throw new DomainError("not-found");
  if (amountMinor > found.amountMinor)
    throw new DomainError("invalid-request", {
      field: "amount_minor",
      detail: `The payment was ${formatPrice(found)}. Enter no more than that.`,
    });
  const now = clock.now();
  if (!(await wantRefund(tx, { paymentId, amountMinor, refundedBeforeMinor, now })))
    throw new DomainError("conflict", { detail: "This payment failed, or was refunded before." });
  const leftMinor = found.amountMinor - refundedBeforeMinor;
  if (amountMinor > leftMinor) throw new DomainError("conflict", { detail: leftText(found, leftMinor) });
  // A payment is refunded once: after a partial refund, an upgrade could not refund its unused days.
  const isRunning = subscription.state !== "ended" && found.coversUntil !== null && found.coversUntil > now;
  if (!endsPlan && amountMinor < leftMinor && isRunning)
    throw new DomainError("conflict", {
      detail:
        "The plan still runs on this payment, and after a partial refund its unused days could not be refunded at an upgrade. Refund the whole payment, end the plan, or add credits.",
    });
  const about = { at: now, accountId: found.accountId, subscriptionId: subscription.id };
  await writeAudit(tx, { ...about, kind: "refund-by-operator", detail: { paymentId, amountMinor, endsPlan } });
  if (account?.email)
    await putMail(
      tx,
      {
        key: `refunded:${paymentId}`,
        accountId: account.id,
        message: refundedMail(account, { subscription, origin, amountMinor }),
      },
      now,
    );
  if (!endsPlan) return [];
  const { current, next } = planStateOf(account ? await subscriptionsOf(tx, account.id) : []);
  if (current?.id !== subscription.id)
    throw new DomainError("conflict", { detail: "The plan that this payment was for has ended already." });
  const stop = { reason: "cancelled", at: now, refundsFrom: null } as const;
  if (next)
    await applyIn(
      tx,
      { clock, origin },
      { subscriptionId: next.id, event: { kind: "stop", stop: { ...stop, endsBy: null } } },
    );
  return applyIn(
    tx,
    { clock, origin },
    { subscriptionId: subscription.id, event: { kind: "stop", stop: { ...stop, endsBy: now } } },
  );
}

function leftText({ amountMinor, currency }: typeof payments.$inferSelect, leftMinor: number): string {
  const refunded = formatPrice({ amountMinor: amountMinor - leftMinor, currency });
  const rest =
    leftMinor < minRefundMinor
      ? "Nothing more can be refunded."
      : `Enter no more than ${formatPrice({ amountMinor: leftMinor, currency })}.`;
  return `The gateway has refunded ${refunded} of this payment already. ${rest}`;
}
