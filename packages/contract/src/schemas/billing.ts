import { z } from "zod";
import { billingCycles, currencies, paidPlanNames, planNames } from "../facts/plan.ts";
import { changeModes, transactionStatuses } from "../facts/subscription.ts";
import { userInfo } from "./account.ts";

export const location = z.object({ country: z.string().nullable(), currency: z.enum(currencies) });
export const paymentKey = z.object({ key: z.string() });

const minor = z.int().min(0).meta({ description: "In the currency's smallest unit." });
export const planChange = z.object({ plan_id: z.enum(paidPlanNames), billing_cycle: z.enum(billingCycles) });
const changeQuote = z.object({
  mode: z.enum(changeModes),
  begins_at: z.iso.datetime(),
  charge_today_minor: minor,
  price_minor: minor.meta({ description: "The charge per period." }),
  currency: z.enum(currencies),
  next_charge_at: z.iso.datetime().meta({ description: "The date of the next charge after today's." }),
  refund: z
    .object({
      plan: z.enum(paidPlanNames),
      days: z.int().meta({ description: "The paid days that are unused." }),
      amount_minor: minor,
      currency: z.enum(currencies),
    })
    .nullable()
    .meta({ description: "The refund to the card that paid for the current plan." }),
});
export type ChangeQuote = z.infer<typeof changeQuote>;
export const changeQuotes = z.object({
  ways: z.array(changeQuote).meta({ description: "The ways to start the plan, the default first." }),
});

export const createPaymentSession = planChange.extend({
  email: z.string().optional(),
  mode: z.enum(changeModes).optional().meta({ description: "Default: at renewal if a paid plan is active." }),
  agreed: z
    .object({
      charge_today_minor: minor,
      refund_minor: minor,
      price_minor: minor.optional(),
      currency: z.enum(currencies).optional(),
    })
    .optional()
    .meta({
      description: "The amounts that were shown to the customer. If they have changed, the request is refused.",
    }),
});
export const paymentSession = z.object({ payment_gateway: z.literal("razorpay"), subscription_id: z.string() });

/** Clients send `payment_status` as docs/product.md says. The server trusts only the signature and the gateway. */
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
export const kept = userInfo.pick({
  plan: true,
  next_plan: true,
  next_billing_date: true,
  can_switch: true,
  subscription_id: true,
  subscription_status: true,
  billing_cycle: true,
  renewal_date: true,
  keep_until: true,
  price: true,
  next_price: true,
});
export const cancelled = z.object({ cancel_at: z.iso.datetime() });

export const transaction = z.object({
  id: z.string().meta({ description: "The payment's id at the gateway." }),
  at: z.iso.datetime(),
  plan: z.enum(paidPlanNames),
  billing_cycle: z.enum(billingCycles),
  amount_minor: z.int().meta({ description: "In the currency's smallest unit." }),
  currency: z.enum(currencies),
  status: z.enum(transactionStatuses),
  is_test: z.boolean().meta({ description: "Made in the gateway's test mode: no money moved." }),
  refunded_minor: minor.meta({ description: "The amount refunded or being refunded." }),
});
export type Transaction = z.infer<typeof transaction>;
export const transactions = z.object({ transactions: z.array(transaction), next: z.string().nullable() });
