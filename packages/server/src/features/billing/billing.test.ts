import { prices } from "@tintype/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { cards, insideOf, shopping } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";

const clock = heldClock();
const day = 86_400_000;
let app: TestApp;
let inside: ReturnType<typeof insideOf>;
beforeAll(async () => {
  const environment = { TINTYPE_TRUSTED_PROXIES: "127.0.0.1", TINTYPE_COUNTRY_HEADER: "x-country" };
  app = await startTestApp({ clock, environment });
  inside = insideOf(app);
});
afterAll(() => app.close());
const { endRenewals, passDays, somebody } = shopping(() => app, clock);
afterEach(endRenewals);
/** Advances to two hours after a period ends. */
const passRenewal = ({ renewal_date }: { renewal_date: string | null }) =>
  passDays((Date.parse(renewal_date ?? "") - clock.now().getTime()) / day + 1 / 12);
const inDays = (days: number) => new Date(clock.now().getTime() + days * day).toISOString();

test("the web app learns the gateway, its key and where its checkout is", async () => {
  const ann = await somebody();
  expect((await ann.json("/api/config")).body).toMatchObject({
    payments: { gateway: "razorpay", test_mode: true, checkout_script: "/sandbox/razorpay/checkout.js" },
  });
  expect((await ann.json<{ key: string }>("/api/razorpay-key")).body.key).toMatch(/^rzp_test_\w+$/);
  expect((await fetch(`${app.baseUrl}/sandbox/razorpay/checkout.js`)).headers.get("content-type")).toContain(
    "javascript",
  );
});

// product: money-in-minor-units
test("buying a plan changes plan and limit at once", async () => {
  const ann = await somebody();
  const { upgraded, subscriptionId } = await ann.buy("plus");
  expect(upgraded).toMatchObject({ status: 200, body: { plan: "plus", next_plan: null, next_billing_date: null } });
  expect(await ann.info()).toMatchObject({
    plan: "plus",
    limit: 500,
    can_switch: true,
    subscription_id: subscriptionId,
    subscription_status: "active",
    billing_cycle: "monthly",
    renewal_date: "2026-04-10T12:00:00.000Z",
  });
  expect((await ann.transactions()).transactions).toMatchObject([
    { plan: "plus", amount_minor: 500, currency: "USD", status: "captured", at: clock.now().toISOString() },
  ]);
});

test("a declined card gains nothing, and the same checkout can be paid with another", async () => {
  const bob = await somebody();
  const { subscription_id } = (await bob.session("mini")).body;
  const declined = await bob.pay(subscription_id, cards.declined);
  expect(declined).toMatchObject({ status: 400, body: { error: { reason: "payment_failed" } } });
  expect(await bob.upgrade("mini")).toMatchObject({
    status: 409,
    body: { detail: "Payment was cancelled or failed!" },
  });
  expect(await bob.info()).toMatchObject({ plan: "hobby", subscription_status: null });
  expect((await bob.session("mini")).body.subscription_id).toBe(subscription_id);
  const paid = await bob.pay(subscription_id);
  expect(await bob.upgrade("mini", paid.body)).toMatchObject({ status: 200, body: { plan: "mini" } });
  await app.sweep();
  expect((await bob.transactions()).transactions.map(({ status }) => status).sort()).toEqual(["captured", "failed"]);
});

test("a client that hands no signature on is upgraded where the gateway says it is paid, and not before", async () => {
  const eve = await somebody();
  const { subscription_id } = (await eve.session("pro", "yearly")).body;
  expect((await eve.upgrade("pro", {}, "yearly")).status).toBe(409);
  await eve.pay(subscription_id);
  expect(await eve.upgrade("pro", {}, "yearly")).toMatchObject({ status: 200, body: { plan: "pro" } });
  expect(await eve.info()).toMatchObject({ billing_cycle: "yearly", renewal_date: "2027-03-10T12:00:00.000Z" });
});

test("the price is that of the place the request comes from", async () => {
  const ravi = await somebody();
  await ravi.buy("mini", { cycle: "yearly", headers: { "x-country": "IN" } });
  expect((await ravi.transactions()).transactions).toMatchObject([
    { amount_minor: prices.mini.yearly.INR, currency: "INR" },
  ]);
});

test("cancelled: it stays until the period ends, and is not charged again", async () => {
  const cat = await somebody();
  const { subscriptionId } = await cat.buy("plus");
  await passDays(10);
  const cancelled = await cat.cancel(subscriptionId);
  expect(cancelled).toMatchObject({ status: 200, body: { cancel_at: inDays(21) } });
  expect(await cat.cancel(subscriptionId)).toEqual(cancelled);
  expect(await cat.info()).toMatchObject({
    plan: "plus",
    subscription_status: "cancellation_scheduled",
    renewal_date: cancelled.body.cancel_at,
    next_plan: null,
    can_switch: false,
  });
  // The gateway does not know of it yet.
  expect((await inside.atGateway(subscriptionId)).status).toBe("active");
  await passDays(20);
  expect((await cat.info()).plan).toBe("plus");
  // The gateway is told in the last hour.
  await passDays(1 - 1 / 48);
  expect(await cat.info()).toMatchObject({ plan: "plus", keep_until: null });
  await passDays(1);
  expect(await cat.info()).toMatchObject({ plan: "hobby", limit: 100, subscription_status: null, can_switch: true });
  expect((await inside.atGateway(subscriptionId)).status).toBe("cancelled");
  expect((await cat.transactions()).transactions).toHaveLength(1);
  expect(await inside.mailsTo(cat.subject)).toEqual(["began", "stopped"]);
  expect((await cat.buy("mini")).upgraded).toMatchObject({ status: 200, body: { plan: "mini" } });
});

test("cancelled and bought again: the new one begins when the old one ends", async () => {
  const dan = await somebody();
  const { subscriptionId } = await dan.buy("mini");
  const end = (await dan.info()).renewal_date;
  await dan.cancel(subscriptionId);
  const again = await dan.buy("mini", { cycle: "yearly" });
  expect(again.upgraded.body).toEqual({ plan: "mini", next_plan: "mini", next_billing_date: end });
  expect(await dan.info()).toMatchObject({ plan: "mini", billing_cycle: "monthly", subscription_status: "active" });
  await passDays(32);
  expect(await dan.info()).toMatchObject({ plan: "mini", billing_cycle: "yearly", next_plan: null, can_switch: true });
});

test("used credits are not given back by changing plans", async () => {
  const hal = await somebody();
  await hal.json("/api/service-use-multiple", { file_count: 60 });
  expect(await hal.info()).toMatchObject({ plan: "hobby", service_count: 60 });
  const { subscriptionId } = await hal.buy("plus");
  expect(await hal.info()).toMatchObject({ plan: "plus", service_count: 60, limit: 500 });
  await hal.json("/api/service-use-multiple", { file_count: 90 });
  await hal.cancel(subscriptionId);
  expect(await hal.info()).toMatchObject({ service_count: 150, limit: 500 });
});

// product: failed-charge
test("a renewal that fails keeps the plan, and recovers", async () => {
  const ida = await somebody();
  await ida.buy("plus", { card: cards.renewalFailsOnce });
  const before = await ida.info();
  await passRenewal(before);
  expect(await ida.info()).toMatchObject({ plan: "plus", subscription_status: "past_due", can_switch: true });
  await passDays(1);
  expect(await ida.info()).toMatchObject({ plan: "plus", subscription_status: "active" });
  expect((await ida.info()).renewal_date).not.toBe(before.renewal_date);
  expect((await ida.transactions()).transactions.map(({ status }) => status)).toEqual([
    "captured",
    "failed",
    "captured",
  ]);
  expect(await inside.mailsTo(ida.subject)).toEqual(["began", "charge-failed", "renewed"]);
});

test("a renewal that goes on failing falls back to Hobby; another card brings the plan back", async () => {
  const joe = await somebody();
  const { subscriptionId } = await joe.buy("pro", { card: cards.renewalFails });
  await passRenewal(await joe.info());
  expect(await joe.info()).toMatchObject({ plan: "pro", subscription_status: "past_due" });
  for (const _ of [1, 2, 3, 4, 5, 6]) await passDays(1);
  expect(await joe.info()).toMatchObject({
    plan: "hobby",
    limit: 100,
    subscription_id: null,
    subscription_status: null,
  });
  expect((await inside.atGateway(subscriptionId)).status).toBe("halted");
  expect((await joe.transactions()).transactions.map(({ status }) => status)).toEqual([
    "failed",
    "failed",
    "failed",
    "failed",
    "captured",
  ]);
  expect(await inside.mailsTo(joe.subject)).toEqual(["began", "charge-failed", "halted"]);
  expect((await joe.buy("pro")).upgraded).toMatchObject({ status: 200, body: { plan: "pro", next_plan: null } });
  await app.sweep();
  expect((await inside.atGateway(subscriptionId)).status).toBe("cancelled");
});

test("while a charge fails the plan can be bought again at once, with another card", async () => {
  const kim = await somebody();
  const { subscriptionId } = await kim.buy("mini", { card: cards.renewalFails });
  await passRenewal(await kim.info());
  expect((await kim.buy("mini")).upgraded).toMatchObject({ status: 200, body: { plan: "mini", next_plan: null } });
  expect(await kim.info()).toMatchObject({ plan: "mini", subscription_status: "active" });
  await expect.poll(async () => (await inside.atGateway(subscriptionId)).status).toBe("cancelled");
});

test("payments come newest first, page by page", async () => {
  const lea = await somebody();
  await lea.buy("mini");
  for (const _ of [1, 2, 3]) await passDays(31);
  const all = (await lea.transactions()).transactions;
  expect(all).toHaveLength(4);
  const first = await lea.transactions("?size=3");
  const second = await lea.transactions(`?size=3&before=${first.next}`);
  expect([...first.transactions, ...second.transactions]).toEqual(all);
  expect(second.next).toBeNull();
  expect((await lea.json("/api/transactions?before=nonsense")).status).toBe(400);
});
