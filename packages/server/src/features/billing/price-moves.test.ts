import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setPlans } from "@tintype/contract";
import { and, eq, like } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { tintypePlans } from "../../platform/brand/plan-rules.ts";
import { outboxMails, sandboxRecords } from "../../platform/db/tables.ts";
import { cards, insideOf, shopper, shopping } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { accounts } from "../accounts/tables.ts";
import { priceChangeMail } from "./mails.ts";
import { decideMove, firstRenewalFrom, isMoveDue } from "./price-moves.ts";
import { nextPriceOf, type PriceMove, type Subscription, transition } from "./subscription.ts";
import { subscriptions } from "./tables.ts";

const on = (day: string) => new Date(`${day}T12:00:00Z`);

// The decisions.

const sold: Subscription = {
  id: "bill_1",
  accountId: "acc_1",
  gatewayId: "sub_1",
  gatewayPlanId: "plan_3",
  plan: "mini",
  cycle: "monthly",
  currency: "USD",
  amountMinor: 300,
  formerAmountMinor: null,
  move: null,
  state: "active",
  startsAt: null,
  replaces: null,
  paidThrough: on("2027-03-10"),
  gatewayStatus: "active",
  seenAt: on("2027-02-10"),
  stop: null,
  sentStop: "none",
  createdAt: on("2027-01-10"),
  expiresAt: on("2027-01-11"),
};
const target = (amountMinor: number, since: string) => ({
  amountMinor,
  gatewayPlanId: `plan_${amountMinor / 100}`,
  since: new Date(`${since}T00:00:00Z`),
});
const decide = (more: Partial<Subscription>, wanted: ReturnType<typeof target> | undefined, now: string) =>
  decideMove({ ...sold, ...more }, { target: wanted, noticeDays: 30, anchor: undefined, now: on(now) });
const announced: PriceMove = {
  amountMinor: 400,
  gatewayPlanId: "plan_4",
  from: on("2027-04-10"),
  notBefore: new Date("2027-03-20T00:00:00Z"),
  announcedAt: on("2027-02-15"),
  state: "announced",
};
const stop = { reason: "cancelled", at: on("2027-02-16"), endsBy: null, refundsFrom: null } as const;

test.each<[string, string, string, string, string]>([
  ["on the operator's day, where that leaves the notice", "2027-03-01", "2027-01-27", "2027-03-01T00:00", "2027-03-10"],
  ["after the notice, where the day is too near", "2027-03-01", "2027-02-26", "2027-03-28T12:00", "2027-04-10"],
  ["after the notice, where the day has passed", "2026-01-01", "2027-02-26", "2027-03-28T12:00", "2027-04-10"],
])("a dearer price is announced for the first renewal %s", (_what, since, now, notBefore, from) => {
  expect(decide({}, target(400, since), now)).toEqual({
    amountMinor: 400,
    gatewayPlanId: "plan_4",
    from: on(from),
    notBefore: new Date(`${notBefore}:00Z`),
    announcedAt: on(now),
    state: "announced",
  });
});

test("the mail of a day that is far off waits, and a cheaper price needs no notice", () => {
  const wanted = target(400, "2027-09-01");
  expect(decide({}, wanted, "2027-02-20")).toBeUndefined();
  const paidThrough = on("2027-08-10");
  expect(decide({ paidThrough }, wanted, "2027-07-26")).toBeUndefined();
  expect(decide({ paidThrough }, wanted, "2027-07-28")).toMatchObject({ from: on("2027-09-10") });
  expect(decide({ cycle: "yearly", paidThrough }, wanted, "2027-07-28")).toBeUndefined();
  expect(decide({}, target(200, "2027-03-01"), "2027-03-05")).toMatchObject({
    amountMinor: 200,
    from: on("2027-03-10"),
  });
  // Too close for the gateway to be told in time if it does not respond at once.
  const evening = decideMove(sold, {
    target: target(200, "2027-03-01"),
    noticeDays: 30,
    anchor: undefined,
    now: new Date("2027-03-09T20:00:00Z"),
  });
  expect(evening).toMatchObject({ from: on("2027-04-10") });
});

test("a mail that is too old by the time of the renewal is sent again", () => {
  const more = { move: announced, paidThrough: on("2027-06-10") };
  expect(decide(more, target(400, "2027-03-20"), "2027-05-20")).toMatchObject({
    announcedAt: on("2027-05-20"),
    from: on("2027-07-10"),
  });
});

test("a far day is mailed of once, another plan of the same price not at all, and nothing is taken back on the day of its mail", () => {
  const far = { ...announced, from: on("2028-01-10"), notBefore: on("2028-01-01"), announcedAt: on("2027-02-20") };
  const more = { move: far, paidThrough: on("2027-06-10") };
  expect(decide(more, target(400, "2028-01-01"), "2027-05-20")).toBeUndefined();
  expect(decide({ ...more, paidThrough: on("2027-12-10") }, target(400, "2028-01-01"), "2027-12-05")).toMatchObject({
    from: on("2028-01-10"),
  });
  const moved = { ...target(400, "2028-01-01"), gatewayPlanId: "plan_new" };
  expect(decide(more, moved, "2027-03-20")).toEqual({ ...far, gatewayPlanId: "plan_new" });
  for (const wanted of [undefined, target(300, "2028-01-01"), target(500, "2028-01-01")])
    expect(decide({ move: { ...far, announcedAt: on("2027-03-20") } }, wanted, "2027-03-20")).toBeUndefined();
});

test("what ends, has not begun, is not paid for, or has that price already is not moved", () => {
  const wanted = target(400, "2027-03-01");
  for (const more of [
    { stop },
    { state: "scheduled", paidThrough: null, startsAt: on("2027-03-10") },
    { state: "past_due", gatewayStatus: "pending" },
    { state: "ended" },
    { amountMinor: 400 },
  ] satisfies Partial<Subscription>[])
    expect(decide(more, wanted, "2027-02-20"), JSON.stringify(more)).toBeUndefined();
  expect(decide({}, undefined, "2027-02-20")).toBeUndefined();
});

test("what was announced follows the file: another price or a later day is announced again, and without them the price stays", () => {
  const move = announced;
  expect(decide({ move }, target(400, "2027-03-20"), "2027-02-20")).toBeUndefined();
  expect(decide({ move }, target(400, "2027-03-01"), "2027-02-20")).toBeUndefined();
  expect(decide({ move }, target(500, "2027-03-20"), "2027-02-20")).toMatchObject({
    amountMinor: 500,
    from: on("2027-04-10"),
  });
  expect(decide({ move }, target(400, "2027-07-01"), "2027-02-20")).toMatchObject({
    amountMinor: 400,
    from: on("2027-07-10"),
  });
  expect(decide({ move }, target(300, "2027-03-20"), "2027-02-20")).toBeNull();
  expect(decide({ move }, undefined, "2027-02-20")).toBeNull();
  for (const state of ["sending", "scheduled"] as const)
    expect(decide({ move: { ...move, state } }, undefined, "2027-02-20"), "the gateway has it").toBeUndefined();
  expect(decide({ move: { ...move, state: "refused" } }, target(400, "2027-03-20"), "2027-02-20")).toBeUndefined();
});

test("the gateway is told within three days of a renewal after the notice, and of none before", () => {
  const at = (paidThrough: string, now: string, more: Partial<Subscription> = {}) =>
    isMoveDue({ ...sold, move: announced, paidThrough: on(paidThrough), ...more }, on(now));
  expect(at("2027-03-10", "2027-03-08")).toBe(false);
  expect(at("2027-04-10", "2027-04-06")).toBe(false);
  expect(at("2027-04-10", "2027-04-08")).toBe(true);
  expect(at("2027-04-10", "2027-04-08", { stop })).toBe(false);
  expect(at("2027-04-10", "2027-04-08", { gatewayStatus: "pending", state: "past_due" })).toBe(false);
  expect(at("2027-04-10", "2027-04-08", { move: { ...announced, state: "sending" } })).toBe(true);
  expect(at("2027-04-10", "2027-04-08", { move: { ...announced, state: "scheduled" } })).toBe(false);
  expect(at("2027-05-10", "2027-05-08", { move: { ...announced, state: "scheduled" } })).toBe(false);
  // A gateway whose months end on other days may renew after the notice, but before the day that the mail names.
  const late = { ...announced, notBefore: on("2027-03-29"), from: on("2027-04-27") };
  expect(at("2027-03-30", "2027-03-28", { move: late })).toBe(false);
  expect(at("2027-04-30", "2027-04-28", { move: late })).toBe(true);
  expect(at("2027-04-10", "2027-04-08", { move: { ...announced, state: "refused" } })).toBe(false);
});

test("renewals of the last days of a month are counted from the first one", () => {
  const cycle = "monthly";
  const anchor = on("2027-01-31");
  expect(firstRenewalFrom(on("2027-03-15"), { paidThrough: on("2027-02-28"), cycle, anchor })).toEqual(
    on("2027-03-31"),
  );
  // A gateway that ends periods at midnight has a count of its own.
  const paidThrough = new Date("2027-02-27T18:30:00Z");
  expect(firstRenewalFrom(on("2027-03-15"), { paidThrough, cycle, anchor })).toEqual(new Date("2027-03-27T18:30:00Z"));
});

test("the word of the gateway moves the price once, and a word about another move changes nothing", () => {
  const move = { ...announced, state: "scheduled" } as const;
  const before = { ...sold, paidThrough: on("2027-05-10"), move };
  const seen = { kind: "seen", at: on("2027-04-10"), status: "active", payments: [], planId: "plan_4" } as const;
  const { subscription, effects } = transition(before, seen, on("2027-04-10"));
  expect(subscription).toMatchObject({ amountMinor: 400, formerAmountMinor: 300, gatewayPlanId: "plan_4", move: null });
  expect(effects).toEqual([{ kind: "price-moved", from: 300, to: 400 }]);
  expect(transition(subscription, seen, on("2027-04-10")).effects).toEqual([]);
  const late = { kind: "move", move: { ...announced, state: "refused" }, reason: "late" } as const;
  expect(transition(subscription, late, on("2027-04-10"))).toEqual({ subscription, effects: [] });
});

test("a change that the gateway has lost by the renewal follows the file again, and nobody on Hobby is mailed of it", () => {
  const seen = {
    kind: "seen",
    at: on("2027-04-10"),
    status: "active",
    payments: [],
    planId: sold.gatewayPlanId,
  } as const;
  for (const state of ["sending", "scheduled"] as const) {
    const before = { ...sold, paidThrough: on("2027-05-10"), move: { ...announced, state } };
    expect(transition(before, seen, on("2027-04-10")).subscription.move).toEqual(announced);
    // The move stays before that renewal, and while a change is still scheduled.
    const early = transition({ ...before, paidThrough: on("2027-04-10") }, seen, on("2027-04-10"));
    expect(early.subscription.move?.state).toBe(state);
    const pending = transition(before, { ...seen, planId: undefined }, on("2027-04-10"));
    expect(pending.subscription.move?.state).toBe(state);
  }
  const halted = { ...sold, state: "halted", gatewayStatus: "halted", move: announced } as const;
  expect(transition(halted, { kind: "move", move: null }, on("2027-04-10")).effects).toEqual([]);
});

test("who has cancelled is shown no price to come", () => {
  expect(nextPriceOf({ ...sold, move: announced })).toEqual({ amountMinor: 400, from: on("2027-04-10") });
  expect(nextPriceOf({ ...sold, move: announced, stop })).toBeNull();
  expect(nextPriceOf({ ...sold, move: { ...announced, state: "refused" } })).toBeNull();
});

test("the mail names both prices, the day, and the way to cancel or change", () => {
  const reader = { email: "ann@example.com", emailVerified: true, name: "Ann" };
  const mail = priceChangeMail(reader, {
    subscription: sold,
    origin: "https://pictures.example",
    amountMinor: 450,
    from: on("2027-04-10"),
  });
  expect(mail).toMatchObject({
    to: "ann@example.com",
    subject: "The price of your Mini plan changes on April 10, 2027",
  });
  expect(mail.text).toContain(
    "From your renewal on April 10, 2027, your Mini plan costs $4.50 a month instead of $3 a month. Nothing changes before then.",
  );
  expect(mail.text).toContain("cancel it or choose another plan in your account before April 10, 2027");
  expect(mail.text).toMatch(/Price now:? +\$3 a month/);
  expect(mail.text).toMatch(/New price:? +\$4\.50 a month/);
  expect(mail.text).toMatch(/New price from:? +April 10, 2027/);
  expect(mail.text).toContain("Cancel or change your plan");
  expect(mail.text).toContain("https://pictures.example/account");
});

// The effects, over months.

type File = { mini: number; plus?: number; pro?: number; from?: string | undefined; euros?: boolean };
const brand = ({ mini, plus = 5, pro = 10, from, euros = false }: File) => {
  const plan = (name: string, price: number) => `
  ${name}:
    monthly: { USD: ${price}${euros ? `, EUR: ${price}` : ""} }
    yearly: { USD: ${price * 10}${euros ? `, EUR: ${price * 10}` : ""} }
    ${from === undefined ? "" : `existing_subscribers_from: ${from}`}`;
  return `
currencies: { other: USD, IN: INR${euros ? ", DE: EUR" : ""} }
plans:${plan("mini", mini)}${plan("plus", plus)}${plan("pro", pro)}
`;
};
const clock = heldClock();
const dataFolder = mkdtempSync(join(tmpdir(), "tintype-price-moves-"));
let app: TestApp | undefined;
const running = () => {
  if (!app) throw new Error("No server is running.");
  return app;
};
const restart = async (file: File) => {
  await app?.close();
  app = undefined;
  app = await startTestApp({
    clock,
    dataFolder,
    environment: {
      TINTYPE_BRAND: brand(file),
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_COUNTRY_HEADER: "x-country",
    },
  });
  // After a restart the test's token issuer has another address, but its people are the same.
  const { subject } = await app.person();
  const [one] = await app.db.select().from(accounts).where(eq(accounts.subject, subject));
  await app.db.update(accounts).set({ issuer: one?.issuer ?? "" });
};
afterAll(async () => {
  await app?.close();
  rmSync(dataFolder, { recursive: true, force: true });
  setPlans(tintypePlans);
});
const { passDays, somebody } = shopping(running, clock);
/** Passes the last week day by day, as a running server experiences it, and the days before it at once: no renewal may be among them. */
const until = async (day: string) => {
  const days = () => Math.ceil((on(day).getTime() - clock.now().getTime()) / 86_400_000);
  if (days() > 7) await passDays(days() - 7);
  while (days() > 0) await passDays(1);
};
type Person = Awaited<ReturnType<typeof somebody>>;
/** A person after a restart, when the server has another address. */
const again = async (subject: string): Promise<Person> => {
  const person = await running().person("hobby", { sub: subject });
  return { ...shopper(running(), person), subject };
};
const paidBy = async (person: Person) =>
  (await person.transactions()).transactions.map(({ amount_minor }) => amount_minor).reverse();
const pricesOf = async (person: Person) => {
  const { price, next_price } = (await person.json<Record<string, unknown>>("/api/user-info")).body;
  return { price, next_price };
};
const priceMails = async (subject: string) =>
  (await insideOf(running()).mailsTo(subject)).filter((kind) => kind?.startsWith("price-"));
const rowOf = async (subject: string) => {
  const accountId = await insideOf(running()).accountOf(subject);
  const rows = await running().db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId));
  return rows.find(({ state }) => state !== "ended");
};
const sentTo = async (gatewayId: string | null | undefined) =>
  (
    await running()
      .db.select()
      .from(sandboxRecords)
      .where(and(eq(sandboxRecords.kind, "webhook"), eq(sandboxRecords.parent, gatewayId ?? "")))
  ).length;

// product: price-change
test("a changed price over months: mailed first, paid at the first renewal after, and never by whom it does not reach", {
  timeout: 300_000,
}, async () => {
  await restart({ mini: 3, euros: true });
  const names = ["ann", "bob", "cat", "dan", "eve", "fay", "gus", "ivy", "jim"] as const;
  type Name = (typeof names)[number];
  const subjects = {} as Record<Name, string>; // filled by the loop
  const bought: Record<Name, [string, object?]> = {
    ann: ["mini"],
    bob: ["mini"],
    cat: ["mini"],
    dan: ["plus"],
    eve: ["mini", { card: cards.keepsPlan }],
    fay: ["mini", { headers: { "x-country": "DE" } }],
    gus: ["pro"],
    ivy: ["mini"],
    jim: ["mini", { card: cards.renewalFailsOnce }],
  };
  for (const name of names) {
    const person = await somebody();
    subjects[name] = person.subject;
    const { upgraded } = await person.buy(...bought[name]);
    expect(upgraded.status, name).toBe(200);
  }
  const hal = await somebody();
  await hal.buy("mini", { cycle: "yearly" });
  const people = async () =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await again(subjects[name])]))) as Record<
      Name,
      Person
    >; // each name has one

  await until("2026-03-15");
  await restart({ mini: 4, plus: 6, pro: 8, from: "2026-05-01" });
  let { ann, bob, cat, dan, eve, fay, gus, ivy, jim } = await people();
  const usd = (amount_minor: number) => ({ amount_minor, currency: "USD" });
  expect(await pricesOf(ann)).toEqual({ price: usd(300), next_price: null });
  await until("2026-03-24");
  expect(await priceMails(subjects.ann), "44 days before, and no sooner").toEqual([]);
  await until("2026-03-28");
  for (const name of names)
    expect(await priceMails(subjects[name]), name).toEqual(name === "fay" ? [] : ["price-announced"]);
  expect(await priceMails(hal.subject)).toEqual([]);
  expect(await pricesOf(ann)).toEqual({
    price: usd(300),
    next_price: { ...usd(400), from: "2026-05-10T12:00:00.000Z" },
  });
  expect(await pricesOf(gus)).toMatchObject({ price: usd(1000), next_price: usd(800) });

  await until("2026-04-12");
  expect(await paidBy(ann), "before the day: the old price").toEqual([300, 300]);
  expect((await ivy.info()).plan).toBe("mini");
  // Before the first renewal at the new price.
  await bob.cancel((await bob.info()).subscription_id ?? "");
  await cat.cancel((await cat.info()).subscription_id ?? "");
  expect((await cat.keep()).status).toBe(200);
  expect((await dan.buy("mini", { mode: "at_renewal" })).upgraded.status).toBe(200);
  expect(await pricesOf(bob)).toEqual({ price: usd(300), next_price: null });
  expect(await pricesOf(cat)).toMatchObject({ next_price: usd(400) });
  await until("2026-05-06");
  const before = await rowOf(subjects.ann);
  expect(before?.moveState).toBe("announced");
  const sentBefore = await sentTo(before?.gatewayId);
  await until("2026-05-08");
  expect(await rowOf(subjects.ann)).toMatchObject({ moveState: "scheduled", amountMinor: 300 });
  // The server died after the gateway's response, before recording it: nothing is sent twice.
  expect(await sentTo(before?.gatewayId)).toBe(sentBefore + 1);
  await running()
    .db.update(subscriptions)
    .set({ moveState: "sending" })
    .where(eq(subscriptions.id, before?.id ?? ""));
  await until("2026-05-09");
  expect(await rowOf(subjects.ann)).toMatchObject({ moveState: "scheduled", amountMinor: 300 });
  expect(await sentTo(before?.gatewayId)).toBe(sentBefore + 1);

  await until("2026-05-12");
  expect(await paidBy(ann)).toEqual([300, 300, 400]);
  expect(await pricesOf(ann)).toEqual({ price: usd(400), next_price: null });
  // Declined on the first day and paid on the next, both times at the new price.
  const tried = (await jim.transactions()).transactions.map((one) => `${one.amount_minor} ${one.status}`).reverse();
  expect(tried).toEqual(["300 captured", "300 failed", "300 captured", "400 failed", "400 captured"]);
  expect(await pricesOf(jim)).toEqual({ price: usd(400), next_price: null });
  expect(await paidBy(bob), "cancelled: nothing more").toEqual([300, 300]);
  expect(await bob.info()).toMatchObject({ plan: "hobby" });
  expect(await paidBy(cat), "cancelled and kept").toEqual([300, 300, 400]);
  expect(await paidBy(dan), "another plan at renewal, at that plan's price").toEqual([500, 500, 400]);
  expect(await paidBy(eve), "refused by the gateway").toEqual([300, 300, 300]);
  expect(await rowOf(subjects.eve)).toMatchObject({ moveState: "refused", amountMinor: 300 });
  expect(await pricesOf(eve)).toEqual({ price: usd(300), next_price: null });
  expect(await priceMails(subjects.eve)).toEqual(["price-announced", "price-refused"]);
  expect(await paidBy(fay), "a currency that is not sold in any more").toEqual([300, 300, 300]);
  expect(await pricesOf(fay)).toEqual({ price: { amount_minor: 300, currency: "EUR" }, next_price: null });
  expect(await paidBy(gus), "cheaper").toEqual([1000, 1000, 800]);
  const refusals = await insideOf(running()).auditOf("price-refused");
  expect(refusals.map(({ detail }) => detail)).toMatchObject([{ reason: expect.stringContaining("payment method") }]);

  // Unused days are refunded at the price that was paid.
  const now = (await ann.quote("plus")).body.ways.find(({ mode }) => mode === "now");
  expect(now).toMatchObject({ price_minor: 600, refund: { amount_minor: Math.floor((400 * 29) / 31), days: 29 } });
  await until("2026-06-12");
  expect(await paidBy(ann)).toEqual([300, 300, 400, 400]);
  for (const name of ["ann", "cat", "gus", "ivy"] as const)
    expect(await priceMails(subjects[name]), `${name}: once`).toEqual(["price-announced"]);

  // Raised once more, from a day too close for the notice.
  await restart({ mini: 5, plus: 6, pro: 8, from: "2026-06-15" });
  ({ ann, ivy } = await people());
  await until("2026-06-28");
  expect(await pricesOf(ann)).toEqual({
    price: usd(400),
    next_price: { ...usd(500), from: "2026-08-10T12:00:00.000Z" },
  });
  await until("2026-07-12");
  expect(await paidBy(ann), "28 days after the change").toEqual([300, 300, 400, 400, 400]);
  // The mail to Ivy bounces.
  await running()
    .db.update(outboxMails)
    .set({ failedAt: clock.now(), dueAt: null })
    .where(
      and(
        eq(outboxMails.accountId, await insideOf(running()).accountOf(subjects.ivy)),
        like(outboxMails.key, "price-%"),
      ),
    );
  await until("2026-08-12");
  expect(await paidBy(ann)).toEqual([300, 300, 400, 400, 400, 500]);
  expect(await paidBy(ivy), "who got no mail pays no more").toEqual([300, 300, 400, 400, 400, 400]);
  // The mail of spring has been deleted by now.
  expect(await priceMails(subjects.ivy)).toEqual(["price-announced"]);

  // A change withdrawn in the file is withdrawn for everyone who was mailed.
  await restart({ mini: 4.5, plus: 6, pro: 9, from: "2026-09-20" });
  await until("2026-09-05");
  ({ ann, gus } = await people());
  expect(await pricesOf(gus)).toMatchObject({ price: usd(800), next_price: usd(900) });
  await restart({ mini: 4.5, plus: 6, pro: 9 });
  ({ ann, gus } = await people());
  await until("2026-09-07");
  expect(await priceMails(subjects.gus)).toEqual(["price-announced", "price-withdrawn"]);
  expect(await pricesOf(gus)).toEqual({ price: usd(800), next_price: null });
  await until("2026-09-12");
  await until("2026-10-12");
  expect((await paidBy(gus)).slice(-2)).toEqual([800, 800]);
  expect((await paidBy(ann)).slice(-2)).toEqual([500, 500]);
});
