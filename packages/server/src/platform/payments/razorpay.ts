import { z } from "zod";
import type { GatewaySubscription, NewGatewaySubscription, PaymentGateway } from "./gateway.ts";
import * as entities from "./razorpay-entities.ts";
import { createRazorpayHttp, parseJson, type RazorpayHttpOptions } from "./razorpay-http.ts";
import { checkoutContent, isSigned } from "./signature.ts";

export type RazorpayOptions = RazorpayHttpOptions & {
  webhookSecret: string;
  /** The address of the checkout script for browsers. */
  checkoutScript: string;
  /** No money moves: the sandbox, or a test key. */
  isTest: boolean;
};

export const razorpayApi = "https://api.razorpay.com/v1";
export const razorpayCheckout = "https://checkout.razorpay.com/v1/checkout.js";

/** The maximum page size of a list. */
const pageSize = 100;
/** The search stops after this many pages of a plan's subscriptions. */
const maxPages = 20;
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** Razorpay's REST API, version 1. The sandbox implements the same API. */
export function createRazorpay(options: RazorpayOptions): PaymentGateway {
  const { keyId, keySecret, webhookSecret, checkoutScript, isTest } = options;
  const http = createRazorpayHttp(options);
  const get = <T extends z.ZodType>(schema: T, path: string, query: Record<string, string | number> = {}) =>
    http.call(schema, { method: "GET", path, query });
  const post = <T extends z.ZodType>(schema: T, path: string, body: unknown) =>
    http.call(schema, { method: "POST", path, body });

  return {
    checkout: { key: keyId, script: checkoutScript, isTest },
    fetchPlan: (id) => get(entities.plan, `/plans/${encodeURIComponent(id)}`),
    createSubscription: (wanted) => post(entities.subscription, "/subscriptions", subscriptionBody(wanted)),
    fetchSubscription: (id) => get(entities.subscription, `/subscriptions/${encodeURIComponent(id)}`),
    async listSubscriptions({ planId, since }) {
      const found: GatewaySubscription[] = [];
      for (let page = 0; page < maxPages; page++) {
        const { items } = await get(entities.listOf(entities.subscription), "/subscriptions", {
          plan_id: planId,
          from: seconds(since),
          count: pageSize,
          skip: page * pageSize,
        });
        found.push(...items);
        if (items.length < pageSize) break;
      }
      return found;
    },
    async cancelSubscription(id, when) {
      await post(z.object({ id: z.string() }), `/subscriptions/${encodeURIComponent(id)}/cancel`, {
        cancel_at_cycle_end: when === "cycle-end" ? 1 : 0,
      });
    },
    async changePlanAtCycleEnd(id, planId) {
      await http.call(z.object({ id: z.string() }), {
        method: "PATCH",
        path: `/subscriptions/${encodeURIComponent(id)}`,
        body: { plan_id: planId, schedule_change_at: "cycle_end", customer_notify: 0 },
      });
    },
    async fetchScheduledPlan(id) {
      const path = `/subscriptions/${encodeURIComponent(id)}/retrieve_scheduled_changes`;
      return (await get(z.object({ plan_id: z.string() }), path)).plan_id;
    },
    fetchInvoice: (id) => get(entities.invoice, `/invoices/${encodeURIComponent(id)}`),
    async listInvoices(subscriptionId) {
      const query = { subscription_id: subscriptionId, count: pageSize };
      return (await get(entities.listOf(entities.invoice), "/invoices", query)).items;
    },
    fetchPayment: (id) => get(entities.payment, `/payments/${encodeURIComponent(id)}`),
    async listOrderPayments(orderId) {
      return (await get(entities.listOf(entities.payment), `/orders/${encodeURIComponent(orderId)}/payments`)).items;
    },
    async refundPayment(id, { amountMinor, key }) {
      await http.call(z.object({ id: z.string() }), {
        method: "POST",
        path: `/payments/${encodeURIComponent(id)}/refund`,
        headers: { "x-refund-idempotency": key },
        // A repeat under the same key must be byte-identical.
        body: { amount: amountMinor, receipt: key },
      });
    },
    isCheckoutSigned: ({ signature, ...checkout }) =>
      isSigned(checkoutContent(checkout), { signature, secret: keySecret }),
    readWebhook({ body, signature, eventId }) {
      if (eventId === "" || !isSigned(body, { signature, secret: webhookSecret })) return undefined;
      const parsed = entities.event.safeParse(parseJson(body.toString("utf8")));
      if (!parsed.success) return { id: eventId, kind: "unreadable", subscriptionId: null, paymentId: null };
      const { event, payload } = parsed.data;
      return {
        id: eventId,
        kind: event,
        subscriptionId: payload.subscription?.entity.id ?? null,
        paymentId: payload.payment?.entity.id ?? null,
      };
    },
  };
}

function subscriptionBody({ planId, totalCount, notes, expiresAt, startsAt }: NewGatewaySubscription): object {
  return {
    plan_id: planId,
    total_count: totalCount,
    quantity: 1,
    // We notify people ourselves.
    customer_notify: 0,
    expire_by: seconds(expiresAt),
    notes,
    ...(startsAt ? { start_at: seconds(startsAt) } : {}),
  };
}
