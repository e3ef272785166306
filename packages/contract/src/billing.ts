import { z } from "zod";
import { billingCycles, currencies, paidPlanNames, planNames } from "./plan.ts";

export const location = z.object({ country: z.string().nullable(), currency: z.enum(currencies) });
export const paymentKey = z.object({ key: z.string() });

export const createPaymentSession = z.object({
  plan_id: z.enum(paidPlanNames),
  billing_cycle: z.enum(billingCycles),
  email: z.string().optional(),
});
export const paymentSession = z.object({ payment_gateway: z.literal("razorpay"), subscription_id: z.string() });

/** `payment_status` is what SPEC.md's client says; the signature and the gateway are what the server believes. */
export const upgradePlan = z.object({
  plan: z.enum(paidPlanNames),
  billing_cycle: z.enum(billingCycles),
  payment_status: z.literal("success"),
  razorpay_payment_id: z.string().optional(),
  razorpay_subscription_id: z.string().optional(),
  razorpay_signature: z.string().optional(),
});
export const upgraded = z.object({
  plan: z.enum(planNames),
  next_plan: z.enum(planNames).nullable(),
  next_billing_date: z.iso.datetime().nullable(),
});
export const cancelled = z.object({ cancel_at: z.iso.datetime() });

export const transactionStatuses = ["captured", "failed", "refunded"] as const;
export const transaction = z.object({
  id: z.string().meta({ description: "The gateway's id of the payment." }),
  at: z.iso.datetime(),
  plan: z.enum(paidPlanNames),
  billing_cycle: z.enum(billingCycles),
  amount_minor: z.int().meta({ description: "Smallest unit of the currency." }),
  currency: z.enum(currencies),
  status: z.enum(transactionStatuses),
});
export type Transaction = z.infer<typeof transaction>;
export const transactions = z.object({ transactions: z.array(transaction), next: z.string().nullable() });

/** `formatDay("2026-03-10T12:00:00Z")` is `March 10, 2026`, the UTC day, as it stands in texts and mails. */
export const formatDay = (at: Date | string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date(at));
