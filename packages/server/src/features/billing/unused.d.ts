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
export type Unused = {
    days: number;
    amountMinor: number;
};
/**
 * The price of the whole days of a period that are still to come at a moment. A day that has begun counts as used,
 * and a fraction of the currency's smallest unit is not returned.
 */
export declare function unusedOf({ amountMinor, status, refund, coversFrom, coversUntil }: PaidPeriod, at: Date): Unused;
/** The part of all payments for the replaced subscription that an upgrade at a moment returns. */
export declare function unusedOfAll(payments: readonly PaidPeriod[], at: Date): Unused;
