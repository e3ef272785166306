import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setPlans } from "@tintype/contract";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { tintypePlans } from "../../platform/brand/plan-rules.ts";
import { shopping } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";
import { payments, subscriptions } from "./tables.ts";

// A service whose brand file sets its own plans, prices and currencies.
const brand = (mini: number) => `
name: Salt & Silver
currencies: { other: EUR, IN: INR }
plans:
  guest: { credits: 2, files_per_batch: 1, megabytes_per_file: 1 }
  mini: { name: Starter, credits: 150, monthly: { EUR: ${mini} }, yearly: { EUR: 45 } }
  plus: { monthly: { EUR: 8 }, yearly: { EUR: 80 } }
  pro: { monthly: { EUR: 16, INR: 1200 }, yearly: { EUR: 160, INR: 12000 } }
`;
const clock = heldClock();
const dataFolder = mkdtempSync(join(tmpdir(), "tintype-prices-"));
const start = (mini: number) =>
  startTestApp({
    clock,
    dataFolder,
    environment: {
      TINTYPE_BRAND: brand(mini),
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_COUNTRY_HEADER: "x-country",
    },
  });
let app: TestApp;
beforeAll(async () => {
  app = await start(4.5);
});
afterAll(async () => {
  await app.close();
  rmSync(dataFolder, { recursive: true, force: true });
  setPlans(tintypePlans);
});
const { endRenewals, passDays, somebody } = shopping(() => app, clock);
afterEach(endRenewals);

test("what is quoted, charged, written and limited is what the file says", async () => {
  const ann = await somebody();
  expect((await ann.json("/api/get-location")).body).toMatchObject({ currency: "EUR" });
  const { body: quote } = await ann.json<{ ways: unknown[] }>("/api/plan-change?plan_id=mini&billing_cycle=monthly");
  expect(quote.ways).toMatchObject([{ charge_today_minor: 450, price_minor: 450, currency: "EUR" }]);
  const { upgraded } = await ann.buy("mini");
  expect(upgraded).toMatchObject({ status: 200, body: { plan: "mini" } });
  expect(await ann.info()).toMatchObject({ plan: "mini", limit: 150 });
  const { transactions } = await ann.transactions();
  expect(transactions).toMatchObject([{ amount_minor: 450, currency: "EUR", status: "captured", is_test: true }]);
  const [sold] = await app.db.select().from(subscriptions);
  expect(sold).toMatchObject({ plan: "mini", amountMinor: 450, currency: "EUR" });
});

test("a country with a currency of its own pays in it, at our price where the file has none", async () => {
  const ravi = await somebody();
  await ravi.buy("pro", { cycle: "yearly", headers: { "x-country": "IN" } });
  const tom = await somebody();
  await tom.buy("plus", { headers: { "x-country": "IN" } });
  expect((await ravi.transactions()).transactions).toMatchObject([{ amount_minor: 1_200_000, currency: "INR" }]);
  expect((await tom.transactions()).transactions).toMatchObject([{ amount_minor: 42_500, currency: "INR" }]);
});

test("the guest's limits are the file's, in what is told and in what is refused", async () => {
  const guest = app.caller();
  expect(await (await guest.call("/api/config")).json()).toMatchObject({
    tier: "guest",
    limits: { credits: 2, filesPerBatch: 1, megabytesPerFile: 1 },
    usage: { used: 0, limit: 2 },
  });
  const png = samplePng(16, 16);
  const two = [1, 2].map((number) => ({ name: `${number}.png`, bytes: png }));
  const refused = await guest.run("resize", two, { width: "4" });
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain("up to 1 file");
  const one = await guest.run("resize", [{ name: "large.png", bytes: new Uint8Array(1_200_000) }], { width: "4" });
  expect(one.status).toBe(413);
  await one.arrayBuffer();
});

test("another price in the file is for what is bought then; who has the plan renews at the price they bought it at", async () => {
  const eve = await somebody();
  await eve.buy("mini");
  await app.close();
  app = await start(6);
  const dan = await somebody();
  await dan.buy("mini");
  expect((await dan.transactions()).transactions).toMatchObject([{ amount_minor: 600 }]);
  await passDays(32);
  const paid = await app.db.select().from(payments).where(eq(payments.plan, "mini"));
  // Eve's two, and Ann's earlier one.
  expect(paid.filter(({ amountMinor }) => amountMinor === 450).length).toBe(3);
  expect(paid.filter(({ amountMinor }) => amountMinor === 600).length).toBe(2);
});
