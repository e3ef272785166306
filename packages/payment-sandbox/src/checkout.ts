import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { readCard, testCards } from "./cards.ts";
import { payAtCheckout } from "./lifecycle.ts";
import type { SandboxKeys } from "./rest.ts";
import type { Clock, Store } from "./store.ts";
import { signatureOf } from "./webhooks.ts";

type CheckoutOptions = {
  store: Store;
  clock: Clock;
  keys: SandboxKeys;
  /** Called after a checkout has recorded events. */
  onEvents(): void;
};

const about = z.object({ key_id: z.string(), subscription_id: z.string() });
const entered = about.extend({ number: z.string().max(40), expiry: z.string().max(10), code: z.string().max(10) });

/** The window is an iframe in the page that opened it, and connects only to us. */
const windowPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const files = {
  "checkout.js": "text/javascript; charset=utf-8",
  "window.js": "text/javascript; charset=utf-8",
  "window.css": "text/css; charset=utf-8",
  "window.html": "text/html; charset=utf-8",
} as const;

/** Everything that a browser needs to pay: the checkout's script, its window, and the window's two endpoints. */
export function mountCheckout(scope: FastifyInstance, { store, clock, keys, onEvents }: CheckoutOptions): void {
  for (const [name, type] of Object.entries(files)) {
    const content = readFileSync(new URL(`browser/${name}`, import.meta.url));
    scope.get(`/${name}`, async (_request, reply) => {
      if (name === "window.html") allowFrame(reply);
      return reply.header("cache-control", "no-cache").type(type).send(content);
    });
  }

  scope.get("/checkout/offer", async ({ query }, reply) => {
    const { key_id, subscription_id } = about.parse(query);
    const found = key_id === keys.keyId ? await store.find("subscription", subscription_id) : undefined;
    if (!found) return refuse(reply, "This payment link is not known.");
    const { entity, plan, startsLater } = found;
    const isOpen =
      entity.status === "created" && (entity.expire_by ?? Number.POSITIVE_INFINITY) * 1000 > clock.now().getTime();
    if (!isOpen) return refuse(reply, "This subscription cannot be paid any more.");
    return {
      // A subscription that starts later charges nothing today: the card is only verified.
      amount: startsLater ? 0 : plan.amount,
      currency: plan.currency,
      period: plan.period,
      recurring: plan.amount,
      starts_at: startsLater ? entity.start_at : null,
      cards: testCards.map(({ number, label }) => ({ number, label })),
    };
  });

  scope.post("/checkout/pay", async ({ body }, reply) => {
    const { key_id, subscription_id, ...typed } = entered.parse(body ?? {});
    if (key_id !== keys.keyId) return refuse(reply, "This payment link is not known.");
    const card = readCard(typed, clock.now());
    if ("wrong" in card) return refuse(reply, card.wrong);
    const paid = await store.change(subscription_id, (subscription) =>
      payAtCheckout(subscription, { card, now: Math.floor(clock.now().getTime() / 1000) }),
    );
    if (!paid) return refuse(reply, "This subscription cannot be paid any more.");
    onEvents();
    const { payment } = paid;
    if (payment.status === "failed")
      return refuse(reply, payment.error_description ?? "", {
        payment_id: payment.id,
        ...(payment.order_id === null ? {} : { order_id: payment.order_id }),
      });
    const signature = signatureOf(`${payment.id}|${subscription_id}`, keys.keySecret);
    return {
      razorpay_payment_id: payment.id,
      razorpay_subscription_id: subscription_id,
      razorpay_signature: signature,
    };
  });
}

function allowFrame(reply: FastifyReply): void {
  reply.header("content-security-policy", windowPolicy);
  reply.header("x-frame-options", "SAMEORIGIN");
}

/** The error as the checkout's `payment.failed` passes it; `metadata` names the payment if one was attempted. */
const refuse = (reply: FastifyReply, description: string, metadata: Record<string, string> = {}): FastifyReply =>
  reply.code(400).send({
    error: {
      code: "BAD_REQUEST_ERROR",
      description,
      source: "payment_id" in metadata ? "bank" : "customer",
      step: "payment_authorization",
      reason: "payment_failed",
      metadata,
    },
  });
