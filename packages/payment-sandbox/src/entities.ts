import { randomInt } from "node:crypto";
import type { BillingCycle } from "@tintype/contract";
import type { CardBehaviour } from "./cards.ts";

// The gateway's entities as its API returns them, with its spelling. Times are Unix seconds.

/** The states of a subscription. */
type SubscriptionStatus =
  | "created"
  | "authenticated"
  | "active"
  | "pending"
  | "halted"
  | "cancelled"
  | "expired"
  | "completed";

export type SubscriptionEntity = {
  id: string;
  entity: "subscription";
  plan_id: string;
  customer_id: string | null;
  status: SubscriptionStatus;
  current_start: number | null;
  current_end: number | null;
  ended_at: number | null;
  quantity: number;
  notes: Record<string, string> | never[];
  charge_at: number | null;
  start_at: number | null;
  end_at: number | null;
  auth_attempts: number;
  total_count: number;
  paid_count: number;
  customer_notify: boolean;
  created_at: number;
  expire_by: number | null;
  short_url: null;
  has_scheduled_changes: boolean;
  change_scheduled_at: number | null;
  source: "api";
  payment_method: "card" | null;
  offer_id: null;
  remaining_count: number;
};

export type InvoiceEntity = {
  id: string;
  entity: "invoice";
  type: "invoice";
  subscription_id: string;
  order_id: string;
  payment_id: string | null;
  status: "issued" | "paid";
  amount: number;
  amount_paid: number;
  amount_due: number;
  currency: string;
  billing_start: number | null;
  billing_end: number | null;
  issued_at: number;
  paid_at: number | null;
  created_at: number;
  line_items: { name: string; type: "plan"; amount: number; currency: string; quantity: number }[];
  notes: never[];
};

export type PaymentEntity = {
  id: string;
  entity: "payment";
  amount: number;
  currency: string;
  status: "captured" | "failed" | "refunded";
  order_id: string | null;
  invoice_id: string | null;
  international: false;
  method: "card";
  amount_refunded: number;
  refund_status: "full" | "partial" | null;
  captured: boolean;
  description: string;
  card: { entity: "card"; last4: string; network: string; type: string };
  notes: never[];
  error_code: string | null;
  error_description: string | null;
  error_source: string | null;
  error_step: string | null;
  error_reason: string | null;
  created_at: number;
};

export type PlanEntity = {
  id: string;
  entity: "plan";
  interval: number;
  period: BillingCycle;
  item: { id: string; active: true; name: string; amount: number; unit_amount: number; currency: string; type: "plan" };
  notes: never[];
  created_at: number;
};

/** The sandbox's record of a subscription, beyond what the API has. */
export type SandboxSubscription = {
  entity: SubscriptionEntity;
  plan: { amount: number; currency: string; period: BillingCycle };
  /** The plan from the next cycle on, if an update is scheduled. */
  nextPlan?: { id: string; amount: number } | undefined;
  /** The checkout only verifies the card; the first charge is at `start_at`. */
  startsLater: boolean;
  card: { behaviour: CardBehaviour; last4: string } | null;
  cancelsAtEnd: boolean;
  /** Cycles that were charged or attempted. */
  cycles: number;
  /** Attempts to charge the open invoice, and when the next one is due. */
  attempts: number;
  retryAt: number | null;
  openInvoice: InvoiceEntity | null;
};

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** `pay_` and fourteen letters and digits, like the gateway's. */
export const entityId = (prefix: string): string =>
  `${prefix}_${Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)]).join("")}`;

/** A plan that can be subscribed to. Amounts are in the currency's minor unit. */
export type PlanOnSale = { id: string; name: string; period: BillingCycle; amountMinor: number; currency: string };

/** A plan as the API returns it. */
export const planEntity = ({ id, name, period, amountMinor, currency }: PlanOnSale): PlanEntity => ({
  id,
  entity: "plan",
  interval: 1,
  period,
  item: {
    id: id.replace("plan_", "item_"),
    active: true,
    name,
    amount: amountMinor,
    unit_amount: amountMinor,
    currency,
    type: "plan",
  },
  notes: [],
  created_at: Date.UTC(2026, 0, 1) / 1000,
});
