import { isDeepStrictEqual } from "node:util";
import { addCycles } from "@tintype/contract";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { sandboxRecords } from "../../platform/db/tables.ts";
import { shopper } from "../../testing/checkout.ts";
import { createCaller } from "../../testing/harness.ts";
import { type MortalService, prepareMortalService } from "../../testing/mortal-service.ts";

let service: MortalService;
beforeAll(async () => {
  service = await prepareMortalService();
});
afterAll(() => service.close());

type Books = { plan: string; captured: number; refunds: number; began: number; changes: number };
type Shopper = ReturnType<typeof shopper>;
/** The rows of a person. */
async function booksOf(subject: string): Promise<Books | undefined> {
  const [row] = await rowsOf<Books>(
    service.db.execute(sql`
      select plan,
        (select count(*)::int from payments p where p.account_id = a.id and status = 'captured') as captured,
        (select count(*)::int from payments p where p.account_id = a.id and refund <> 'none') as refunds,
        (select count(*)::int from outbox_mails m where m.account_id = a.id and m.key like 'began:%') as began,
        (select count(*)::int from audit_lines l where l.account_id = a.id and l.kind = 'plan-changed') as changes
      from accounts a where subject = ${subject}`),
  );
  return row;
}
const isPaidAtGateway = async (subscriptionId: string) =>
  (
    await service.db
      .select({ id: sandboxRecords.id })
      .from(sandboxRecords)
      .where(and(eq(sandboxRecords.kind, "payment"), eq(sandboxRecords.parent, subscriptionId)))
  ).length > 0;

/** Queries after the payment was begun: those of the gateway, its webhooks, the look at it, the upgrade. */
const steps = [2, 4, 6, 8, 11, 14, 18, 22, 27, 32, 38, 45];

test("a server killed at any point between payment and upgrade ends upgraded, once, without the browser's word", {
  timeout: 300_000,
}, async () => {
  let server = await service.start();
  const people: { subject: string; subscriptionId: string; step: number; hasDied: boolean }[] = [];
  try {
    for (const step of steps) {
      const subject = `person-${step}`;
      const shop = shopper(server, createCaller(server.baseUrl, await service.issuer.token(subject)));
      const subscriptionId = (await shop.session("mini")).body.subscription_id;
      await shop.pay(subscriptionId, undefined, { "x-die-at-step": String(step) }).catch(() => undefined);
      await expect
        .poll(async () => server.isOver() || (await booksOf(subject))?.plan === "mini", { timeout: 20_000 })
        .toBe(true);
      people.push({ subject, subscriptionId, step, hasDied: server.isOver() });
      await server.stop();
      server = await service.start();
    }
    expect(people.filter(({ hasDied }) => hasDied).length).toBeGreaterThan(6);

    let paid = 0;
    for (const { subject, subscriptionId, step } of people) {
      const isPaid = await isPaidAtGateway(subscriptionId);
      if (isPaid) paid++;
      const wanted = isPaid
        ? { plan: "mini", captured: 1, refunds: 0, began: 1, changes: 1 }
        : { plan: "hobby", captured: 0, refunds: 0, began: 0, changes: 0 };
      const about = `killed before step ${step}`;
      await expect.poll(() => booksOf(subject), { timeout: 30_000, message: about }).toEqual(wanted);
    }
    expect(paid).toBeGreaterThan(people.length / 2);
  } finally {
    await server.stop();
  }
});

/** The rows of a change of plan, here and in the gateway's own books. */
async function changeOf(subject: string) {
  const [row] = await rowsOf<Record<string, unknown>>(
    service.db.execute(sql`
      select plan,
        (select coalesce(string_agg(s.plan || ' ' || s.state, ', ' order by s.plan), '')
          from subscriptions s where s.account_id = a.id and s.state <> 'ended') as standing,
        (select string_agg(p.amount_minor || ' ' || p.status || ' ' || p.refund || ' ' || coalesce(p.refund_minor, 0), ', '
          order by p.amount_minor) from payments p where p.account_id = a.id) as payments,
        (select count(*)::int from sandbox_records r join payments p on p.id = r.parent
          where r.kind = 'refund' and p.account_id = a.id) as returned,
        (select count(*)::int from sandbox_records r join subscriptions s on s.gateway_id = r.id
          where s.account_id = a.id and r.body->'shown'->>'status' in ('active', 'authenticated')) as running,
        (select string_agg(split_part(m.key, ':', 1), ', ' order by m.created_at, m.key)
          from outbox_mails m where m.account_id = a.id and m.key not like 'welcome:%') as mails
      from accounts a where subject = ${subject}`),
  );
  return row;
}
type Act = (shop: Shopper, die: Record<string, string>) => Promise<unknown>;
type Case = {
  name: string;
  steps: readonly number[];
  prepare(shop: Shopper): Promise<unknown>;
  act: Act;
  after: object;
};

/** On the day of its payment a month of Mini has all its days but one to come. */
const daysOfMonth = Math.round((addCycles(new Date(), { cycle: "monthly" }).getTime() - Date.now()) / 86_400_000);
const unusedMinor = Math.floor((300 * (daysOfMonth - 1)) / daysOfMonth);
const buyMini = (shop: Shopper) => shop.buy("mini");
const payFor =
  (mode: "now" | "at_renewal"): Act =>
  async (shop, die) =>
    shop.pay((await shop.session("pro", "monthly", { mode })).body.subscription_id, undefined, die);

test.each<Case>([
  {
    name: "an upgrade within a period",
    steps: [1, 4, 8, 12, 16, 20, 25, 30, 36, 43, 50, 58],
    prepare: buyMini,
    act: payFor("now"),
    after: {
      plan: "pro",
      standing: "pro active",
      payments: `300 captured done ${unusedMinor}, 1000 captured none 0`,
      returned: 1,
      running: 1,
      mails: "began, began, refund-unused",
    },
  },
  {
    name: "a change at renewal",
    steps: [1, 3, 6, 9, 12, 16, 20, 25, 30],
    prepare: buyMini,
    act: payFor("at_renewal"),
    after: {
      plan: "mini",
      standing: "mini active, pro scheduled",
      payments: "300 captured none 0",
      returned: 0,
      running: 2,
      mails: "began, scheduled",
    },
  },
  {
    name: "a change that is taken back",
    steps: [2, 5, 8, 11, 14, 17, 20],
    prepare: async (shop) => {
      await buyMini(shop);
      await shop.buy("pro", { mode: "at_renewal" });
    },
    act: (shop, die) => shop.json("/api/keep-plan", {}, die),
    after: {
      plan: "mini",
      standing: "mini active",
      payments: "300 captured none 0",
      returned: 0,
      running: 1,
      mails: "began, scheduled, resumed",
    },
  },
])(
  "a server killed at any point of $name, and the same click again: it is done once",
  { timeout: 900_000 },
  async ({ steps, prepare, act, after }) => {
    let server = await service.start();
    let deaths = 0;
    try {
      for (const step of steps) {
        const subject = `${JSON.stringify(after).length}-person-${step}`;
        const token = await service.issuer.token(subject);
        const shopAt = () => shopper(server, createCaller(server.baseUrl, token));
        await prepare(shopAt());
        await act(shopAt(), { "x-die-at-step": String(step) }).catch(() => undefined);
        // Its own consequences are a part of it.
        await expect
          .poll(async () => server.isOver() || isDeepStrictEqual({ ...(await changeOf(subject)) }, after), {
            timeout: 20_000,
          })
          .toBe(true);
        if (server.isOver()) {
          deaths++;
          await server.stop();
          server = await service.start();
          await act(shopAt(), {}).catch(() => undefined);
        }
        await expect
          .poll(() => changeOf(subject), { timeout: 30_000, message: `killed before step ${step}` })
          .toEqual(after);
        await server.stop();
        server = await service.start();
      }
      expect(deaths).toBeGreaterThanOrEqual(Math.floor(steps.length / 3));
    } finally {
      await server.stop();
    }
  },
);
