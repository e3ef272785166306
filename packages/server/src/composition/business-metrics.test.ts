import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatewayEvents } from "../features/billing/tables.ts";
import { releaseVersion } from "../platform/release.ts";
import { builtInOf, testPassword } from "../testing/built-in.ts";
import { cards, knownSecret, sendWebhook, shopping } from "../testing/checkout.ts";
import { createCaller, heldClock, startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

// What should alert an operator: payments, sign-ins, and rows that are not sent.
const clock = heldClock();
/** A webhook receiver that always fails. */
const receiver = createServer((_request, response) => void response.writeHead(500).end());
let app: TestApp;
beforeAll(async () => {
  await new Promise<void>((done) => void receiver.listen(0, "127.0.0.1", done));
  app = await startTestApp({
    clock,
    environment: {
      TINTYPE_SECRET: knownSecret,
      TINTYPE_WORK: "picture",
      TINTYPE_URL_INPUT: "on",
      TINTYPE_URL_ALLOW: "127.0.0.1/32",
    },
  });
});
afterAll(async () => {
  await app.close();
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});
const { somebody, passDays, endRenewals } = shopping(() => app, clock);

/** The value of a series, as Prometheus would read it. */
async function read(series: string, of: Pick<TestApp, "baseUrl"> = app): Promise<number> {
  const lines = (await (await createCaller(of.baseUrl).call("/metrics")).text()).split("\n");
  return Number(lines.find((line) => line.startsWith(`${series} `))?.split(" ")[1]);
}
const money = async () => ({
  captured: await read('tintype_payments_total{outcome="captured"}'),
  failed: await read('tintype_payments_total{outcome="failed"}'),
  returned: await read('tintype_refunds_total{outcome="done"}'),
});

test("the release is a metric, and each series of a counter is there before its first count", async () => {
  expect(await read(`tintype_build_info{version="${releaseVersion}"}`)).toBe(1);
  expect(await money()).toEqual({ captured: 0, failed: 0, returned: 0 });
  expect(await read('tintype_sign_ins_failed_total{way="passkey"}')).toBe(0);
});

test("a payment is counted once, however often the gateway tells of it, and a failed renewal as failed", async () => {
  const ann = await somebody();
  const { subscriptionId, signed } = await ann.buy("mini");
  expect(await money()).toMatchObject({ captured: 1, failed: 0 });
  for (let times = 0; times < 3; times++)
    await sendWebhook(app, { kind: "subscription.charged", subscriptionId, paymentId: signed.razorpay_payment_id });
  await ann.upgrade("mini", signed);
  await app.sweep();
  expect(await money()).toEqual({ captured: 1, failed: 0, returned: 0 });
  await endRenewals();

  await (await somebody()).buy("plus", { card: cards.renewalFailsOnce });
  await passDays(31);
  expect((await money()).failed).toBeGreaterThanOrEqual(1);
  await endRenewals();
});

test("money that goes back is counted once the gateway has returned it", async () => {
  const bob = await somebody();
  await bob.buy("mini");
  const { returned } = await money();
  await passDays(5);
  const way = (await bob.quote("pro")).body.ways.find(({ mode }) => mode === "now");
  const agreed = { charge_today_minor: way?.charge_today_minor ?? 0, refund_minor: way?.refund?.amount_minor ?? 0 };
  expect(agreed.refund_minor).toBeGreaterThan(0);
  expect((await bob.buy("pro", { mode: "now", agreed })).upgraded.status).toBe(200);
  await app.sweep();
  await app.sweep();
  expect((await money()).returned).toBe(returned + 1);
  await endRenewals();
});

test("webhooks of the gateway with a wrong signature are counted", async () => {
  const event = { kind: "subscription.charged", subscriptionId: "sub_00000000000000" };
  for (const signature of ["", "0".repeat(64)]) expect(await sendWebhook(app, event, { signature })).toBe(401);
  expect(await sendWebhook(app, event)).toBe(200);
  expect(await read("tintype_payment_webhooks_refused_total")).toBe(2);
});

test("what waits to be sent is told by its kind, and a job that still runs is no webhook that waits", async () => {
  const { port } = receiver.address() as AddressInfo; // a TCP server has one
  const person = await app.person();
  const begin = async (operation: string, fields: Record<string, string>) => {
    const options = { ...fields, webhook_url: `http://127.0.0.1:${port}/` };
    const files = [{ name: "a.png", bytes: samplePng(30, 20) }];
    expect((await person.run(operation, files, options, { prefer: "respond-async" })).status).toBe(202);
  };
  const waiting = async (kind: string) => {
    await app.sweep();
    return read(`tintype_outbox_waiting{kind="${kind}"}`);
  };
  // No worker takes it.
  await begin("upscale", { scale_factor: "2" });
  expect(await waiting("webhook")).toBe(0);
  await begin("compress", { quality: "60" });
  await expect.poll(() => waiting("webhook")).toBe(1);
  const now = clock.now();
  await app.db.insert(gatewayEvents).values({
    id: "event_later",
    kind: "subscription.charged",
    receivedAt: now,
    dueAt: new Date(now.getTime() + 60_000),
  });
  expect(await waiting("payment-event")).toBe(1);
  expect(await read('tintype_outbox_overdue_seconds{kind="payment-event"}')).toBe(0);
});

test("sign-ins that the built-in provider refuses are counted by their way, and no address becomes a label", async () => {
  const origin = "http://localhost:54339";
  const own = await startTestApp({
    environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin, TINTYPE_METRICS_TOKEN: "metrics-token-1234" },
  });
  try {
    const idp = builtInOf(own, origin);
    await idp.signUp("gus@example.com");
    expect((await idp.signIn("gus@example.com", testPassword)).status).toBe(200);
    expect((await idp.signIn("gus@example.com", "not the password")).status).toBe(401);
    expect((await idp.signIn("nobody@example.com", testPassword)).status).toBe(401);
    expect((await idp.ask("/passkey/verify-authentication", { json: { response: {} } })).status).toBe(400);
    expect((await idp.ask("/two-factor/verify-totp", { json: { code: "000000" } })).status).toBe(401);
    const metrics = await (await own.caller("metrics-token-1234").call("/metrics")).text();
    expect(metrics.match(/^tintype_sign_ins_failed_total.*$/gm)).toEqual([
      'tintype_sign_ins_failed_total{way="password"} 2',
      'tintype_sign_ins_failed_total{way="second-factor"} 1',
      'tintype_sign_ins_failed_total{way="passkey"} 1',
    ]);
    expect(metrics).not.toContain("example.com");
  } finally {
    await own.close();
  }
});
