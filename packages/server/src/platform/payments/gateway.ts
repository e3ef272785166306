/** The gateway's subscription states. */
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
  /** End of the current cycle, even an unpaid one: it proves no payment. */
  currentEnd: Date | null;
  /** It changes to another plan at the next cycle. */
  hasScheduledChange: boolean;
  /** Our notes, set at creation. */
  notes: Record<string, string>;
};

export type GatewayInvoice = {
  id: string;
  subscriptionId: string | null;
  /** Links to every attempt to pay it. */
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
  /** How much of it was refunded. */
  refundedMinor: number;
  currency: string;
  invoiceId: string | null;
  at: Date;
};

export type NewGatewaySubscription = {
  planId: string;
  /** The number of cycles. */
  totalCount: number;
  notes: Record<string, string>;
  /** How long the checkout can be paid. */
  expiresAt: Date;
  /** The time of the first charge; until then the checkout only authorises the card. Null: at the checkout. */
  startsAt: Date | null;
};

/** An event of the gateway, naming the subscription or payment to poll. Its copy of their state may be stale. */
export type GatewayEvent = { id: string; kind: string; subscriptionId: string | null; paymentId: string | null };

/**
 * The payment service. Amounts are in minor units. Every method that sends a request
 * @throws GatewayError
 */
export type PaymentGateway = {
  /** The configuration of the checkout in the browser. */
  readonly checkout: { key: string; script: string; isTest: boolean };
  fetchPlan(id: string): Promise<GatewayPlan>;
  /** Not idempotent: the gateway creates another one each time. */
  createSubscription(wanted: NewGatewaySubscription): Promise<GatewaySubscription>;
  fetchSubscription(id: string): Promise<GatewaySubscription>;
  /** Subscriptions to a plan created since then, newest first. */
  listSubscriptions(of: { planId: string; since: Date }): Promise<GatewaySubscription[]>;
  cancelSubscription(id: string, when: "now" | "cycle-end"): Promise<void>;
  /**
   * Schedules another plan of the same period and currency from the next cycle on, without a charge. Idempotent. The
   * gateway refuses it for subscriptions that are not running, and for some payment methods.
   */
  changePlanAtCycleEnd(id: string, planId: string): Promise<void>;
  /** The plan scheduled in this way. */
  fetchScheduledPlan(id: string): Promise<string>;
  fetchInvoice(id: string): Promise<GatewayInvoice>;
  /** Newest first, at most a hundred. */
  listInvoices(subscriptionId: string): Promise<GatewayInvoice[]>;
  fetchPayment(id: string): Promise<GatewayPayment>;
  /** Every attempt to pay an invoice, including failed ones. */
  listOrderPayments(orderId: string): Promise<GatewayPayment[]>;
  /** Refunds a part or all of it. Repeating a key refunds nothing more. More than was paid is refused. */
  refundPayment(id: string, refund: { amountMinor: number; key: string }): Promise<void>;
  /** Whether the checkout's response was signed for exactly this payment and subscription. */
  isCheckoutSigned(checkout: { paymentId: string; subscriptionId: string; signature: string }): boolean;
  /** The event in a webhook; undefined if the signature is not the gateway's. */
  readWebhook(webhook: { body: Buffer; signature: string; eventId: string }): GatewayEvent | undefined;
};

/** `unavailable`: no conclusive response, and the same call may succeed later. `refused`: a definite no. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly kind: "unavailable" | "refused";
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  constructor(kind: GatewayError["kind"], message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
  }
}
