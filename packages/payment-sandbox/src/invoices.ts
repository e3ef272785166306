import { entityId, type InvoiceEntity, type PaymentEntity, type SandboxSubscription } from "./entities.ts";

type Billed = {
  at: number;
  from: number | null;
  to: number | null;
  amount: number;
  currency: string;
};

/** The invoice for a cycle. */
export function newInvoice({ entity }: SandboxSubscription, { at, from, to, amount, currency }: Billed): InvoiceEntity {
  return {
    id: entityId("inv"),
    entity: "invoice",
    type: "invoice",
    subscription_id: entity.id,
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
    line_items: [{ name: "Plan", type: "plan", amount, currency, quantity: 1 }],
    notes: [],
  };
}

/** A small charge that verifies a card. It belongs to no invoice. */
type CardCheck = { amount: number; currency: string };

/** An attempt to pay an invoice, or to verify a card. */
export function newPayment(
  { card }: SandboxSubscription,
  { at, isPaid, ...of }: { at: number; isPaid: boolean } & ({ invoice: InvoiceEntity } | { check: CardCheck }),
): PaymentEntity {
  const invoice = "invoice" in of ? of.invoice : null;
  const { amount, currency } = "invoice" in of ? of.invoice : of.check;
  return {
    id: entityId("pay"),
    entity: "payment",
    amount,
    currency,
    status: isPaid ? "captured" : "failed",
    order_id: invoice?.order_id ?? null,
    invoice_id: invoice?.id ?? null,
    international: false,
    method: "card",
    amount_refunded: 0,
    refund_status: null,
    captured: isPaid,
    description: invoice ? "Plan" : "Card check",
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
