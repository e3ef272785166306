import { formatDay } from "./format-day.ts";
import { type BillingCycle, type Currency, formatPrice, type PaidPlanName, planLabels } from "./plan.ts";

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

export function paymentSheetOf(
  payment: Payment,
  {
    product,
    seller,
    buyer,
  }: {
    /** The product's name, as set by the operator. */
    product: string;
    /** The payee. */
    seller: string;
    buyer: { name: string; email: string };
  },
): PaymentSheet {
  const { id, at, plan, billing_cycle, amount_minor, refunded_minor, currency, status, is_test: isTest } = payment;
  const priceOf = (amountMinor: number) => formatPrice({ amountMinor, currency });
  return {
    title: "Receipt",
    notice: isTest ? "Test mode: no money was charged." : undefined,
    buyer: { label: "Paid by", ...buyer },
    facts: [
      { label: "Paid to", value: seller },
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
