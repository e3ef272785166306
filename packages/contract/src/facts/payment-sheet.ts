import { formatDay } from "./format-day.ts";
import { priceLocale } from "./locale.ts";
import { type BillingCycle, type Currency, type PaidPlanName, planLabels } from "./plan.ts";

type Payment = {
  id: string;
  at: string;
  plan: PaidPlanName;
  billing_cycle: BillingCycle;
  amount_minor: number;
  refunded_minor: number;
  currency: Currency;
  status: "captured" | "failed" | "refunded";
  is_test: boolean;
};

/** The texts and amounts of a payment's receipt. The page and the PDF show exactly these. */
export type PaymentSheet = {
  title: string;
  notice: string | undefined;
  buyer: { label: string; name: string; email: string; address?: string };
  facts: readonly { label: string; value: string }[];
  item: string;
  amount: string;
  /** Shown between the item and the total: the net amount and each tax. */
  lines: readonly { label: string; amount: string }[];
  total: { label: string; currency: Currency };
  /** The refunded part of a payment that was not refunded in full. */
  returned: { label: string; amount: string } | undefined;
  closing: string;
};

/** `2026-03-10-9kQ2vX1a`: the day, and what tells payments of a day apart. It never changes, and needs no counter. */
const receiptNumberOf = ({ id, at }: Pick<Payment, "id" | "at">): string => `${at.slice(0, 10)}-${id.slice(-8)}`;

export function paymentSheetOf(
  payment: Payment,
  {
    product,
    seller,
    address,
    buyer,
  }: {
    /** The product's name, as set by the operator. */
    product: string;
    /** The payee. */
    seller: string;
    /** The payee's, if the operator has set it. */
    address?: string | undefined;
    buyer: { name: string; email: string };
  },
): PaymentSheet {
  const { id, at, plan, billing_cycle, amount_minor, refunded_minor, currency, status, is_test: isTest } = payment;
  // All amounts of one receipt are written alike: "$5.00" beside "$4.83".
  const hasCents = amount_minor % 100 !== 0 || refunded_minor % 100 !== 0;
  const format = new Intl.NumberFormat(priceLocale(currency), {
    style: "currency",
    currency,
    minimumFractionDigits: hasCents ? 2 : 0,
  });
  const priceOf = (amountMinor: number) => format.format(amountMinor / 100);
  return {
    title: "Receipt",
    notice: isTest ? "Test mode: no money was charged." : undefined,
    buyer: { label: "Paid by", ...buyer },
    facts: [
      { label: "Receipt number", value: receiptNumberOf(payment) },
      { label: "Paid to", value: [seller, address].filter(Boolean).join("\n") },
      { label: "Date", value: formatDay(at) },
      { label: "Payment ID", value: id },
    ],
    item: `${product} ${planLabels[plan]}, ${billing_cycle}`,
    amount: priceOf(amount_minor),
    lines: [],
    total: { label: status === "refunded" ? "Refunded" : "Paid", currency },
    returned:
      refunded_minor > 0 && status !== "refunded"
        ? { label: "Refunded for unused days", amount: priceOf(refunded_minor) }
        : undefined,
    closing: isTest ? "Paid with a test card. No card was charged." : "Paid by card through Razorpay.",
  };
}
