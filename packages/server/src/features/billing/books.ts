import type { BillingCycle, Currency, PaidPlanName } from "@tintype/contract";
import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "../../platform/db/database.ts";
import { payments } from "./tables.ts";

/** A payment, for the books. */
export type BookedPayment = {
  id: string;
  accountId: string | null;
  plan: PaidPlanName;
  cycle: BillingCycle;
  amountMinor: number;
  currency: Currency;
  isTest: boolean;
  at: Date;
  coversFrom: Date | null;
  coversUntil: Date | null;
  /** What was refunded, by the gateway's records. */
  refundedMinor: number;
};

/** What the gateway is known to have refunded of a payment. */
export const refundedMinor = sql<number>`(case
  when ${payments.status} = 'refunded' then ${payments.amountMinor}
  when ${payments.refund} = 'done'
    then least(${payments.amountMinor}, ${payments.refundedBeforeMinor} + coalesce(${payments.refundMinor}, ${payments.amountMinor}))
  else 0 end)`;

/** The payment columns used in conditions. */
export const { id: paymentId, at: paidAt, accountId: payer } = payments;

// Each of the two has a matching index.
/** A payment was captured, and the books have no invoice for it. */
export const isUninvoiced = sql`not ${payments.isInvoiced} and ${payments.status} <> 'failed'`;
/** A payment with an invoice that was refunded at least in part. */
export const isReturned = sql`${payments.isInvoiced} and (${payments.status} = 'refunded' or ${payments.refund} = 'done')`;

export async function markInvoiced(tx: Transaction, id: string): Promise<void> {
  await tx.update(payments).set({ isInvoiced: true }).where(eq(payments.id, id));
}

/** Payments that match a condition, oldest first. */
export async function bookedPayments(
  db: Queryable,
  condition: SQL | undefined,
  { limit }: { limit?: number } = {},
): Promise<BookedPayment[]> {
  const { id, accountId, plan, cycle, amountMinor, currency, isTest, at, coversFrom, coversUntil } = payments;
  const found = db
    .select({ id, accountId, plan, cycle, amountMinor, currency, isTest, at, coversFrom, coversUntil, refundedMinor })
    .from(payments)
    .where(condition)
    .orderBy(asc(at), asc(id));
  return limit === undefined ? found : found.limit(limit);
}
