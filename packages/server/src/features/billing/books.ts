import type { BillingCycle, Currency, PaidPlanName } from "@tintype/contract";
import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "../../platform/db/database.ts";
import { payments } from "./tables.ts";

/** Money that was taken, for the books. */
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
  /** What went back, in the gateway's own books. */
  refundedMinor: number;
};

/** What the gateway has returned of a payment, as far as it told us. */
export const refundedMinor = sql<number>`(case
  when ${payments.status} = 'refunded' then ${payments.amountMinor}
  when ${payments.refund} = 'done'
    then least(${payments.amountMinor}, ${payments.refundedBeforeMinor} + coalesce(${payments.refundMinor}, ${payments.amountMinor}))
  else 0 end)`;

/** The columns of a payment that conditions are about. */
export const { id: paymentId, at: paidAt, accountId: payer } = payments;

// An index has each of the two.
/** Money was taken, and the books have no invoice of it. */
export const isUninvoiced = sql`not ${payments.isInvoiced} and ${payments.status} <> 'failed'`;
/** The books have an invoice, and something of it went back. */
export const isReturned = sql`${payments.isInvoiced} and (${payments.status} = 'refunded' or ${payments.refund} = 'done')`;

export async function markInvoiced(tx: Transaction, id: string): Promise<void> {
  await tx.update(payments).set({ isInvoiced: true }).where(eq(payments.id, id));
}

/** Payments that a condition holds for, the oldest first. */
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
