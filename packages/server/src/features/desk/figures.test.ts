import type { DeskFigures } from "@tintype/contract";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { cards, insideOf, knownSecret, shopper, shopping } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";
import { readRevenue } from "../billing/figures.ts";
import { auditLines, payments } from "../billing/tables.ts";
import { creditEntries } from "../credits/tables.ts";
import { grantRole } from "./operators.ts";

// The desk's figures, from real purchases and pictures. The clock is at the end of a month.
const clock = heldClock(new Date("2026-03-31T23:30:00Z"));
let app: TestApp;
let inside: ReturnType<typeof insideOf>;
beforeAll(async () => {
  app = await startTestApp({ clock, environment: { TINTYPE_SECRET: knownSecret } });
  inside = insideOf(app);
});
afterAll(() => app.close());
const { endRenewals, passDays, somebody } = shopping(() => app, clock);
afterEach(endRenewals);

async function operator() {
  const person = await app.person();
  const accountId = await inside.accountOf(person.subject);
  await grantRole(app.db, { at: clock.now(), actor: "command", reason: "a test", accountId, role: "read-only" });
  const ask = (query: string) => person.call(`/api/admin/figures${query}`);
  return { ask, read: async (query: string) => (await (await ask(query)).json()) as DeskFigures };
}

test("payments count on their day in UTC by currency, with what went back of them, and failed ones not at all", async () => {
  const { read } = await operator();
  const [ann, bob, eve] = [await somebody(), await somebody(), await somebody()];
  await ann.buy("plus");
  await bob.buy("pro");
  await eve.buy("mini", { card: cards.declined });
  const [first] = (await ann.transactions()).transactions;
  await app.db
    .update(payments)
    .set({ refund: "done", refundMinor: 200, currency: "EUR", isTest: false })
    .where(eq(payments.id, first?.id ?? ""));
  const { revenue } = await read("?from=2026-03-31&to=2026-03-31");
  expect(revenue).toEqual([
    { step: "2026-03-31", currency: "EUR", is_test: false, payments: 1, paid_minor: 500, refunded_minor: 200 },
    { step: "2026-03-31", currency: "USD", is_test: true, payments: 1, paid_minor: 1000, refunded_minor: 0 },
  ]);
  // 23:30 UTC is the next day further east.
  const inTheEast = await app.db.transaction(async (tx) => {
    await tx.execute(sql`set local time zone 'Asia/Kolkata'`);
    return readRevenue(tx, { from: "2026-03-31", to: "2026-03-31", by: "day" });
  });
  expect(inTheEast).toEqual(revenue);
  expect((await read("?from=2026-03-01&to=2026-03-31&by=month")).revenue).toEqual(
    revenue.map((row) => ({ ...row, step: "2026-03" })),
  );
  expect((await read("?from=2026-03-01&to=2026-03-30")).revenue).toEqual([]);
  expect((await read("?from=2026-04-01&to=2026-04-30")).revenue).toEqual([]);
});

test("sums pass the largest integer of PostgreSQL", async () => {
  const { read } = await operator();
  const [any] = await app.db.select().from(payments).limit(1);
  if (!any) throw new Error("no payment");
  const at = new Date("2025-01-02T03:04:05Z");
  const rows = ["pay_a", "pay_b"].map((id) => ({
    ...any,
    id,
    at,
    amountMinor: 2_000_000_000,
    currency: "INR" as const,
  }));
  await app.db.insert(payments).values(rows);
  const { revenue } = await read("?from=2025-01-01&to=2025-12-31&by=month");
  expect(revenue).toMatchObject([{ step: "2025-01", currency: "INR", paid_minor: 4_000_000_000 }]);
});

test("who comes from Hobby is new and who goes back to it is lost, also by deletion; a change between paid plans is neither", async () => {
  const { read } = await operator();
  await app.db.delete(auditLines);
  const [ann, bob] = [await app.person(), await somebody()];
  const shopOfAnn = shopper(app, ann);
  await shopOfAnn.buy("plus");
  await bob.buy("mini");
  await bob.buyNow("pro");
  expect((await bob.info()).plan).toBe("pro");
  await passDays(1);
  const { email } = (await (await ann.call("/api/user-info")).json()) as { email: string };
  expect((await ann.call("/api/delete-account", { json: { email } })).status).toBe(204);
  const { subscriptions } = await read("?from=2026-03-31&to=2026-04-30");
  expect(subscriptions).toEqual([
    { step: "2026-03-31", plan: "mini", new: 1, lost: 0 },
    { step: "2026-03-31", plan: "plus", new: 1, lost: 0 },
    { step: "2026-04-01", plan: "plus", new: 0, lost: 1 },
  ]);
});

test("credits count by the plan at the time and by operation, without those that came back", async () => {
  const { read } = await operator();
  const guest = app.caller();
  const pro = await app.person("pro");
  const picture = { name: "a.png", bytes: samplePng(30, 20) };
  const broken = { name: "b.png", bytes: picture.bytes.slice(0, 60) };
  expect((await guest.run("convert", [picture], { target_format: "webp" })).status).toBe(200);
  expect((await pro.run("convert", [picture, picture], { target_format: "webp" })).status).toBe(200);
  expect((await pro.run("resize", [picture, broken], { width: "10" })).status).toBe(200);
  const day = clock.now().toISOString().slice(0, 10);
  const expected = [
    { step: day, plan: "guest", operation: "convert", files: 1, credits: 1 },
    { step: day, plan: "pro", operation: "convert", files: 2, credits: 2 },
    { step: day, plan: "pro", operation: "resize", files: 1, credits: 1 },
  ];
  expect((await read(`?from=${day}&to=${day}`)).credits).toEqual(expected);
  // A charge from before the ledger recorded plans.
  await app.db.update(creditEntries).set({ tier: null }).where(eq(creditEntries.operation, "resize"));
  expect((await read(`?from=${day}&to=${day}&by=month`)).credits).toEqual(
    expected.map((row) => ({ ...row, step: day.slice(0, 7), plan: row.operation === "resize" ? null : row.plan })),
  );
});

test("the last thirty days are read where none are named, and a span that is too long or turned round is refused", async () => {
  const { ask, read } = await operator();
  const to = clock.now();
  const from = new Date(to.getTime() - 29 * 86_400_000);
  const dayOf = (at: Date) => at.toISOString().slice(0, 10);
  expect(await read("")).toMatchObject({ from: dayOf(from), to: dayOf(to), by: "day" });
  for (const [query, detail] of [
    ["?from=2026-02-02&to=2026-02-01", "from: choose a day that is not after `to`."],
    ["?from=2024-01-01&to=2025-12-31", "from: choose at most 366 days at a time, or `by=month`."],
    ["?from=2020-01-01&to=2025-12-31&by=month", "from: choose at most 1100 days at a time."],
  ]) {
    const answer = await ask(query ?? "");
    expect(answer.status, query).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid-request", field: "from", detail });
  }
  expect((await ask("?by=year")).status).toBe(400);
  expect((await (await app.person()).call("/api/admin/figures")).status).toBe(404);
  expect((await app.caller().call("/api/admin/figures")).status).toBe(404);
});
