/** The states of a subscription at the gateway. */
export const gatewayStatuses = [
  "created",
  "authenticated",
  "active",
  "pending",
  "halted",
  "cancelled",
  "paused",
  "expired",
  "completed",
] as const;
export type GatewayStatus = (typeof gatewayStatuses)[number];

export type GatewayPlan = { id: string; period: string; interval: number; amountMinor: number; currency: string };

export type GatewaySubscription = {
  id: string;
  planId: string;
  status: GatewayStatus;
  /** End of the cycle under way; of an unpaid one too: it proves no payment. */
  currentEnd: Date | null;
  /** It has another plan from the next cycle on. */
  hasScheduledChange: boolean;
  /** Our notes on it from its making. */
  notes: Record<string, string>;
};

export type GatewayInvoice = {
  id: string;
  subscriptionId: string | null;
  /** Every attempt to pay it is found by its order. */
  orderId: string | null;
  /** The payment that paid it. */
  paymentId: string | null;
  isPaid: boolean;
  /** The cycle it pays for; null for an amount that pays for none. */
  periodStart: Date | null;
  periodEnd: Date | null;
};

export type GatewayPayment = {
  id: string;
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  amountMinor: number;
  /** How much of it was given back. */
  refundedMinor: number;
  currency: string;
  invoiceId: string | null;
  at: Date;
};

export type NewGatewaySubscription = {
  planId: string;
  /** How many cycles it goes on for. */
  totalCount: number;
  notes: Record<string, string>;
  /** Until when the checkout can be paid. */
  expiresAt: Date;
  /** When the first charge is: until then the checkout only authorises the card. Null: at the checkout. */
  startsAt: Date | null;
};

/** An event the gateway told us: which subscription or payment to look at again. Its picture of them may be old. */
export type GatewayEvent = { id: string; kind: string; subscriptionId: string | null; paymentId: string | null };

/**
 * The service that takes the money. Amounts are in the currency's smallest unit. Every method that asks it
 * @throws GatewayError
 */
export type PaymentGateway = {
  /** The configuration of the checkout in the browser. */
  readonly checkout: { key: string; script: string; isTest: boolean };
  fetchPlan(id: string): Promise<GatewayPlan>;
  /** Not repeatable: the gateway makes another one each time. */
  createSubscription(wanted: NewGatewaySubscription): Promise<GatewaySubscription>;
  fetchSubscription(id: string): Promise<GatewaySubscription>;
  /** Those of a plan made since then, newest first. */
  listSubscriptions(of: { planId: string; since: Date }): Promise<GatewaySubscription[]>;
  cancelSubscription(id: string, when: "now" | "cycle-end"): Promise<void>;
  /**
   * Another plan of the same period and currency from the next cycle on; nothing is charged by it. Asked again, the same. The
   * gateway refuses it for subscriptions that are not running, and for some ways to pay.
   */
  changePlanAtCycleEnd(id: string, planId: string): Promise<void>;
  /** The plan that was scheduled so. */
  fetchScheduledPlan(id: string): Promise<string>;
  fetchInvoice(id: string): Promise<GatewayInvoice>;
  /** Newest first, a hundred at most. */
  listInvoices(subscriptionId: string): Promise<GatewayInvoice[]>;
  fetchPayment(id: string): Promise<GatewayPayment>;
  /** Every attempt to pay an invoice, also those that failed. */
  listOrderPayments(orderId: string): Promise<GatewayPayment[]>;
  /** A part or all of it. The same key again gives back nothing more; more than was paid is refused. */
  refundPayment(id: string, refund: { amountMinor: number; key: string }): Promise<void>;
  /** Whether the checkout's answer was signed for this very payment and subscription. */
  isCheckoutSigned(checkout: { paymentId: string; subscriptionId: string; signature: string }): boolean;
  /** The event in a webhook, or undefined where the signature is not the gateway's. */
  readWebhook(webhook: { body: Buffer; signature: string; eventId: string }): GatewayEvent | undefined;
};

/** `unavailable`: no answer, or none that says anything; the same call may succeed later. `refused`: the answer is no. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly kind: "unavailable" | "refused";
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  constructor(kind: GatewayError["kind"], message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
  }
}
