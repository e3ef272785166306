import type { DeskPerson, UserInfo } from "@tintype/contract";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sandboxRecords } from "../../platform/db/tables.ts";
import { insideOf, knownSecret, shopper, shopping } from "../../testing/checkout.ts";
import { createCaller, heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { auditLines, payments, subscriptions } from "../billing/tables.ts";
import { allowances, creditEntries } from "../credits/tables.ts";
import { grantRole } from "./operators.ts";
import { adminAudit } from "./tables.ts";

// Granted plans next to subscriptions of the payment sandbox.
const hourMs = 3_600_000;
const clock = heldClock(new Date("2026-03-10T12:00:00Z"));
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
const { endRenewals, passDays } = shopping(() => app, clock);
afterEach(endRenewals);

const reason = "A year for the school";
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * hourMs).toISOString();
async function owner() {
  const person = await app.person();
  const accountId = await inside.accountOf(person.subject);
  await grantRole(app.db, { at: clock.now(), actor: "command", reason, accountId, role: "owner" });
  const act = (id: string, what: string, body: object = {}) =>
    person.call(`/api/admin/people/${id}/${what}`, { json: { ...body, reason } });
  return {
    act,
    grant: (id: string, plan: string, until: string) => act(id, "grant-plan", { plan, until }),
    fetchPerson: async (id: string) => (await (await person.call(`/api/admin/people/${id}`)).json()) as DeskPerson,
  };
}
async function customer() {
  const person = await app.person();
  return { ...person, ...shopper(app, person), id: await inside.accountOf(person.subject) };
}
const infoOf = async (person: TestCaller) => (await (await person.call("/api/user-info")).json()) as UserInfo;
const reserve = (person: TestCaller, file_count: number) =>
  person.call("/api/service-use-multiple", { json: { file_count } });
const entriesOn = (subject: string) =>
  app.db.select().from(adminAudit).where(eq(adminAudit.subject, subject)).orderBy(adminAudit.id);
/** All rows written by billing and the gateway. */
const money = async () => ({
  subscriptions: await app.db.$count(subscriptions),
  payments: await app.db.$count(payments),
  lines: await app.db.$count(auditLines),
  records: await app.db.$count(sandboxRecords),
});

test("a granted plan gives its credits and limits at once, by session and key, without a payment, and ends by itself", async () => {
  const [operator, ann] = [await owner(), await customer()];
  const made = await ann.call("/api/keys", { json: { name: "Script", scopes: ["process", "usage:read"] } });
  const byKey = createCaller(app.baseUrl, ((await made.json()) as { key: string }).key);
  expect((await reserve(ann, 101)).status).toBe(403);
  const before = await money();

  const until = inHours(30);
  expect((await operator.grant(ann.id, "pro", until)).status).toBe(204);
  for (const caller of [ann, byKey])
    expect(await infoOf(caller)).toMatchObject({
      plan: "pro",
      paid_plan: "hobby",
      granted_until: until,
      subscription_status: null,
      limit: 1000,
      window: "day",
      fast_lane: { limit: 1000 },
    });
  expect((await reserve(ann, 180)).status).toBe(200);
  expect(await operator.fetchPerson(ann.id)).toMatchObject({
    plan: "pro",
    paid_plan: "hobby",
    granted: { plan: "pro", until },
    subscription: null,
    credits: { used: 180, limit: 1000, window: "day" },
  });
  expect(await entriesOn(ann.id)).toMatchObject([
    {
      action: "plan-granted",
      reason,
      before: { granted: null, until: null },
      after: { granted: "pro", until },
      requestId: expect.stringMatching(/^req_/),
    },
  ]);

  clock.advance(30 * hourMs - 1);
  expect(await infoOf(ann)).toMatchObject({ plan: "pro" });
  clock.advance(1);
  // No sweep has run: the plan depends only on the time of the request.
  for (const caller of [ann, byKey])
    expect(await infoOf(caller)).toMatchObject({
      plan: "hobby",
      granted_until: null,
      limit: 100,
      window: "month",
    });
  expect(await operator.fetchPerson(ann.id)).toMatchObject({ plan: "hobby", granted: null });
  expect(await money()).toEqual(before);
});

test("it is ended early, once, and granted anew in place of what was granted before", async () => {
  const [operator, ann] = [await owner(), await customer()];
  expect((await operator.act(ann.id, "end-granted-plan")).status).toBe(409);
  const [first, second] = [inHours(24), inHours(48)];
  expect((await operator.grant(ann.id, "mini", first)).status).toBe(204);
  expect((await operator.grant(ann.id, "plus", second)).status).toBe(204);
  expect(await infoOf(ann)).toMatchObject({ plan: "plus", granted_until: second });
  const answers = await Promise.all([1, 2, 3].map(() => operator.act(ann.id, "end-granted-plan")));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
  expect(await infoOf(ann)).toMatchObject({ plan: "hobby", granted_until: null });
  expect((await entriesOn(ann.id)).map(({ action, before, after }) => [action, before, after])).toEqual([
    ["plan-granted", { granted: null, until: null }, { granted: "mini", until: first }],
    ["plan-granted", { granted: "mini", until: first }, { granted: "plus", until: second }],
    ["granted-plan-ended", { granted: "plus", until: second }, { granted: null, until: null }],
  ]);
  expect((await operator.grant("acc_none", "pro", second)).status).toBe(404);
});

test.each([
  { what: "a day that is over", plan: "pro", until: () => inHours(-1), field: "until" },
  { what: "this very moment", plan: "pro", until: () => inHours(0), field: "until" },
  { what: "a day in ten years", plan: "pro", until: () => inHours(87_600), field: "until" },
  { what: "no date", plan: "pro", until: () => "tomorrow", field: "until" },
  { what: "Hobby", plan: "hobby", until: () => inHours(24), field: "plan" },
])("$what is refused", async ({ plan, until, field }) => {
  const [operator, ann] = [await owner(), await customer()];
  const answer = await operator.grant(ann.id, plan, until());
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toContain(field);
  expect(await entriesOn(ann.id)).toEqual([]);
});

test("a better plan that is paid for goes first, and what is bought, renewed or cancelled goes on as without a grant", async () => {
  const [operator, ann] = [await owner(), await customer()];
  await ann.buy("pro");
  expect((await operator.grant(ann.id, "mini", inHours(24 * 60))).status).toBe(204);
  expect(await infoOf(ann)).toMatchObject({ plan: "pro", paid_plan: "pro", granted_until: null });
  expect(await operator.fetchPerson(ann.id)).toMatchObject({ plan: "pro", granted: { plan: "mini" } });
  await operator.act(ann.id, "cancel-plan");
  await passDays(32);
  // The paid plan has ended, the grant has not.
  expect(await infoOf(ann)).toMatchObject({ plan: "mini", paid_plan: "hobby", subscription_status: null });
  await ann.buy("plus");
  expect(await infoOf(ann)).toMatchObject({ plan: "plus", paid_plan: "plus", granted_until: null });
  await operator.grant(ann.id, "pro", inHours(24 * 60));
  await passDays(31);
  expect(await infoOf(ann)).toMatchObject({
    plan: "pro",
    paid_plan: "plus",
    subscription_status: "active",
    billing_cycle: "monthly",
  });
  expect((await ann.transactions()).transactions).toHaveLength(3);
  await operator.act(ann.id, "end-granted-plan");
  expect(await infoOf(ann)).toMatchObject({ plan: "plus", granted_until: null });
});

test("around the reset of the day, and while it is granted and ended, no credit is taken past the limit or lost", async () => {
  const [operator, ann] = [await owner(), await customer()];
  const midnight = Date.UTC(2026, clock.now().getUTCMonth(), clock.now().getUTCDate() + 1);
  await operator.grant(ann.id, "pro", inHours(24 * 4));
  clock.advance(midnight - clock.now().getTime() - 5);
  const spend = () => reserve(ann, 90);
  // 12 requests of 90 fit into a day's 1000 at most 11 times; the day changes while they run.
  const first = Array.from({ length: 12 }, spend);
  clock.advance(5);
  const second = Array.from({ length: 12 }, spend);
  const answers = await Promise.all([...first, ...second]);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(11);
  const days = await app.db
    .select({ day: sql<string>`day::text`, used: sql<number>`sum(credits)::int` })
    .from(creditEntries)
    .where(eq(creditEntries.holder, `person:${ann.id}`))
    .groupBy(creditEntries.day);
  for (const { used } of days) expect(used).toBeLessThanOrEqual(990);

  // Granted and ended in turn, while the person spends.
  clock.advance(24 * hourMs);
  const changes = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      i % 4 === 0
        ? operator.act(ann.id, "end-granted-plan")
        : i % 4 === 1
          ? operator.grant(ann.id, "plus", inHours(48))
          : reserve(ann, 60),
    ),
  );
  for (const { status } of changes) expect([200, 204, 403, 409]).toContain(status);
  const [counter] = await app.db
    .select()
    .from(allowances)
    .where(eq(allowances.holder, `person:${ann.id}`));
  const [ledger] = await app.db
    .select({ total: sql<number>`sum(credits)::int` })
    .from(creditEntries)
    .where(eq(creditEntries.holder, `person:${ann.id}`));
  expect(counter?.totalUsed).toBe(ledger?.total);
  expect(counter?.dayUsed).toBeLessThanOrEqual(1000);
});
