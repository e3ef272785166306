import type { BillingCycle, Currency, PaidPlanName } from "@tintype/contract";
import { and, asc, ne, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "../../platform/db/database.ts";
import { payments } from "./tables.ts";

/** Money that was taken, for the books. */
export type BookedPayment = {
  id: string;
  accountId: string | null;
  plan: PaidPlanName;
  cycle: BillingCycle;
  amountMinor: number;
  currency: Currency;
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

/** The payment of a row, for conditions. */
export const paymentId = payments.id;
export const paidAt = payments.at;

/** Payments that a condition holds for, the oldest first; those that failed are none. */
export function bookedPayments(
  db: Queryable,
  condition: SQL | undefined,
  { limit }: { limit: number },
): Promise<BookedPayment[]> {
  const { id, accountId, plan, cycle, amountMinor, currency, at, coversFrom, coversUntil } = payments;
  return db
    .select({ id, accountId, plan, cycle, amountMinor, currency, at, coversFrom, coversUntil, refundedMinor })
    .from(payments)
    .where(and(ne(payments.status, "failed"), condition))
    .orderBy(asc(at), asc(id))
    .limit(limit);
}
