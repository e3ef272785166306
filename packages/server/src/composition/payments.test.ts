import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { priceOfPlan } from "@tintype/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { GatewayError } from "../platform/payments/gateway.ts";
import { checkPlans, offerKey, offersSold, readPlanIds } from "../platform/payments/plan-ids.ts";
import { createRazorpay } from "../platform/payments/razorpay.ts";
import { checkPlansAtStart, choosePayments } from "./payments.ts";

const secret = "a secret that is long enough for the tests";
const choose = (environment: Record<string, string>) =>
  choosePayments(readConfig({ TINTYPE_SECRET: secret, ...environment }));
const pairs = offersSold().map((offer) => `${offerKey(offer)}=plan_${offerKey(offer).replaceAll("-", "")}`);
const razorpay = {
  RAZORPAY_KEY_ID: "rzp_live_x",
  RAZORPAY_KEY_SECRET: "key secret",
  RAZORPAY_WEBHOOK_SECRET: "webhook secret",
  RAZORPAY_PLANS: pairs.join(", "),
};

/** A gateway with the expected plans, unless a test changes one. */
type Plan = { period: string; interval: number; item: { amount: number; currency: string } };
const plans = new Map<string, Plan>();
const gatewayServer = createServer((request, response) => {
  const id = request.url?.replace("/plans/", "") ?? "";
  const plan = plans.get(id);
  response.writeHead(plan ? 200 : 400, { "content-type": "application/json" });
  response.end(JSON.stringify(plan ? { id, ...plan } : { error: { code: "BAD_REQUEST_ERROR", description: "no" } }));
});
const ids = readPlanIds(pairs);
const gateway = createRazorpay({
  baseUrl: () => `http://127.0.0.1:${(gatewayServer.address() as AddressInfo).port}`, // a TCP server has one
  keyId: "rzp_test_x",
  keySecret: "x",
  webhookSecret: "x",
  checkoutScript: "",
  isTest: true,
});
beforeAll(() => new Promise<void>((done) => void gatewayServer.listen(0, "127.0.0.1", done)));
afterAll(() => new Promise((done) => gatewayServer.close(done)));
const fill = () => {
  for (const offer of offersSold()) {
    const amount = priceOfPlan(offer);
    plans.set(ids.get(offerKey(offer)) ?? "", {
      period: offer.cycle,
      interval: 1,
      item: { amount, currency: offer.currency },
    });
  }
};

test("twelve offers, each with its own plan at the gateway", async () => {
  fill();
  expect(ids.size).toBe(12);
  expect(await checkPlans(gateway, ids)).toEqual([]);
});

test("a plan of another amount, currency, period or interval, or none at all, is named", async () => {
  fill();
  const spoil = (key: string, change: (plan: Plan) => Plan | undefined) => {
    const id = ids.get(key) ?? "";
    const changed = change(plans.get(id) as Plan);
    if (changed) plans.set(id, changed);
    else plans.delete(id);
  };
  spoil("mini-monthly-USD", (plan) => ({ ...plan, item: { ...plan.item, amount: 30 } }));
  spoil("mini-yearly-INR", (plan) => ({ ...plan, item: { ...plan.item, currency: "USD" } }));
  spoil("plus-monthly-USD", (plan) => ({ ...plan, period: "yearly" }));
  spoil("plus-yearly-USD", (plan) => ({ ...plan, interval: 2 }));
  spoil("pro-yearly-INR", () => undefined);
  const wrong = await checkPlans(gateway, ids);
  expect(wrong.map((line) => line.split(":")[0])).toEqual([
    "mini-monthly-USD",
    "mini-yearly-INR",
    "plus-monthly-USD",
    "plus-yearly-USD",
    "pro-yearly-INR",
  ]);
  expect(wrong[0]).toBe("mini-monthly-USD: is 30 USD every 1 monthly at the gateway, and 300 USD monthly here");
  expect(wrong[4]).toContain("does not know this plan");
});

test("wrong plans stop the start; a gateway that does not answer only delays the check", async () => {
  const warnings: string[] = [];
  const log = { warn: (_details: object, message: string) => void warnings.push(message) };
  const start = (problem: Error) =>
    checkPlansAtStart({ checkPlans: () => Promise.reject(problem) } as never, log as never);
  await expect(start(new Error("plans differ"))).rejects.toThrow("plans differ");
  await start(new GatewayError("unavailable", "no answer"));
  expect(warnings).toHaveLength(1);
});

test.each([
  ["one is missing", pairs.slice(1), /mini-monthly-USD is missing/],
  ["one is there twice", [...pairs, pairs[0] ?? ""], /there twice/],
  ["two share an id", [...pairs.slice(1), "mini-monthly-USD=plan_minimonthlyINR"], /there twice/],
  ["one is unknown", [...pairs, "hobby-monthly-USD=plan_x"], /is not OFFER=plan_ID/],
  ["an id is none", [...pairs.slice(1), "mini-monthly-USD=price_x"], /is not OFFER=plan_ID/],
])("plan ids: %s", (_what, given, message) => {
  expect(() => readPlanIds(given)).toThrow(message);
});

// product: sandbox-marked
test("the sandbox is refused in production unless it is asked for by name", () => {
  const production = {
    NODE_ENV: "production",
    TINTYPE_ORIGIN: "https://pictures.example",
    DATABASE_URL: "embedded",
    TINTYPE_TRUSTED_PROXIES: "none",
    MAIL: "log",
  };
  expect(() => choose(production)).toThrow(/PAYMENTS=sandbox/);
  expect(() => choose({ ...production, PAYMENTS: "sandbox" })).not.toThrow();
  expect(() => choose({})).not.toThrow();
  expect(() => choose({ ...production, ...razorpay })).not.toThrow();
});

test.each([
  [{ TINTYPE_ORIGIN: "https://pictures.example" }, /TINTYPE_ORIGIN/],
  [{ TINTYPE_ORIGIN: "http://pictures.example" }, /TINTYPE_ORIGIN/],
  [{ TINTYPE_ORIGIN: "https://localhost" }, /TINTYPE_ORIGIN/],
  [{ HOST: "0.0.0.0" }, /HOST=0.0.0.0/],
  [{ HOST: "::" }, /HOST=::/],
  [{ HOST: "192.168.1.5" }, /HOST/],
  [{ HOST: "my-machine" }, /HOST/],
])("the sandbox is refused where others can reach the server: %j", (environment, message) => {
  expect(() => choose(environment)).toThrow(message);
  expect(() => choose({ ...environment, PAYMENTS: "sandbox" })).not.toThrow();
  expect(() => choose({ ...environment, ...razorpay })).not.toThrow();
});

test.each([{ HOST: "127.0.0.1" }, { HOST: "::1" }, { HOST: "localhost", TINTYPE_ORIGIN: "http://127.0.0.1:3000" }])(
  "on this machine alone it needs no word: %j",
  (environment) => {
    expect(() => choose(environment)).not.toThrow();
  },
);

test("half a configuration stops the start with what is missing", () => {
  expect(() => choose({ PAYMENTS: "razorpay" })).toThrow(/RAZORPAY_KEY_ID/);
  expect(() => choose({ ...razorpay, RAZORPAY_KEY_SECRET: "" })).toThrow(/RAZORPAY_KEY_SECRET/);
  expect(() => choose({ ...razorpay, RAZORPAY_PLANS: "" })).toThrow(/mini-monthly-USD is missing/);
});

test("with Razorpay's keys its checkout is allowed on the pages, and no sandbox runs", () => {
  const chosen = choose(razorpay)({} as never);
  expect(chosen.sandbox).toBeUndefined();
  expect(chosen.settings).toEqual({
    gateway: "razorpay",
    test_mode: false,
    checkout_script: "https://checkout.razorpay.com/v1/checkout.js",
  });
  expect(chosen.allowed.scripts).toEqual(["https://checkout.razorpay.com"]);
  expect(choose({ ...razorpay, RAZORPAY_KEY_ID: "rzp_test_x" })({} as never).settings?.test_mode).toBe(true);
});
