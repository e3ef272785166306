import { entityId, type InvoiceEntity, type PaymentEntity, type SandboxSubscription } from "./entities.ts";

type Billed = {
  at: number;
  from: number | null;
  to: number | null;
  type: "plan" | "addon";
  name: string;
  amount: number;
  currency: string;
};

/** What is owed for a cycle, or for an amount taken up front (then without a period). */
export function newInvoice(
  { shown }: SandboxSubscription,
  { at, from, to, type, name, amount, currency }: Billed,
): InvoiceEntity {
  return {
    id: entityId("inv"),
    entity: "invoice",
    type: "invoice",
    subscription_id: shown.id,
    order_id: entityId("order"),
    payment_id: null,
    status: "issued",
    amount,
    amount_paid: 0,
    amount_due: amount,
    currency,
    billing_start: from,
    billing_end: to,
    issued_at: at,
    paid_at: null,
    created_at: at,
    line_items: [{ name, type, amount, currency, quantity: 1 }],
    notes: [],
  };
}

/** An attempt to pay an invoice. */
export function newPayment(
  { card }: SandboxSubscription,
  { at, invoice, isPaid }: { at: number; invoice: InvoiceEntity; isPaid: boolean },
): PaymentEntity {
  return {
    id: entityId("pay"),
    entity: "payment",
    amount: invoice.amount,
    currency: invoice.currency,
    status: isPaid ? "captured" : "failed",
    order_id: invoice.order_id,
    invoice_id: invoice.id,
    international: false,
    method: "card",
    amount_refunded: 0,
    refund_status: null,
    captured: isPaid,
    description: invoice.line_items[0]?.name ?? "",
    card: { entity: "card", last4: card?.last4 ?? "0000", network: "Visa", type: "credit" },
    notes: [],
    error_code: isPaid ? null : "BAD_REQUEST_ERROR",
    error_description: isPaid ? null : "Your payment was declined by the bank.",
    error_source: isPaid ? null : "bank",
    error_step: isPaid ? null : "payment_authorization",
    error_reason: isPaid ? null : "payment_failed",
    created_at: at,
  };
}

export const paidInvoice = (invoice: InvoiceEntity, { id, created_at }: PaymentEntity): InvoiceEntity => ({
  ...invoice,
  status: "paid",
  payment_id: id,
  paid_at: created_at,
  amount_paid: invoice.amount,
  amount_due: 0,
});
