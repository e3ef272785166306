import type { DeskRole } from "@tintype/contract";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { sandboxRecords } from "../../platform/db/tables.ts";
import { insideOf, knownSecret, refundAtGateway, shopping } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { accounts } from "../accounts/tables.ts";
import { payments } from "../billing/tables.ts";
import { grantRole } from "./operators.ts";
import { adminAudit } from "./tables.ts";

// Payments and plans at the desk, against the payment sandbox.
const clock = heldClock();
let app: TestApp;
let inside: ReturnType<typeof insideOf>;
beforeAll(async () => {
  app = await startTestApp({
    clock,
    environment: { TINTYPE_TRUSTED_PROXIES: "127.0.0.1", TINTYPE_SECRET: knownSecret },
  });
  inside = insideOf(app);
});
afterAll(() => app.close());
const { endRenewals, passDays, somebody } = shopping(() => app, clock);
afterEach(endRenewals);

const reason = "They asked for it";
async function operatorOf(role: DeskRole) {
  const person = await app.person();
  const accountId = await inside.accountOf(person.subject);
  await grantRole(app.db, { at: clock.now(), actor: "command", reason, accountId, role });
  const act = (path: string, body: object = {}) => person.call(`/api/admin${path}`, { json: { ...body, reason } });
  return { ...person, accountId, act };
}
async function buyer(plan = "plus", cycle = "monthly") {
  const person = await somebody();
  const { subscriptionId } = await person.buy(plan, { cycle });
  const [payment] = (await person.transactions()).transactions;
  if (!payment) throw new Error("no payment");
  return { ...person, subscriptionId, paymentId: payment.id, id: await inside.accountOf(person.subject) };
}
const returnedAtGateway = async (paymentId: string) => {
  const [row] = await app.db.select().from(sandboxRecords).where(eq(sandboxRecords.id, paymentId));
  return (row?.body as { amount_refunded: number } | undefined)?.amount_refunded; // as the sandbox stores payments
};
const refundOnDashboard = (paymentId: string, amountMinor: number) => refundAtGateway(app, paymentId, amountMinor);
/** The refund's state in our own rows. */
const refundOf = async (paymentId: string) => {
  const [row] = await app.db.select().from(payments).where(eq(payments.id, paymentId));
  return row && [row.status, row.refund, row.refundMinor, row.refundedBeforeMinor];
};
const detailOf = async (answer: Response) => ((await answer.json()) as { detail: string }).detail;
const actionsOn = async (subject: string) =>
  (await app.db.select().from(adminAudit).where(eq(adminAudit.subject, subject)).orderBy(adminAudit.id)).map(
    ({ action }) => action,
  );

test("a part of a payment whose period is over goes back once, and the plan goes on", async () => {
  const [owner, ann] = [await operatorOf("owner"), await buyer()];
  await passDays(35);
  const refund = (amount_minor: number) =>
    owner.act(`/payments/${ann.paymentId}/refund`, { amount_minor, ends_plan: false });
  expect((await refund(501)).status).toBe(400);
  expect((await refund(99)).status).toBe(400);
  const answers = await Promise.all([refund(200), refund(200), refund(200)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
  await app.sweep();
  expect(await returnedAtGateway(ann.paymentId)).toBe(200);
  expect((await ann.transactions()).transactions).toMatchObject([
    { amount_minor: 500, refunded_minor: 0 },
    { amount_minor: 500, refunded_minor: 200 },
  ]);
  expect(await ann.info()).toMatchObject({ plan: "plus", subscription_status: "active" });
  expect(await inside.mailsTo(ann.subject)).toContain("refunded");
  expect(await actionsOn(ann.paymentId)).toEqual(["payment-refunded"]);
  expect((await owner.act("/payments/pay_none/refund", { amount_minor: 100, ends_plan: false })).status).toBe(404);
});

test("no part of a payment whose period is running goes back while the plan goes on: its unused days keep their price", async () => {
  const [owner, ann] = [await operatorOf("owner"), await buyer("mini", "yearly")];
  const refundsOfPro = async () => (await ann.quote("pro")).body.ways.map(({ refund }) => refund?.amount_minor ?? 0);
  const before = await refundsOfPro();
  expect(before).toContain(3200);
  const refund = (ends_plan: boolean) =>
    owner.act(`/payments/${ann.paymentId}/refund`, { amount_minor: 100, ends_plan });
  const refused = await refund(false);
  expect(refused.status).toBe(409);
  expect(await detailOf(refused)).toContain("Refund the whole payment, end the plan, or add credits");
  await app.sweep();
  expect(await returnedAtGateway(ann.paymentId)).toBe(0);
  expect(await refundsOfPro()).toEqual(before);
  expect(await actionsOn(ann.paymentId)).toEqual([]);
  expect(await inside.mailsTo(ann.subject)).not.toContain("refunded");

  expect((await refund(true)).status).toBe(204);
  await app.sweep();
  expect(await returnedAtGateway(ann.paymentId)).toBe(100);
  expect(await ann.info()).toMatchObject({ plan: "hobby" });
});

test("no more goes back than is left after a refund on the gateway's dashboard", async () => {
  const [owner, ann] = [await operatorOf("owner"), await buyer()];
  const refund = (amount_minor: number, ends_plan = true) =>
    owner.act(`/payments/${ann.paymentId}/refund`, { amount_minor, ends_plan });
  await refundOnDashboard(ann.paymentId, 300);
  for (const amount of [500, 201]) {
    const refused = await refund(amount);
    expect(refused.status).toBe(409);
    expect(await detailOf(refused)).toContain("$3 of this payment already. Enter no more than $2.");
  }
  await app.sweep();
  expect(await refundOf(ann.paymentId)).toEqual(["captured", "none", null, 0]);
  expect(await inside.mailsTo(ann.subject)).not.toContain("refunded");
  expect(await actionsOn(ann.paymentId)).toEqual([]);

  // Refunding all that is left is not a partial refund: an upgrade has nothing left to refund.
  expect((await refund(200, false)).status).toBe(204);
  await app.sweep();
  expect(await returnedAtGateway(ann.paymentId)).toBe(500);
  expect(await refundOf(ann.paymentId)).toEqual(["refunded", "done", 200, 300]);

  const bob = await buyer();
  await refundOnDashboard(bob.paymentId, 450);
  const nothing = await owner.act(`/payments/${bob.paymentId}/refund`, { amount_minor: 100, ends_plan: true });
  expect(nothing.status).toBe(409);
  expect(await detailOf(nothing)).toContain("Nothing more can be refunded");
});

test("a refund that the gateway refuses is done only where the money went back on top of what the dashboard refunded before", async () => {
  const ann = await buyer();
  const want = (refundedBeforeMinor: number) =>
    app.db
      .update(payments)
      .set({ refund: "wanted", refundMinor: 200, refundedBeforeMinor, refundDueAt: clock.now() })
      .where(eq(payments.id, ann.paymentId));
  // The gateway refuses 200 more of 500.
  await refundOnDashboard(ann.paymentId, 350);
  await want(200);
  await app.sweep();
  expect(await refundOf(ann.paymentId)).toEqual(["captured", "wanted", 200, 200]);
  await want(150);
  await app.sweep();
  expect(await refundOf(ann.paymentId)).toEqual(["captured", "done", 200, 150]);
  expect(await returnedAtGateway(ann.paymentId)).toBe(350);
});

test("nothing is refunded while the gateway does not say what it has refunded already", async () => {
  const [owner, ann] = [await operatorOf("owner"), await buyer()];
  const [record] = await app.db.select().from(sandboxRecords).where(eq(sandboxRecords.id, ann.paymentId));
  const atGateway = (body: unknown) =>
    app.db.update(sandboxRecords).set({ body }).where(eq(sandboxRecords.id, ann.paymentId));
  const refund = () => owner.act(`/payments/${ann.paymentId}/refund`, { amount_minor: 500, ends_plan: true });
  await atGateway({ id: ann.paymentId });
  expect((await refund()).status).toBe(503);
  expect(await refundOf(ann.paymentId)).toEqual(["captured", "none", null, 0]);
  expect(await ann.info()).toMatchObject({ plan: "plus", subscription_status: "active" });
  await atGateway(record?.body);
  expect((await refund()).status).toBe(204);
  await app.sweep();
  expect(await returnedAtGateway(ann.paymentId)).toBe(500);
});

test("a whole payment goes back and its plan ends now, also where it was cancelled for its end", async () => {
  const [owner, ann] = [await operatorOf("owner"), await buyer()];
  await ann.cancel(ann.subscriptionId);
  const refunded = await owner.act(`/payments/${ann.paymentId}/refund`, { amount_minor: 500, ends_plan: true });
  expect(refunded.status).toBe(204);
  await app.sweep();
  expect(await returnedAtGateway(ann.paymentId)).toBe(500);
  expect(await ann.info()).toMatchObject({ plan: "hobby", subscription_id: null });
  expect(await inside.atGateway(ann.subscriptionId)).toEqual({ status: "cancelled" });
  await passDays(40);
  expect(await ann.info()).toMatchObject({ plan: "hobby" });
  expect((await ann.transactions()).transactions).toHaveLength(1);
});

test("a plan that has ended is not ended again, and then nothing is refunded", async () => {
  const [owner, ann] = [await operatorOf("owner"), await buyer()];
  await ann.cancel(ann.subscriptionId);
  await passDays(40);
  const refunded = await owner.act(`/payments/${ann.paymentId}/refund`, { amount_minor: 500, ends_plan: true });
  expect(refunded.status).toBe(409);
  await app.sweep();
  expect(await returnedAtGateway(ann.paymentId)).toBe(0);
  expect(await actionsOn(ann.paymentId)).toEqual([]);
});

test("a plan is cancelled at its end, and the cancellation is taken back", async () => {
  const [owner, ann] = [await operatorOf("owner"), await buyer()];
  expect((await owner.act(`/people/${ann.id}/keep-plan`)).status).toBe(409);
  expect((await owner.act(`/people/${ann.id}/cancel-plan`)).status).toBe(204);
  expect(await ann.info()).toMatchObject({ plan: "plus", subscription_status: "cancellation_scheduled" });
  expect((await owner.act(`/people/${ann.id}/cancel-plan`)).status).toBe(409);
  const page = await (await owner.call(`/api/admin/people/${ann.id}`)).json();
  expect(page).toMatchObject({
    subscription: { id: ann.subscriptionId, status: "cancellation_scheduled", billing_cycle: "monthly" },
    payments: [{ id: ann.paymentId, refund: "none", refunded_minor: 0 }],
    sessions: null,
  });
  expect((await owner.act(`/people/${ann.id}/keep-plan`)).status).toBe(204);
  expect(await ann.info()).toMatchObject({ plan: "plus", subscription_status: "active" });
  expect(await actionsOn(ann.id)).toEqual(["plan-cancelled", "plan-kept"]);
  const found = await owner.call(`/api/admin/people?q=${ann.paymentId}`);
  expect(await found.json()).toMatchObject({ people: [{ id: ann.id }] });
  const bySubscription = await owner.call(`/api/admin/people?q=${ann.subscriptionId}`);
  expect(await bySubscription.json()).toMatchObject({ people: [{ id: ann.id }] });
  const [sale] = await rowsOf<{ id: string }>(
    app.db.execute(sql`select request_id as id from subscriptions where gateway_id = ${ann.subscriptionId}`),
  );
  expect(sale?.id).toMatch(/^req_/);
  const byRequest = await owner.call(`/api/admin/people?q=${sale?.id}`);
  expect(await byRequest.json()).toMatchObject({ people: [{ id: ann.id }] });
});

test("support moves no money: refunds, plans and accounts are not there for it", async () => {
  const [support, ann] = [await operatorOf("support"), await buyer()];
  const answers = [
    await support.act(`/payments/${ann.paymentId}/refund`, { amount_minor: 500, ends_plan: true }),
    await support.act(`/people/${ann.id}/cancel-plan`),
    await support.act(`/people/${ann.id}/keep-plan`),
    await support.act(`/people/${ann.id}/delete`, { email: "ann@example.com" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  await app.sweep();
  expect(await returnedAtGateway(ann.paymentId)).toBe(0);
  expect(await ann.info()).toMatchObject({ plan: "plus", subscription_status: "active" });
});

test("another provider's sessions and addresses are not ours to change", async () => {
  const [support, ann] = [await operatorOf("support"), await somebody()];
  const id = await inside.accountOf(ann.subject);
  expect((await support.act(`/people/${id}/end-sessions`)).status).toBe(409);
  expect((await support.act(`/people/${id}/verify-address`)).status).toBe(409);
  expect((await support.act(`/people/${id}/block`)).status).toBe(204);
  const [account] = await app.db.select().from(accounts).where(eq(accounts.id, id));
  expect(account?.blockedAt).toEqual(clock.now());
});

test("without a way to send mail no message is answered by it", async () => {
  const support = await operatorOf("support");
  await app.caller().call("/api/contact", { json: { name: "Ann", email: "ann@example.org", message: "Hello" } });
  const list = (await (await support.call("/api/admin/messages")).json()) as { messages: { id: string }[] };
  const id = list.messages[0]?.id ?? "";
  expect((await support.act(`/messages/${id}/answer`, { text: "Good day" })).status).toBe(409);
  expect((await support.act(`/messages/${id}/mark`, { answered: true })).status).toBe(204);
});
