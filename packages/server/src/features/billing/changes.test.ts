import { addCycles } from "@tintype/contract";
import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sandboxRecords } from "../../platform/db/tables.ts";
import { cards, insideOf, shopping } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { subscriptions } from "./tables.ts";

// Changes from one paid plan to another, and undoing a scheduled one.
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
const dayOf = (at: string | null) =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date(at ?? ""));
/** Each payment of a person: amount, and how much of it was refunded. */
const moneyOf = async (person: Awaited<ReturnType<typeof somebody>>) =>
  (await person.transactions()).transactions.map(({ amount_minor, refunded_minor }) => [amount_minor, refunded_minor]);
/** The gateway's record of a refund. */
const returnedAtGateway = async (subscriptionId: string) => {
  const rows = await app.db
    .select()
    .from(sandboxRecords)
    .where(and(eq(sandboxRecords.parent, subscriptionId), eq(sandboxRecords.kind, "payment")));
  return rows.map(({ body }) => (body as { amount_refunded: number }).amount_refunded); // as the sandbox stores payments
};

// product: change-at-renewal
test("at renewal: nothing is charged today, the first charge is on the day it begins, and nothing else can be changed until then", async () => {
  const fay = await somebody();
  const first = await fay.buy("mini");
  await passDays(5);
  const end = (await fay.info()).renewal_date;
  const [usual] = (await fay.quote("pro")).body.ways;
  expect(usual).toEqual({
    mode: "at_renewal",
    begins_at: end,
    charge_today_minor: 0,
    price_minor: 1000,
    currency: "USD",
    next_charge_at: end,
    refund: null,
  });
  const second = await fay.buy("pro");
  expect(second.upgraded).toMatchObject({
    status: 200,
    body: { plan: "mini", next_plan: "pro", next_billing_date: end },
  });
  expect(await fay.info()).toMatchObject({
    plan: "mini",
    limit: 100,
    next_plan: "pro",
    next_billing_date: end,
    next_billing_cycle: "monthly",
    next_plan_price: { amount_minor: 1000, currency: "USD" },
    can_switch: false,
    subscription_id: first.subscriptionId,
    subscription_status: "active",
    renewal_date: end,
  });
  for (const answer of [await fay.session("plus"), await fay.quote("plus")])
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: `You already have Pro scheduled for ${dayOf(end)}.` },
    });
  // The card check, which the gateway charges and refunds by itself, is not a payment.
  expect(await moneyOf(fay)).toEqual([[300, 0]]);

  await passDays(27);
  expect(await fay.info()).toMatchObject({
    plan: "pro",
    limit: 1000,
    next_plan: null,
    can_switch: true,
    subscription_id: second.subscriptionId,
    subscription_status: "active",
  });
  expect((await inside.atGateway(first.subscriptionId)).status).toBe("cancelled");
  expect(await moneyOf(fay)).toEqual([
    [1000, 0],
    [300, 0],
  ]);
  await passDays(31);
  expect(await moneyOf(fay)).toEqual([
    [1000, 0],
    [1000, 0],
    [300, 0],
  ]);
  expect(await inside.mailsTo(fay.subject)).toEqual(["began", "began", "renewed", "scheduled"]);
});

test("at renewal to a cheaper plan; now is not among the ways, and is refused", async () => {
  const gil = await somebody();
  await gil.buy("pro");
  expect((await gil.quote("mini")).body.ways.map(({ mode }) => mode)).toEqual(["at_renewal"]);
  expect(await gil.session("mini", "monthly", { mode: "now" })).toMatchObject({ status: 409 });
  await gil.buy("mini");
  expect(await gil.info()).toMatchObject({ plan: "pro", next_plan: "mini" });
  await passDays(32);
  expect(await gil.info()).toMatchObject({ plan: "mini", next_plan: null, subscription_status: "active" });
});

test("the first charge fails on the day it begins: no more than the plan before is given, then another card", async () => {
  const hue = await somebody();
  await hue.buy("mini");
  await hue.buy("pro", { card: cards.renewalFails });
  await passDays(31 + 1 / 12);
  expect(await hue.info()).toMatchObject({ plan: "mini", limit: 100, subscription_status: "past_due" });
  const again = await hue.buy("pro");
  expect(again.upgraded).toMatchObject({ status: 200, body: { plan: "pro", next_plan: null } });
  expect(await hue.info()).toMatchObject({ plan: "pro", subscription_status: "active" });
});

// product: change-now
test("now: paid and begun at once, the unused days go back to the card, the old one ends", async () => {
  const ann = await somebody();
  const first = await ann.buy("plus");
  const end = Date.parse((await ann.info()).renewal_date ?? "");
  await passDays(10.25);
  const ways = (await ann.quote("pro")).body.ways;
  const now = ways.find(({ mode }) => mode === "now");
  // The month's whole remaining days.
  const [days, all] = [
    Math.floor((end - clock.now().getTime()) / day),
    Math.round((end - clock.now().getTime()) / day + 10.25),
  ];
  const unused = Math.floor((500 * days) / all);
  expect(now).toEqual({
    mode: "now",
    begins_at: clock.now().toISOString(),
    charge_today_minor: 1000,
    price_minor: 1000,
    currency: "USD",
    next_charge_at: addCycles(clock.now(), { cycle: "monthly" }).toISOString(),
    refund: { plan: "plus", days, amount_minor: unused, currency: "USD" },
  });
  const agreed = { charge_today_minor: 1000, refund_minor: unused };
  const second = await ann.buy("pro", { mode: "now", agreed });
  expect(second.upgraded).toMatchObject({ status: 200, body: { plan: "pro", next_plan: null } });
  expect(await ann.info()).toMatchObject({
    plan: "pro",
    limit: 1000,
    can_switch: true,
    subscription_id: second.subscriptionId,
    subscription_status: "active",
  });
  expect((await inside.atGateway(first.subscriptionId)).status).toBe("cancelled");
  expect(await moneyOf(ann)).toEqual([
    [1000, 0],
    [500, unused],
  ]);
  await app.sweep();
  expect(await returnedAtGateway(first.subscriptionId)).toEqual([unused]);
  await passDays(25);
  // Once, however often it is polled. No one keeps a plan uncharged or is charged without a plan.
  expect(await returnedAtGateway(first.subscriptionId)).toEqual([unused]);
  expect(await ann.info()).toMatchObject({ plan: "pro", subscription_status: "active" });
  expect(await inside.mailsTo(ann.subject)).toEqual(["began", "began", "refund-unused"]);
});

test("amounts that are not the ones that were agreed to begin nothing", async () => {
  const bea = await somebody();
  await bea.buy("mini");
  await passDays(10);
  const renewal = { charge_today_minor: 0, refund_minor: 0 };
  for (const [mode, agreed] of [
    ["now", { charge_today_minor: 1000, refund_minor: 299 }],
    ["at_renewal", { ...renewal, price_minor: 900, currency: "USD" }],
    ["at_renewal", { ...renewal, price_minor: 1000, currency: "INR" }],
  ] as const)
    expect(await bea.session("pro", "monthly", { mode, agreed })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("The amounts have changed") },
    });
  const rows = await app.db.select().from(subscriptions);
  const account = await inside.accountOf(bea.subject);
  expect(rows.filter(({ accountId, plan }) => accountId === account && plan === "pro")).toEqual([]);
});

test("an upgrade that is paid twice, in two tabs: one counts, the other goes back, the old one's days go back once", async () => {
  const cem = await somebody();
  const first = await cem.buy("mini");
  const end = Date.parse((await cem.info()).renewal_date ?? "");
  const all = Math.round((end - clock.now().getTime()) / day);
  await passDays(3);
  const [plus, pro] = [
    await cem.session("plus", "monthly", { mode: "now" }),
    await cem.session("pro", "monthly", { mode: "now" }),
  ];
  await Promise.all([cem.pay(plus.body.subscription_id), cem.pay(pro.body.subscription_id)]);
  await app.sweep();
  await app.sweep();
  const { plan, next_plan } = await cem.info();
  expect(next_plan).toBeNull();
  const unused = Math.floor((300 * (all - 3)) / all);
  const wanted =
    plan === "pro"
      ? [
          [1000, 0],
          [500, 500],
        ]
      : [
          [500, 0],
          [1000, 1000],
        ];
  expect((await moneyOf(cem)).sort()).toEqual([...wanted, [300, unused]].sort());
  expect(await returnedAtGateway(first.subscriptionId)).toEqual([unused]);
});

test("the same upgrade clicked again is the same checkout; a day later it is another one, with less to return", async () => {
  const dee = await somebody();
  await dee.buy("mini");
  await passDays(2);
  const open = (await dee.session("pro", "monthly", { mode: "now" })).body.subscription_id;
  expect((await dee.session("pro", "monthly", { mode: "now" })).body.subscription_id).toBe(open);
  expect((await dee.session("pro")).body.subscription_id).not.toBe(open);
  await passDays(1);
  const fresh = (await dee.session("pro", "monthly", { mode: "now" })).body.subscription_id;
  expect(fresh).not.toBe(open);
  expect((await inside.atGateway(open)).status).toBe("cancelled");
});

// product: cancel-undo
test("cancelled and kept: it renews as if nothing had been", async () => {
  const eli = await somebody();
  const { subscriptionId } = await eli.buy("plus");
  await passDays(4);
  expect((await eli.info()).keep_until).toBeNull();
  const { cancel_at } = (await eli.cancel(subscriptionId)).body;
  expect(await eli.info()).toMatchObject({ subscription_status: "cancellation_scheduled", renewal_date: cancel_at });
  expect(Date.parse((await eli.info()).keep_until ?? "")).toBeLessThan(Date.parse(cancel_at));
  expect(await eli.keep()).toMatchObject({ status: 200, body: { plan: "plus", subscription_status: "active" } });
  expect(await eli.keep()).toMatchObject({ status: 200, body: { subscription_status: "active" } });
  await passDays(28);
  expect(await eli.info()).toMatchObject({ plan: "plus", subscription_status: "active", keep_until: null });
  expect(await moneyOf(eli)).toEqual([
    [500, 0],
    [500, 0],
  ]);
  await eli.cancel(subscriptionId);
  await passDays(31);
  expect(await eli.info()).toMatchObject({ plan: "hobby" });
  expect(await inside.mailsTo(eli.subject)).toEqual(["began", "renewed", "resumed", "stopped", "stopped"]);
});

test("in the last hour the end stays, and says so; on Hobby there is nothing to keep", async () => {
  const flo = await somebody();
  expect(await flo.keep()).toMatchObject({ status: 409 });
  const { subscriptionId } = await flo.buy("mini");
  const { cancel_at } = (await flo.cancel(subscriptionId)).body;
  await passDays((Date.parse(cancel_at) - clock.now().getTime()) / day - 1 / 48);
  expect(await flo.keep()).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining(`Mini ends on ${dayOf(cancel_at)}`) },
  });
  await passDays(1);
  expect(await flo.info()).toMatchObject({ plan: "hobby", subscription_status: null });
});

test("a change that is scheduled can be taken back, and the plan one has goes on", async () => {
  const gus = await somebody();
  await gus.buy("mini");
  const second = await gus.buy("pro");
  expect(await gus.keep()).toMatchObject({ status: 200, body: { plan: "mini", subscription_status: "active" } });
  expect(await gus.info()).toMatchObject({ plan: "mini", next_plan: null, can_switch: true, keep_until: null });
  expect((await inside.atGateway(second.subscriptionId)).status).toBe("cancelled");
  await passDays(32);
  expect(await gus.info()).toMatchObject({ plan: "mini", subscription_status: "active" });
  expect(await moneyOf(gus)).toEqual([
    [300, 0],
    [300, 0],
  ]);
});

test("cancelling while a change is scheduled ends both: the change never begins", async () => {
  const hal = await somebody();
  const first = await hal.buy("mini");
  const end = (await hal.info()).renewal_date;
  const second = await hal.buy("plus");
  expect((await hal.cancel(second.subscriptionId)).body.cancel_at).toBe(end);
  expect(await hal.info()).toMatchObject({
    plan: "mini",
    next_plan: null,
    subscription_status: "cancellation_scheduled",
    renewal_date: end,
  });
  expect((await inside.atGateway(second.subscriptionId)).status).toBe("cancelled");
  await passDays(32);
  expect(await hal.info()).toMatchObject({ plan: "hobby", subscription_status: null });
  expect((await inside.atGateway(first.subscriptionId)).status).toBe("cancelled");
  expect(await moneyOf(hal)).toEqual([[300, 0]]);
  expect(await inside.mailsTo(hal.subject)).toEqual(["began", "scheduled", "stopped"]);
});

test("the bank withdraws the card of what was to come: the plan one has goes on", async () => {
  const ivo = await somebody();
  await ivo.buy("mini");
  const second = await ivo.buy("plus");
  await app.sweep();
  await cancelAtGateway(second.subscriptionId);
  await app.sweep();
  expect(await ivo.info()).toMatchObject({ plan: "mini", next_plan: null, subscription_status: "active" });
  await passDays(31);
  expect(await ivo.info()).toMatchObject({ plan: "mini", subscription_status: "active" });
});
/** As someone does on the gateway's own pages. */
async function cancelAtGateway(id: string): Promise<void> {
  const [row] = await app.db.select().from(sandboxRecords).where(eq(sandboxRecords.id, id));
  const record = row?.body as { entity: { status: string } }; // as the sandbox stores subscriptions
  const body = { ...record, entity: { ...record.entity, status: "cancelled", charge_at: null } };
  await app.db.update(sandboxRecords).set({ body, dueAt: null }).where(eq(sandboxRecords.id, id));
  await app.db.update(subscriptions).set({ wakeAt: clock.now() }).where(eq(subscriptions.gatewayId, id));
}

test("upgraded now while cancelled: the old end counts no more, and its days go back", async () => {
  const jon = await somebody();
  const { subscriptionId } = await jon.buy("mini");
  const all = Math.round((Date.parse((await jon.info()).renewal_date ?? "") - clock.now().getTime()) / day);
  await passDays(1);
  await jon.cancel(subscriptionId);
  await jon.buy("pro", { mode: "now" });
  expect(await jon.info()).toMatchObject({ plan: "pro", subscription_status: "active", next_plan: null });
  expect((await moneyOf(jon)).at(-1)).toEqual([300, Math.floor((300 * (all - 1)) / all)]);
});
