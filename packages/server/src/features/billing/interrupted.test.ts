import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenDatabase, rowsOf } from "../../platform/db/database.ts";
import { openPostgres } from "../../platform/db/postgres.ts";
import { sandboxRecords } from "../../platform/db/tables.ts";
import { shopper } from "../../testing/checkout.ts";
import { createCaller } from "../../testing/harness.ts";
import { startIssuer, type TestIssuer } from "../../testing/issuer.ts";
import { startPostgres, type TestPostgres } from "../../testing/postgres.ts";

// Real processes, really killed, on PostgreSQL, since that starts quickest.
const dyingServer = fileURLToPath(new URL("../../testing/dying-server.ts", import.meta.url));
let postgres: TestPostgres;
let database: OpenDatabase;
let issuer: TestIssuer;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  issuer = await startIssuer();
  folder = mkdtempSync(join(tmpdir(), "tintype-billing-"));
  database = await openPostgres(postgres.url);
});
afterAll(async () => {
  await database.close();
  await postgres.close();
  await issuer.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startServer() {
  const child = spawn(process.execPath, [dyingServer], {
    env: {
      PATH: process.env["PATH"],
      TINTYPE_DATA: folder,
      TINTYPE_ENGINES: "1",
      TINTYPE_SITE: "false",
      DATABASE_URL: postgres.url,
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      OIDC_JWKS_URL: `${issuer.url}/jwks`,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const [baseUrl] = (await once(createInterface(child.stdout), "line")) as [string]; // its first line is its address
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  return { baseUrl, stop, isOver };
}

type Books = { plan: string; captured: number; refunds: number; began: number; changes: number };
/** What is written down of a person. */
async function booksOf(subject: string): Promise<Books | undefined> {
  const [row] = await rowsOf<Books>(
    database.db.execute(sql`
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
    await database.db
      .select({ id: sandboxRecords.id })
      .from(sandboxRecords)
      .where(and(eq(sandboxRecords.kind, "payment"), eq(sandboxRecords.parent, subscriptionId)))
  ).length > 0;

/** Queries after the payment was begun: those of the gateway, its webhooks, the look at it, the upgrade. */
const steps = [2, 4, 6, 8, 11, 14, 18, 22, 27, 32, 38, 45];

test("a server killed at any point between payment and upgrade ends upgraded, once, without the browser's word", {
  timeout: 300_000,
}, async () => {
  let server = await startServer();
  const people: { subject: string; subscriptionId: string; step: number; hasDied: boolean }[] = [];
  try {
    for (const step of steps) {
      const subject = `person-${step}`;
      const shop = shopper(server, createCaller(server.baseUrl, await issuer.token(subject)));
      const subscriptionId = (await shop.session("mini")).body.subscription_id;
      await shop.pay(subscriptionId, undefined, { "x-die-at-step": String(step) }).catch(() => undefined);
      await expect
        .poll(async () => server.isOver() || (await booksOf(subject))?.plan === "mini", { timeout: 20_000 })
        .toBe(true);
      people.push({ subject, subscriptionId, step, hasDied: server.isOver() });
      await server.stop();
      server = await startServer();
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
