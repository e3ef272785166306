import { z } from "zod";
import {
  type GatewayInvoice,
  type GatewayPayment,
  type GatewayPlan,
  type GatewaySubscription,
  gatewayStatuses,
} from "./gateway.ts";

/** Seconds since 1970. */
const unixTime = z
  .number()
  .nullish()
  .transform((seconds) => (typeof seconds === "number" ? new Date(seconds * 1000) : null));
const id = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
/** An empty object arrives as an empty list. */
const notes = z
  .union([z.record(z.string(), z.union([z.string(), z.number()])), z.array(z.unknown())])
  .nullish()
  .transform((value) =>
    Object.fromEntries(
      Object.entries(Array.isArray(value) ? {} : (value ?? {})).map(([name, text]) => [name, String(text)]),
    ),
  );

// Razorpay's entities, as far as we read them (API reference: Plans, Subscriptions, Invoices, Payments).

export const plan = z
  .object({
    id: z.string(),
    period: z.string(),
    interval: z.number(),
    item: z.object({ amount: z.number(), currency: z.string() }),
  })
  .transform(
    ({ id, period, interval, item }): GatewayPlan => ({
      id,
      period,
      interval,
      amountMinor: item.amount,
      currency: item.currency,
    }),
  );

export const subscription = z
  .object({
    id: z.string(),
    plan_id: z.string(),
    status: z.enum(gatewayStatuses),
    current_end: unixTime,
    has_scheduled_changes: z.boolean().nullish(),
    notes,
  })
  .transform(
    ({ id, plan_id, status, current_end, has_scheduled_changes, notes }): GatewaySubscription => ({
      id,
      planId: plan_id,
      status,
      currentEnd: current_end,
      hasScheduledChange: has_scheduled_changes ?? false,
      notes,
    }),
  );

export const invoice = z
  .object({
    id: z.string(),
    subscription_id: id,
    order_id: id,
    payment_id: id,
    status: z.string(),
    billing_start: unixTime,
    billing_end: unixTime,
  })
  .transform(
    (one): GatewayInvoice => ({
      id: one.id,
      subscriptionId: one.subscription_id,
      orderId: one.order_id,
      paymentId: one.payment_id,
      isPaid: one.status === "paid",
      periodStart: one.billing_start,
      periodEnd: one.billing_end,
    }),
  );

export const payment = z
  .object({
    id: z.string(),
    status: z.enum(["created", "authorized", "captured", "refunded", "failed"]),
    amount: z.number(),
    amount_refunded: z.number().nullish(),
    currency: z.string(),
    invoice_id: id,
    created_at: z.number(),
  })
  .transform(
    (one): GatewayPayment => ({
      id: one.id,
      status: one.status,
      amountMinor: one.amount,
      refundedMinor: one.amount_refunded ?? (one.status === "refunded" ? one.amount : 0),
      currency: one.currency,
      invoiceId: one.invoice_id,
      at: new Date(one.created_at * 1000),
    }),
  );

export const listOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });

const named = z.object({ entity: z.object({ id: z.string() }) }).optional();
/** Only ids are read from a webhook; the state is polled. */
export const event = z.object({
  event: z.string(),
  payload: z.object({ subscription: named, payment: named }).default({}),
});
