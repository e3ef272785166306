import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sandboxKeys } from "@tintype/payment-sandbox";
import Razorpay from "razorpay";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { knownSecret, shopper } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { deriveKeys } from "../keys.ts";
import { GatewayError, type PaymentGateway } from "./gateway.ts";
import { createRazorpay } from "./razorpay.ts";
import { checkoutContent, signatureOf } from "./signature.ts";

const keys = sandboxKeys(deriveKeys(knownSecret).paymentSandbox);
const clock = heldClock();
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const planId = "plan_plusmonthlyUSD500";

const gatewayAt = (baseUrl: string, more: { timeoutMs?: number; keySecret?: string } = {}): PaymentGateway =>
  createRazorpay({ ...keys, ...more, baseUrl: () => baseUrl, checkoutScript: "/checkout.js", isTest: true });
const problemOf = async (work: Promise<unknown>): Promise<GatewayError> => {
  const problem = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(problem instanceof GatewayError)) throw new Error(`no GatewayError but ${String(problem)}`);
  return problem;
};

describe("the sandbox, held to what the gateway's own client expects", () => {
  let app: TestApp;
  let official: Razorpay;
  let ours: PaymentGateway;
  beforeAll(async () => {
    app = await startTestApp({ clock, environment: { TINTYPE_SECRET: knownSecret } });
    const baseUrl = `${app.baseUrl}/sandbox/razorpay`;
    official = new Razorpay({ key_id: keys.keyId, key_secret: keys.keySecret });
    // Its host is fixed, but its axios instance can be changed.
    const { api } = official as unknown as { api: { rq: { defaults: { baseURL: string } } } };
    api.rq.defaults.baseURL = baseUrl;
    ours = gatewayAt(`${baseUrl}/v1`);
  });
  afterAll(() => app.close());
  const pay = async (subscriptionId: string) =>
    (await shopper(app, app.caller()).pay(subscriptionId)).body.razorpay_payment_id;

  test("plans: what is sold, at its price", async () => {
    expect(await official.plans.fetch(planId)).toMatchObject({
      id: planId,
      entity: "plan",
      period: "monthly",
      interval: 1,
      item: { amount: 500, currency: "USD", active: true },
    });
    expect(await official.plans.all({ count: 100 })).toMatchObject({ entity: "collection", count: 12 });
    expect(await ours.fetchPlan(planId)).toEqual({
      id: planId,
      period: "monthly",
      interval: 1,
      amountMinor: 500,
      currency: "USD",
    });
  });

  test("a subscription's life: created, paid, found by its parts, cancelled at its end, cancelled now", async () => {
    const made = await official.subscriptions.create({
      plan_id: planId,
      total_count: 120,
      customer_notify: 0,
      expire_by: seconds(clock.now()) + 3600,
      notes: { ours: "bill_1" },
    });
    expect(made).toMatchObject({ entity: "subscription", status: "created", paid_count: 0, total_count: 120 });
    const paymentId = await pay(made.id);

    const found = await official.subscriptions.fetch(made.id);
    expect(found).toMatchObject({ status: "active", paid_count: 1, remaining_count: 119, notes: { ours: "bill_1" } });
    expect(await ours.fetchSubscription(made.id)).toEqual({
      id: made.id,
      planId,
      status: "active",
      currentEnd: new Date("2026-04-10T12:00:00Z"),
      hasScheduledChange: false,
      notes: { ours: "bill_1" },
    });
    const { items } = await official.invoices.all({ subscription_id: made.id });
    expect(items).toMatchObject([{ status: "paid", payment_id: paymentId, amount: 500, currency: "USD" }]);
    const payment = await official.payments.fetch(paymentId);
    expect(payment).toMatchObject({
      entity: "payment",
      status: "captured",
      captured: true,
      method: "card",
      amount: 500,
    });
    expect((await official.orders.fetchPayments(payment.order_id)).items).toMatchObject([{ id: paymentId }]);
    expect(await ours.listInvoices(made.id)).toMatchObject([{ paymentId, isPaid: true }]);

    expect(await official.subscriptions.cancel(made.id, true)).toMatchObject({ status: "active" });
    expect(await official.subscriptions.cancel(made.id, false)).toMatchObject({ status: "cancelled" });
    await expect(official.subscriptions.cancel(made.id, false)).rejects.toMatchObject({
      statusCode: 400,
      error: { code: "BAD_REQUEST_ERROR", description: expect.stringContaining("not cancellable in cancelled status") },
    });
  });

  test("another plan from the next cycle on: nothing is charged by it, and the renewal is at its price", async () => {
    const expiresAt = new Date(clock.now().getTime() + 86_400_000);
    const make = () => ours.createSubscription({ planId, totalCount: 120, notes: {}, expiresAt, startsAt: null });
    const other = "plan_promonthlyUSD1000";
    const refuses = async (
      id: string,
      description: string,
      body: object = { plan_id: other, schedule_change_at: "cycle_end" },
    ) => {
      await expect(official.subscriptions.update(id, body)).rejects.toMatchObject({
        statusCode: 400,
        error: { code: "BAD_REQUEST_ERROR", description: expect.stringContaining(description) },
      });
    };
    const { id } = await make();
    await refuses(id, "created state");
    await pay(id);
    await refuses(id, "does not exist", { plan_id: "plan_none", schedule_change_at: "cycle_end" });
    await refuses(id, "schedule_change_at", { plan_id: other, schedule_change_at: "later" });
    await refuses(id, "cycle_end only", { plan_id: other });
    await refuses(id, "currency", { plan_id: "plan_promonthlyINR84500", schedule_change_at: "cycle_end" });
    await refuses(id, "period", { plan_id: "plan_proyearlyUSD10800", schedule_change_at: "cycle_end" });
    await expect(official.subscriptions.pendingUpdate(id)).rejects.toMatchObject({ statusCode: 400 });
    for (let times = 0; times < 2; times++) await ours.changePlanAtCycleEnd(id, other);
    expect(await ours.fetchSubscription(id)).toMatchObject({ planId, hasScheduledChange: true, status: "active" });
    expect(await ours.fetchScheduledPlan(id)).toBe(other);
    expect(await official.subscriptions.pendingUpdate(id)).toMatchObject({
      id,
      plan_id: other,
      has_scheduled_changes: true,
    });
    expect(await ours.listInvoices(id)).toHaveLength(1);

    const fixed = (await make()).id;
    await shopper(app, app.caller()).pay(fixed, "4000 0000 0000 0507");
    await refuses(fixed, "payment method");

    clock.advance(32 * 86_400_000);
    await app.sweep();
    expect(await ours.fetchSubscription(id)).toMatchObject({
      planId: other,
      hasScheduledChange: false,
      status: "active",
    });
    const { items } = await official.invoices.all({ subscription_id: id });
    expect(items.map(({ amount }) => amount)).toEqual([1000, 500]);
    expect((await official.invoices.all({ subscription_id: fixed })).items).toMatchObject([
      { amount: 500 },
      { amount: 500 },
    ]);
  });

  test("one that starts later only checks the card, and takes the first cycle when it starts", async () => {
    const later = clock.now().getTime() + 30 * 86_400_000;
    const made = await ours.createSubscription({
      planId,
      totalCount: 120,
      notes: {},
      expiresAt: new Date(later),
      startsAt: new Date(later),
    });
    const paymentId = await pay(made.id);
    expect(await official.subscriptions.fetch(made.id)).toMatchObject({ status: "authenticated", paid_count: 0 });
    expect(await ours.fetchPayment(paymentId)).toMatchObject({ status: "refunded", invoiceId: null });
    expect(await ours.listInvoices(made.id)).toEqual([]);
    // There is no running cycle whose end it could wait for.
    await expect(official.subscriptions.cancel(made.id, true)).rejects.toMatchObject({ statusCode: 400 });
    expect(await official.subscriptions.cancel(made.id, false)).toMatchObject({ status: "cancelled" });
  });

  test("a payment goes back in parts, each once a key, and never more than was paid", async () => {
    const wanted = { planId, totalCount: 120, notes: {}, expiresAt: new Date(clock.now().getTime() + 86_400_000) };
    const paymentId = await pay((await ours.createSubscription({ ...wanted, startsAt: null })).id);
    const part = { amountMinor: 212, key: "tintype_refund_1" };
    await ours.refundPayment(paymentId, part);
    await ours.refundPayment(paymentId, part);
    expect(await ours.fetchPayment(paymentId)).toMatchObject({ status: "captured", refundedMinor: 212 });
    expect(await official.payments.fetch(paymentId)).toMatchObject({ refund_status: "partial", amount_refunded: 212 });
    const another = await problemOf(ours.refundPayment(paymentId, { ...part, amountMinor: 213 }));
    expect(another).toMatchObject({ kind: "refused", status: 400 });
    const tooMuch = await problemOf(ours.refundPayment(paymentId, { amountMinor: 289, key: "tintype_refund_2" }));
    expect(tooMuch).toMatchObject({ kind: "refused", status: 400 });
    expect(await official.payments.refund(paymentId, {})).toMatchObject({ entity: "refund", amount: 288 });
    expect(await ours.fetchPayment(paymentId)).toMatchObject({ status: "refunded", refundedMinor: 500 });
    const again = await problemOf(ours.refundPayment(paymentId, { amountMinor: 100, key: "tintype_refund_3" }));
    expect(again).toMatchObject({ kind: "refused", status: 400 });
  });

  test("lists are paged, and searched by plan and time", async () => {
    const before = (await ours.listSubscriptions({ planId, since: clock.now() })).length;
    for (const _ of [1, 2, 3]) await official.subscriptions.create({ plan_id: planId, total_count: 12 });
    expect(await ours.listSubscriptions({ planId, since: clock.now() })).toHaveLength(before + 3);
    expect(await official.subscriptions.all({ plan_id: planId, count: 2, skip: 1 })).toMatchObject({ count: 2 });
    expect(await ours.listSubscriptions({ planId, since: new Date(clock.now().getTime() + 1000) })).toEqual([]);
    expect(await ours.listSubscriptions({ planId: "plan_other", since: clock.now() })).toEqual([]);
  });

  test("a wrong key, an id that is none, a wrong field: errors of the gateway's shape", async () => {
    const stranger = new Razorpay({ key_id: keys.keyId, key_secret: "wrong" });
    const { api } = stranger as unknown as { api: { rq: { defaults: { baseURL: string } } } };
    api.rq.defaults.baseURL = `${app.baseUrl}/sandbox/razorpay`;
    await expect(stranger.plans.all()).rejects.toMatchObject({
      statusCode: 401,
      error: { code: "BAD_REQUEST_ERROR", description: "Authentication failed" },
    });
    await expect(official.payments.fetch("pay_none")).rejects.toMatchObject({
      statusCode: 400,
      error: { description: "The id provided does not exist" },
    });
    await expect(official.subscriptions.create({ plan_id: planId, total_count: 0 })).rejects.toMatchObject({
      statusCode: 400,
    });
    expect(await problemOf(ours.fetchSubscription("sub_none"))).toMatchObject({ kind: "refused" });
    const wrongKey = gatewayAt(`${app.baseUrl}/sandbox/razorpay/v1`, { keySecret: "wrong" });
    expect(await problemOf(wrongKey.fetchSubscription("sub_none"))).toMatchObject({ kind: "unavailable", status: 401 });
  });

  test("signatures: the client's own check of a webhook agrees with ours", () => {
    const body = JSON.stringify({
      event: "subscription.charged",
      payload: { subscription: { entity: { id: "sub_1" } } },
    });
    const signature = signatureOf(body, keys.webhookSecret);
    expect(Razorpay.validateWebhookSignature(body, signature, keys.webhookSecret)).toBe(true);
    const webhook = { body: Buffer.from(body), signature, eventId: "event_1" };
    expect(ours.readWebhook(webhook)).toEqual({
      id: "event_1",
      kind: "subscription.charged",
      subscriptionId: "sub_1",
      paymentId: null,
    });
    expect(ours.readWebhook({ ...webhook, body: Buffer.from(`${body} `) })).toBeUndefined();
    const noJson = Buffer.from("not json");
    const signed = { body: noJson, signature: signatureOf(noJson, keys.webhookSecret), eventId: "event_2" };
    expect(ours.readWebhook(signed)).toMatchObject({ kind: "unreadable" });
    const checkout = { paymentId: "pay_1", subscriptionId: "sub_1" };
    expect(
      ours.isCheckoutSigned({ ...checkout, signature: signatureOf(checkoutContent(checkout), keys.keySecret) }),
    ).toBe(true);
    expect(ours.isCheckoutSigned({ ...checkout, signature: signatureOf("sub_1|pay_1", keys.keySecret) })).toBe(false);
  });
});

describe("a gateway in trouble", () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void;
  let script: Answer[] = [];
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.method ?? "");
    const [first] = script;
    const next = script.length > 1 ? script.shift() : first;
    next?.(request, response);
  });
  const say =
    (status: number, body: string): Answer =>
    (_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    };
  const subscription = JSON.stringify({ id: "sub_1", plan_id: planId, status: "active", current_end: null, notes: [] });
  const wanted = { planId, totalCount: 12, notes: {}, expiresAt: clock.now(), startsAt: null };
  const hang: Answer = () => {};
  let gateway: PaymentGateway;
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo; // a TCP server has one
    gateway = gatewayAt(`http://127.0.0.1:${port}`, { timeoutMs: 300 });
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  beforeEach(() => {
    seen.length = 0;
  });

  test.each([
    ["answers 502", say(502, "<html>Bad gateway</html>")],
    ["is asked too often", say(429, "{}")],
    ["breaks the connection", (_request: IncomingMessage, response: ServerResponse) => response.destroy()],
    ["does not answer in time", hang],
  ])("that %s is asked again where nothing is made by it", async (_what, trouble) => {
    script = [trouble, trouble, say(200, subscription)];
    expect(await gateway.fetchSubscription("sub_1")).toMatchObject({ id: "sub_1", status: "active" });
    expect(seen).toEqual(["GET", "GET", "GET"]);
  });

  test("reading is given up after the third time", async () => {
    script = [say(503, "{}")];
    expect(await problemOf(gateway.fetchSubscription("sub_1"))).toMatchObject({ kind: "unavailable", status: 503 });
    expect(seen).toHaveLength(3);
  });

  test.each([
    ["answers 500", say(500, "{}")],
    ["does not answer in time", hang],
  ])(
    "what makes or changes a subscription or moves money is sent once, where the gateway %s",
    async (_what, trouble) => {
      script = [trouble];
      expect((await problemOf(gateway.createSubscription(wanted))).kind).toBe("unavailable");
      expect((await problemOf(gateway.cancelSubscription("sub_1", "now"))).kind).toBe("unavailable");
      expect(
        (await problemOf(gateway.refundPayment("pay_1", { amountMinor: 100, key: "tintype_refund_1" }))).kind,
      ).toBe("unavailable");
      expect((await problemOf(gateway.changePlanAtCycleEnd("sub_1", "plan_2"))).kind).toBe("unavailable");
      expect(seen).toEqual(["POST", "POST", "POST", "PATCH"]);
    },
  );

  test("no is no: a refusal is not repeated, and says why", async () => {
    script = [say(400, JSON.stringify({ error: { code: "BAD_REQUEST_ERROR", description: "The id does not exist" } }))];
    const problem = await problemOf(gateway.fetchPayment("pay_1"));
    expect(problem).toMatchObject({ kind: "refused", status: 400 });
    expect(problem.message).toContain("BAD_REQUEST_ERROR The id does not exist");
    expect(seen).toHaveLength(1);
  });

  test("an answer of another shape is trouble, not a fact", async () => {
    script = [say(200, JSON.stringify({ id: "sub_1", plan_id: planId, status: "sleeping" }))];
    expect((await problemOf(gateway.fetchSubscription("sub_1"))).kind).toBe("unavailable");
    script = [say(200, "not json")];
    expect((await problemOf(gateway.fetchSubscription("sub_1"))).kind).toBe("unavailable");
  });

  test("an id with odd characters stays one part of the path", async () => {
    let asked: string | undefined;
    script = [
      (request, response) => {
        asked = request.url;
        say(400, "{}")(request, response);
      },
    ];
    await problemOf(gateway.fetchSubscription("../payments/pay_1?x=#"));
    expect(asked).toBe("/subscriptions/..%2Fpayments%2Fpay_1%3Fx%3D%23");
  });
});
