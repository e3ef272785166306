import type { Currency } from "@tintype/contract";

/** Money that was taken for a period. */
export type PaidPeriod = {
  id: string;
  amountMinor: number;
  currency: Currency;
  status: "captured" | "failed" | "refunded";
  refund: "none" | "wanted" | "done";
  coversFrom: Date | null;
  coversUntil: Date | null;
};

export type Unused = { days: number; amountMinor: number };

const dayMs = 86_400_000;

/** The gateway returns no less than one whole unit of a currency. */
export const leastRefundMinor = 100;

/**
 * The price of the whole days of a period that are still to come at a moment. A day that has begun counts as used,
 * and a fraction of the currency's smallest unit is not returned.
 */
export function unusedOf({ amountMinor, status, refund, coversFrom, coversUntil }: PaidPeriod, at: Date): Unused {
  if (status !== "captured" || refund !== "none" || !coversFrom || !coversUntil) return { days: 0, amountMinor: 0 };
  const daysOf = (ms: number) => Math.max(0, ms / dayMs);
  const total = Math.max(1, Math.round(daysOf(coversUntil.getTime() - coversFrom.getTime())));
  const days = Math.min(total, Math.floor(daysOf(coversUntil.getTime() - at.getTime())));
  const unusedMinor = Math.floor((amountMinor * days) / total);
  return unusedMinor < leastRefundMinor ? { days: 0, amountMinor: 0 } : { days, amountMinor: unusedMinor };
}

/** The part of all payments for the replaced subscription that an upgrade at a moment returns. */
export function unusedOfAll(payments: readonly PaidPeriod[], at: Date): Unused {
  return payments
    .map((payment) => unusedOf(payment, at))
    .reduce((sum, one) => ({ days: sum.days + one.days, amountMinor: sum.amountMinor + one.amountMinor }), {
      days: 0,
      amountMinor: 0,
    });
}
