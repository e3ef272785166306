import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sandboxRecords } from "../../platform/db/tables.ts";
import { signatureOf } from "../../platform/payments/signature.ts";
import { cards, insideOf, knownSecret, sendWebhook, shopping } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { findSubscription, saveSubscription } from "./store.ts";
import { payments, subscriptions } from "./tables.ts";

// No one has a plan without payment, or loses a paid one. Each attempt goes through HTTP.
const clock = heldClock();
const _day = 86_400_000;
let app: TestApp;
let inside: ReturnType<typeof insideOf>;
beforeAll(async () => {
  app = await startTestApp({ clock, environment: { TINTYPE_SECRET: knownSecret } });
  inside = insideOf(app);
});
afterAll(() => app.close());

const { passDays, somebody } = shopping(() => app, clock);
/** Everything a person can see of their plan, payments and mails. */
const lookAt = async (person: Awaited<ReturnType<typeof somebody>>) => ({
  info: await person.info(),
  transactions: (await person.transactions()).transactions,
  mails: await inside.mailsTo(person.subject),
});
const refusals = async (subject: string) => {
  const account = await inside.accountOf(subject);
  const lines = await inside.auditOf("upgrade-refused");
  return lines.flatMap(({ accountId, detail }) =>
    accountId === account ? [(detail as { reason: string }).reason] : [],
  );
};

// product: gateway-decides
test("a forged upgrade gains nothing, however it is dressed, and stands in the audit", async () => {
  const eve = await somebody();
  expect((await eve.upgrade("pro")).status).toBe(409);
  const { subscription_id } = (await eve.session("pro")).body;
  const forged = {
    razorpay_payment_id: "pay_00000000000000",
    razorpay_subscription_id: subscription_id,
    razorpay_signature: signatureOf(`pay_00000000000000|${subscription_id}`, "not the key's secret"),
  };
  expect((await eve.upgrade("pro")).status).toBe(409);
  expect((await eve.upgrade("pro", forged)).status).toBe(409);
  expect((await eve.upgrade("pro", { ...forged, razorpay_signature: "" })).status).toBe(409);
  expect((await eve.upgrade("pro", { razorpay_payment_id: "pay_00000000000000" })).status).toBe(400);
  expect((await eve.json("/api/upgrade-plan", { plan: "pro", billing_cycle: "monthly" })).status).toBe(400);
  expect(await lookAt(eve)).toMatchObject({ info: { plan: "hobby", limit: 100 }, transactions: [], mails: [] });
  expect(await refusals(eve.subject)).toEqual(["nothing was sold", "not paid", "wrong signature", "not paid"]);
});

test("another person's payment is worth nothing to me, and takes nothing from them", async () => {
  const [ann, bob] = [await somebody(), await somebody()];
  const { signed, subscriptionId } = await ann.buy("plus");
  const before = await lookAt(ann);
  expect((await bob.upgrade("plus", signed)).status).toBe(409);
  expect(await bob.cancel(subscriptionId)).toMatchObject({ status: 404 });
  const own = (await bob.session("plus")).body.subscription_id;
  expect((await bob.upgrade("plus", { ...signed, razorpay_subscription_id: own })).status).toBe(409);
  await app.sweep();
  expect((await bob.info()).plan).toBe("hobby");
  expect(await lookAt(ann)).toEqual(before);
  expect(await refusals(bob.subject)).toEqual(["not this person's subscription", "wrong signature"]);
  expect(await inside.auditOf("cancel-refused")).toMatchObject([{ accountId: await inside.accountOf(bob.subject) }]);
});

test("a signature replayed buys nothing again: no other plan, no other cycle, no second period, no plan after its end", async () => {
  const cat = await somebody();
  const { signed, subscriptionId } = await cat.buy("mini");
  const before = await lookAt(cat);
  for (const _ of [1, 2, 3]) expect((await cat.upgrade("mini", signed)).body).toMatchObject({ plan: "mini" });
  expect((await cat.upgrade("pro", signed)).status).toBe(409);
  expect((await cat.upgrade("mini", signed, "yearly")).status).toBe(409);
  expect(await lookAt(cat)).toEqual(before);
  await cat.cancel(subscriptionId);
  await passDays(32);
  expect((await cat.upgrade("mini", signed)).status).toBe(409);
  expect(await cat.info()).toMatchObject({ plan: "hobby", subscription_status: null });
  expect((await refusals(cat.subject)).sort()).toEqual(["another plan", "another plan", "it is ended"]);
});

test("a subscription that is another plan at the gateway, or carries another's note, counts for nothing", async () => {
  const dan = await somebody();
  const { subscription_id } = (await dan.session("mini")).body;
  const [row] = await app.db.select().from(subscriptions).where(eq(subscriptions.gatewayId, subscription_id));
  await app.db
    .update(subscriptions)
    .set({ gatewayPlanId: "plan_promonthlyUSD1000", plan: "pro" })
    .where(eq(subscriptions.id, row?.id ?? ""));
  const { body: signed } = await dan.pay(subscription_id);
  expect((await dan.upgrade("pro", signed)).status).toBe(409);
  expect((await dan.info()).plan).toBe("hobby");
  expect((await inside.auditOf("foreign-subscription")).length).toBeGreaterThan(0);
});

test("a webhook without the gateway's signature is refused, and written down", async () => {
  const fay = await somebody();
  const { subscription_id } = (await fay.session("pro")).body;
  const event = { kind: "subscription.charged", subscriptionId: subscription_id };
  expect(await sendWebhook(app, event, { signature: "" })).toBe(401);
  expect(await sendWebhook(app, event, { signature: "0".repeat(64) })).toBe(401);
  expect(await sendWebhook(app, event, { signature: signatureOf("another body", knownSecret) })).toBe(401);
  expect(await sendWebhook(app, event, { eventId: "" })).toBe(401);
  await app.sweep();
  expect((await fay.info()).plan).toBe("hobby");
  expect(await inside.auditOf("webhook-refused")).toHaveLength(4);
});

test("a signed webhook is only a hint: what it says is asked of the gateway", async () => {
  const gus = await somebody();
  const { subscription_id } = (await gus.session("pro")).body;
  const lies = ["subscription.activated", "subscription.charged", "payment.captured"];
  for (const kind of lies)
    expect(await sendWebhook(app, { kind, subscriptionId: subscription_id, paymentId: "pay_none" })).toBe(200);
  expect(await sendWebhook(app, { kind: "subscription.charged", subscriptionId: "sub_none" })).toBe(200);
  expect(await sendWebhook(app, { kind: "payment.captured", paymentId: "pay_none" })).toBe(200);
  await app.sweep();
  expect(await lookAt(gus)).toMatchObject({ info: { plan: "hobby" }, transactions: [], mails: [] });
  expect(await inside.auditOf("webhook-unknown")).toHaveLength(2);
});

test("webhooks doubled, late and shuffled change nothing that is known already", async () => {
  const hal = await somebody();
  const { subscriptionId } = await hal.buy("plus", { card: cards.renewalFailsOnce });
  await passDays(32);
  await passDays(1);
  const before = await lookAt(hal);
  expect(before).toMatchObject({ info: { plan: "plus", subscription_status: "active" } });
  const paid = before.transactions.map(({ id }) => id);
  const events = [
    { kind: "subscription.halted", subscriptionId },
    { kind: "subscription.pending", subscriptionId },
    ...paid.map((paymentId) => ({ kind: "payment.captured", subscriptionId, paymentId })),
    ...paid.map((paymentId) => ({ kind: "payment.failed", paymentId })),
    { kind: "subscription.cancelled", subscriptionId },
    { kind: "subscription.activated", subscriptionId },
  ];
  for (const event of [...events, ...events.toReversed()]) expect(await sendWebhook(app, event)).toBe(200);
  await app.sweep();
  expect(await lookAt(hal)).toEqual(before);

  const again = { eventId: "event_the_same" };
  for (const _ of [1, 2, 3])
    expect(await sendWebhook(app, { kind: "subscription.charged", subscriptionId }, again)).toBe(200);
  await app.sweep();
  expect(await lookAt(hal)).toEqual(before);
  expect(await inside.auditOf("webhook-repeated")).toHaveLength(2);

  await hal.cancel(subscriptionId);
  await passDays(40);
  const after = await lookAt(hal);
  expect(after.info).toMatchObject({ plan: "hobby", subscription_status: null });
  for (const event of events) await sendWebhook(app, event);
  await app.sweep();
  expect(await lookAt(hal)).toEqual(after);
});

test("two tabs that buy the same at once get one subscription, one payment, one mail", async () => {
  const ida = await somebody();
  const sessions = await Promise.all([ida.session("plus"), ida.session("plus"), ida.session("plus")]);
  const [id = "", ...others] = sessions.map(({ body }) => body.subscription_id);
  expect(new Set([id, ...others]).size).toBe(1);
  const paid = await Promise.all([ida.pay(id), ida.pay(id)]);
  expect(paid.map(({ status }) => status).sort()).toEqual([200, 400]);
  const signed = paid.find(({ status }) => status === 200)?.body ?? {};
  const upgraded = await Promise.all([ida.upgrade("plus", signed), ida.upgrade("plus", signed), ida.upgrade("plus")]);
  expect(upgraded.map(({ status }) => status)).toEqual([200, 200, 200]);
  await app.sweep();
  expect(await lookAt(ida)).toMatchObject({ transactions: [{ status: "captured" }], mails: ["began"] });
  expect(await app.db.select().from(subscriptions).where(eq(subscriptions.gatewayId, id))).toHaveLength(1);
});

test("two tabs that buy different plans at once end with one of them, and the other's money goes back", async () => {
  const joe = await somebody();
  const mini = (await joe.session("mini")).body.subscription_id;
  const pro = (await joe.session("pro")).body.subscription_id;
  const [first, second] = await Promise.all([joe.pay(mini), joe.pay(pro)]);
  await Promise.all([joe.upgrade("mini", first.body), joe.upgrade("pro", second.body)]);
  await app.sweep();
  await passDays(1);
  const { plan, subscription_status, next_plan } = await joe.info();
  expect(["mini", "pro"]).toContain(plan);
  expect({ subscription_status, next_plan }).toEqual({ subscription_status: "active", next_plan: null });
  const states = [(await inside.atGateway(mini)).status, (await inside.atGateway(pro)).status].sort();
  expect(states).toEqual(["active", "cancelled"]);
  const shown = (await joe.transactions()).transactions;
  expect(shown.filter(({ status }) => status === "captured")).toHaveLength(1);
  expect(shown.filter(({ plan: of, status }) => of !== plan && status !== "refunded")).toEqual([]);
  // The gateway's records agree.
  const rows = await app.db
    .select()
    .from(sandboxRecords)
    .where(and(eq(sandboxRecords.kind, "payment"), eq(sandboxRecords.parent, plan === "mini" ? pro : mini)));
  for (const { body } of rows) expect((body as { status: string }).status).toBe("refunded"); // as the sandbox stores payments
});

test("a subscription whose making was cut off is found at the gateway again, and not made twice", async () => {
  const [kim, lea] = [await somebody(), await somebody()];
  for (const person of [kim, lea]) {
    const { subscription_id } = (await person.session("mini")).body;
    // The state after a server died between creating it at the gateway and recording it.
    const account = await inside.accountOf(person.subject);
    await app.db
      .update(subscriptions)
      .set({ gatewayId: null, claimedUntil: null, wakeAt: clock.now() })
      .where(eq(subscriptions.accountId, account));
    if (person === lea) await app.sweep();
    expect((await person.session("mini")).body.subscription_id).toBe(subscription_id);
  }
});

test("a decision that was read before the gateway's id came in does not write the id away", async () => {
  const noa = await somebody();
  const { subscription_id } = (await noa.session("mini")).body;
  const made = await findSubscription(app.db, { gatewayId: subscription_id });
  if (!made) throw new Error(`${subscription_id} is not known`);
  await saveSubscription(app.db, { ...made, gatewayId: null }, null);
  expect(await findSubscription(app.db, { id: made.id })).toMatchObject({ gatewayId: subscription_id });
});

test("a checkout that was closed right after paying: the plan comes without the browser's word", async () => {
  const max = await somebody();
  const { subscription_id } = (await max.session("plus", "yearly")).body;
  await max.pay(subscription_id);
  await app.sweep();
  expect(await max.info()).toMatchObject({ plan: "plus", billing_cycle: "yearly" });
  expect(await inside.mailsTo(max.subject)).toEqual(["began"]);
});

test("without any webhook the poll finds the payment, within a minute", async () => {
  const nia = await somebody();
  const { subscription_id } = (await nia.session("mini")).body;
  await nia.pay(subscription_id);
  // Undo whatever webhooks did, as if none had arrived.
  await app.sweep();
  const account = await inside.accountOf(nia.subject);
  await app.db.delete(payments).where(eq(payments.accountId, account));
  await app.db
    .update(subscriptions)
    .set({
      state: "open",
      paidThrough: null,
      gatewayStatus: "created",
      seenAt: null,
      wakeAt: new Date(clock.now().getTime() + 60_000),
    })
    .where(eq(subscriptions.accountId, account));
  clock.advance(60_000);
  await app.sweep();
  expect(await nia.info()).toMatchObject({ plan: "mini", subscription_status: "active" });
  expect((await nia.transactions()).transactions).toHaveLength(1);
});

test("switching back and forth refills nothing", async () => {
  const ora = await somebody();
  await ora.json("/api/service-use-multiple", { file_count: 90 });
  const { subscriptionId } = await ora.buy("mini");
  expect(await ora.info()).toMatchObject({ plan: "mini", limit: 100, service_count: 90 });
  expect((await ora.json("/api/service-use-multiple", { file_count: 11 })).status).toBe(403);
  const end = Date.parse((await ora.cancel(subscriptionId)).body.cancel_at);
  // Minutes before the plan ends, that day's hundred credits are used up; minutes after, they count as the month's.
  clock.advance(end - clock.now().getTime() - 4 * 60_000);
  await app.sweep();
  await ora.json("/api/service-use-multiple", { file_count: 100 });
  expect(await ora.info()).toMatchObject({ plan: "mini", service_count: 100 });
  clock.advance(5 * 60_000);
  await app.sweep();
  expect(await ora.info()).toMatchObject({ plan: "hobby", limit: 100, service_count: 100 });
  expect((await ora.json("/api/service-use", {})).status).toBe(403);
  await ora.buy("plus");
  expect(await ora.info()).toMatchObject({ plan: "plus", limit: 500, service_count: 100 });
});
