import { dayMs } from "../../platform/clock.ts";
import type { BookedPayment } from "./books.ts";

/** A payment for a period. */
export type PaidPeriod = Pick<BookedPayment, "id" | "amountMinor" | "currency" | "coversFrom" | "coversUntil"> & {
  status: "captured" | "failed" | "refunded";
  refund: "none" | "wanted" | "done";
};

export type UnusedTime = { days: number; amountMinor: number };

/** The gateway refunds no less than one whole unit of a currency. */
export const minRefundMinor = 100;

/**
 * The price of a period's remaining whole days at a given time. A day that has started counts as used, and fractions of
 * the minor unit are not refunded.
 */
export function unusedOf({ amountMinor, status, refund, coversFrom, coversUntil }: PaidPeriod, at: Date): UnusedTime {
  if (status !== "captured" || refund !== "none" || !coversFrom || !coversUntil) return { days: 0, amountMinor: 0 };
  const daysOf = (ms: number) => Math.max(0, ms / dayMs);
  const total = Math.max(1, Math.round(daysOf(coversUntil.getTime() - coversFrom.getTime())));
  const days = Math.min(total, Math.floor(daysOf(coversUntil.getTime() - at.getTime())));
  const unusedMinor = Math.floor((amountMinor * days) / total);
  return unusedMinor < minRefundMinor ? { days: 0, amountMinor: 0 } : { days, amountMinor: unusedMinor };
}

/** The part of all payments for the replaced subscription that an upgrade at a given time refunds. */
export function unusedOfAll(payments: readonly PaidPeriod[], at: Date): UnusedTime {
  return payments
    .map((payment) => unusedOf(payment, at))
    .reduce((sum, one) => ({ days: sum.days + one.days, amountMinor: sum.amountMinor + one.amountMinor }), {
      days: 0,
      amountMinor: 0,
    });
}
