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
/** What is written down of a person. */
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
