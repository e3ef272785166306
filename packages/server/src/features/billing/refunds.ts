import { and, eq, lte, sql } from "drizzle-orm";
import { GatewayError } from "../../platform/payments/gateway.ts";
import { writeAudit } from "./audit.ts";
import type { Reconciling } from "./reconcile.ts";
import { payments } from "./tables.ts";

const pauseMs = (tries: number) => Math.min(6 * 3_600_000, 60_000 * 2 ** tries);

/**
 * Sends money back. One key a payment: the gateway carries a repeated request out once. Refused means that the money
 * went back before; anything else is tried again.
 */
export async function sendRefunds({ db, clock, gateway, log }: Reconciling): Promise<void> {
  const due = await db
    .select()
    .from(payments)
    .where(and(eq(payments.refund, "wanted"), lte(payments.refundDueAt, clock.now())))
    .limit(50);
  for (const { id, accountId, subscriptionId, refundTries, amountMinor: paidMinor, refundMinor } of due) {
    const amountMinor = refundMinor ?? paidMinor;
    const now = clock.now();
    try {
      const problem = await gateway.refundPayment(id, { amountMinor, key: `tintype_refund_${id}` }).then(
        () => undefined,
        (refused: unknown) => refused,
      );
      // Whatever the answer was: what the gateway shows counts.
      const shown = await gateway.fetchPayment(id);
      if (shown.refundedMinor < amountMinor) throw problem ?? new GatewayError("unavailable", `${id} is not refunded`);
      const status = shown.status === "refunded" ? "refunded" : "captured";
      await db.transaction(async (tx) => {
        await tx.update(payments).set({ refund: "done", status, refundDueAt: null }).where(eq(payments.id, id));
        await writeAudit(tx, {
          at: now,
          kind: "refunded",
          accountId,
          subscriptionId,
          detail: { paymentId: id, amountMinor },
        });
      });
    } catch (problem) {
      log.error({ err: problem, payment: id }, "a payment could not be refunded yet");
      await db
        .update(payments)
        .set({
          refundTries: sql`${payments.refundTries} + 1`,
          refundDueAt: new Date(now.getTime() + pauseMs(refundTries)),
        })
        .where(eq(payments.id, id));
    }
  }
}
