import { isDeepStrictEqual } from "node:util";
import { addCycles } from "@tintype/contract";
import { and, eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { sandboxRecords } from "../../platform/db/tables.ts";
import { shopper } from "../../testing/checkout.ts";
import { firstKill, killStride } from "../../testing/deep.ts";
import { createCaller } from "../../testing/harness.ts";
import { type KillableServer, type KillableService, prepareKillableService } from "../../testing/killable-service.ts";

/** Each test has its own database. They run concurrently, since they mostly wait for sweeps. */
async function onService(work: (service: KillableService) => Promise<void>): Promise<void> {
  // No picture is processed here: engines with a model start on first use, engines for plain pictures at startup.
  const service = await prepareKillableService({ TINTYPE_SANDBOX: "off", TINTYPE_WORK: "model" });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

type BillingState = { plan: string; captured: number; refunds: number; began: number; changes: number };
const untouched: BillingState = { plan: "hobby", captured: 0, refunds: 0, began: 0, changes: 0 };
type Shopper = ReturnType<typeof shopper>;
/**
 * `expect.poll` finds its test only if tests run sequentially. What a killed server had reserved, the next one takes up after
 * a minute.
 */
const soon = <Value>(read: () => Promise<Value>, { is, message }: { is: Value; message: string }) =>
  vi.waitFor(async () => expect(await read(), message).toEqual(is), { timeout: 180_000, interval: 200 });

/** The rows of a person. */
async function billingStateOf({ db }: KillableService, subject: string): Promise<BillingState | undefined> {
  const [row] = await rowsOf<BillingState>(
    db.execute(sql`
      select paid_plan as plan,
        (select count(*)::int from payments p where p.account_id = a.id and status = 'captured') as captured,
        (select count(*)::int from payments p where p.account_id = a.id and refund <> 'none') as refunds,
        (select count(*)::int from outbox_mails m where m.account_id = a.id and m.key like 'began:%') as began,
        (select count(*)::int from audit_lines l where l.account_id = a.id and l.kind = 'plan-changed') as changes
      from accounts a where subject = ${subject}`),
  );
  return row;
}
const isPaidAtGateway = async ({ db }: KillableService, subscriptionId: string) =>
  (
    await db
      .select({ id: sandboxRecords.id })
      .from(sandboxRecords)
      .where(and(eq(sandboxRecords.kind, "payment"), eq(sandboxRecords.parent, subscriptionId)))
  ).length > 0;

/** Per-request header, see `testing/dying-server.ts`. */
const dyingAfter = (change: number) => ({ "x-die-after-change": String(change) });

/** The work still due for a person without another click, here and in the gateway's records. */
async function dueFor({ db }: KillableService, subject: string): Promise<number | undefined> {
  const [row] = await rowsOf<{ due: number }>(
    db.execute(sql`
      select (select count(*)::int from outbox_mails m where m.account_id = a.id and m.due_at is not null)
        + (select count(*)::int from payments p where p.account_id = a.id and p.refund = 'wanted')
        + (select count(*)::int from gateway_events e join subscriptions s on s.gateway_id = e.gateway_id
          where s.account_id = a.id and e.due_at is not null)
        + (select count(*)::int from sandbox_records r join subscriptions s on s.gateway_id = r.parent
          where s.account_id = a.id and r.kind = 'webhook' and r.due_at is not null) as due
      from accounts a where subject = ${subject}`),
  );
  return row?.due;
}

/** Whether the server dies while processing what a click started; false once all of it is done. */
async function diesOver(
  service: KillableService,
  { server, subject, isDone }: { server: KillableServer; subject: string; isDone: () => Promise<boolean> },
): Promise<boolean> {
  const isThrough = async () => server.isOver() || ((await isDone()) && (await dueFor(service, subject)) === 0);
  await soon(isThrough, { is: true, message: subject });
  return server.isOver();
}

test.concurrent(
  "a server killed between any two changes from the offer to the plan: upgraded once, without the browser's word",
  {
    timeout: 900_000,
  },
  () =>
    onService(async (service) => {
      let server = await service.start();
      const people: { subject: string; subscriptionId: string | undefined; hasDied: boolean }[] = [];
      try {
        for (let change = firstKill; people.at(-1)?.hasDied !== false; change += killStride) {
          const subject = `bought-${change}`;
          const shop = shopper(server, createCaller(server.baseUrl, await service.issuer.token(subject)));
          const headers = dyingAfter(change);
          let subscriptionId: string | undefined;
          try {
            subscriptionId = (await shop.session("mini", "monthly", { headers })).body.subscription_id;
            await shop.pay(subscriptionId, undefined, headers);
          } catch {
            // The server died before it could answer.
          }
          const isMini = async () => (await billingStateOf(service, subject))?.plan === "mini";
          people.push({
            subject,
            subscriptionId,
            hasDied: await diesOver(service, { server, subject, isDone: isMini }),
          });
          await server.stop();
          server = await service.start();
        }

        let paid = 0;
        for (const { subject, subscriptionId } of people) {
          const isPaid = subscriptionId !== undefined && (await isPaidAtGateway(service, subscriptionId));
          if (isPaid) paid++;
          const wanted = isPaid ? { plan: "mini", captured: 1, refunds: 0, began: 1, changes: 1 } : untouched;
          // A server can die of a sweep's changes before it made the account.
          const state = async () => (await billingStateOf(service, subject)) ?? untouched;
          await soon(state, { is: wanted, message: subject });
        }
        // Fewer would mean that the changes were not counted.
        expect(people.length).toBeGreaterThan(12 / killStride);
        expect(paid).toBeGreaterThan(people.length / 2);
      } finally {
        await server.stop();
      }
    }),
);

/** The rows of a change of plan, here and in the gateway's records. */
async function changeOf({ db }: KillableService, subject: string) {
  const [row] = await rowsOf<Record<string, unknown>>(
    db.execute(sql`
      select paid_plan as plan,
        (select coalesce(string_agg(concat_ws(' ', s.plan, s.state, s.stop_reason), ', ' order by s.plan), '')
          from subscriptions s where s.account_id = a.id and s.state <> 'ended') as "planState",
        (select string_agg(p.amount_minor || ' ' || p.status || ' ' || p.refund || ' ' || coalesce(p.refund_minor, 0), ', '
          order by p.amount_minor) from payments p where p.account_id = a.id) as payments,
        (select count(*)::int from sandbox_records r join payments p on p.id = r.parent
          where r.kind = 'refund' and p.account_id = a.id) as returned,
        (select count(*)::int from sandbox_records r join subscriptions s on s.gateway_id = r.id
          where s.account_id = a.id and r.body->'entity'->>'status' in ('active', 'authenticated')) as running,
        (select string_agg(split_part(m.key, ':', 1), ', ' order by m.created_at, m.key)
          from outbox_mails m where m.account_id = a.id and m.key not like 'welcome:%') as mails
      from accounts a where subject = ${subject}`),
  );
  return row;
}
type Headers = Record<string, string>;
type Case = {
  name: string;
  /** The minimum number of changes. Fewer would mean that they were not counted. */
  min: number;
  prepare(shop: Shopper): Promise<unknown>;
  act(shop: Shopper, headers: Headers): Promise<unknown>;
  after: object;
};

/** On the day of its payment, a month of Mini has all but one of its days left. */
const daysOfMonth = Math.round((addCycles(new Date(), { cycle: "monthly" }).getTime() - Date.now()) / 86_400_000);
const unusedMinor = Math.floor((300 * (daysOfMonth - 1)) / daysOfMonth);
const buyMini = (shop: Shopper) => shop.buy("mini");
const cancelMini = async (shop: Shopper, headers: Headers = {}) =>
  shop.json(`/api/cancel-subscription/${(await shop.info()).subscription_id}`, {}, headers);
const keep = (shop: Shopper, headers: Headers) => shop.json("/api/keep-plan", {}, headers);
/**
 * Session, checkout and the browser's confirmation, as a page does it. Retries on 503: a server that died while creating
 * the offer at the gateway blocks others from creating it for 30 s.
 */
const changeToPro = (mode: "now" | "at_renewal") => async (shop: Shopper, headers: Headers) => {
  const offer = () => shop.session("pro", "monthly", { mode, headers });
  let offered = await offer();
  for (let tries = 1; offered.status === 503 && tries < 5; tries++) offered = await offer();
  const { body } = await shop.pay(offered.body.subscription_id, undefined, headers);
  await shop.upgrade("pro", body, "monthly", headers);
};
const onMini = { plan: "mini", payments: "300 captured none 0", returned: 0, running: 1 };

test.concurrent.each<Case>([
  {
    name: "an upgrade within a period",
    min: 15,
    prepare: buyMini,
    act: changeToPro("now"),
    after: {
      plan: "pro",
      planState: "pro active",
      payments: `300 captured done ${unusedMinor}, 1000 captured none 0`,
      returned: 1,
      running: 1,
      mails: "began, began, refund-unused",
    },
  },
  {
    name: "a change at renewal",
    min: 10,
    prepare: buyMini,
    act: changeToPro("at_renewal"),
    after: { ...onMini, planState: "mini active replaced, pro scheduled", running: 2, mails: "began, scheduled" },
  },
  {
    name: "a change that is taken back",
    min: 3,
    prepare: async (shop) => {
      await buyMini(shop);
      await shop.buy("pro", { mode: "at_renewal" });
    },
    act: keep,
    after: { ...onMini, planState: "mini active", mails: "began, scheduled, resumed" },
  },
  {
    name: "a cancellation",
    min: 1,
    prepare: buyMini,
    act: cancelMini,
    after: { ...onMini, planState: "mini active cancelled", mails: "began, stopped" },
  },
  {
    name: "a cancellation that is taken back",
    min: 1,
    prepare: async (shop) => {
      await buyMini(shop);
      await cancelMini(shop);
    },
    act: keep,
    after: { ...onMini, planState: "mini active", mails: "began, stopped, resumed" },
  },
])(
  "a server killed between any two changes of $name, and the same click again: it is done once",
  { timeout: 900_000 },
  ({ name, min, prepare, act, after }) =>
    onService(async (service) => {
      let server = await service.start();
      let deaths = 0;
      try {
        for (let change = firstKill, hasDied = true; hasDied; deaths += hasDied ? 1 : 0, change += killStride) {
          const subject = `${name} ${change}`;
          const token = await service.issuer.token(subject);
          const shopAt = () => shopper(server, createCaller(server.baseUrl, token));
          await prepare(shopAt());
          await soon(() => dueFor(service, subject), { is: 0, message: `before ${subject}` });
          // The crash is meant to cut this call off. If nothing died, the checks below fail.
          await act(shopAt(), dyingAfter(change)).catch(() => undefined);
          hasDied = await diesOver(service, {
            server,
            subject,
            isDone: async () => isDeepStrictEqual({ ...(await changeOf(service, subject)) }, after),
          });
          if (hasDied) server = await service.start();
          await act(shopAt(), {}).catch(() => undefined);
          await soon(() => changeOf(service, subject), { is: after, message: `killed in ${subject}` });
        }
        expect(deaths).toBeGreaterThanOrEqual(Math.floor(min / killStride));
      } finally {
        await server.stop();
      }
    }),
);
