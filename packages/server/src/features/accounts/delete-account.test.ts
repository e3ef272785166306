import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { sandboxRecords } from "../../platform/db/tables.ts";
import { cookiesOf } from "../../testing/built-in.ts";
import { insideOf, shopper } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { type Mailbox, startMailbox } from "../../testing/mailbox.ts";
import { samplePng } from "../../testing/pictures.ts";
import { payments, subscriptions } from "../billing/tables.ts";

const clock = heldClock();
const origin = "http://localhost:54322";
let foreign: TestApp;
let builtIn: TestApp;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  foreign = await startTestApp({ clock, environment: mailbox.environment });
  builtIn = await startTestApp({ clock, environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin } });
});
afterAll(async () => {
  await Promise.all([foreign.close(), builtIn.close()]);
  await mailbox.close();
});

const somebody = async () => {
  const person = await foreign.person();
  return { ...shopper(foreign, person), run: person.run, subject: person.subject };
};
const remove = (person: { json: ReturnType<typeof shopper>["json"] }, email: string) =>
  person.json("/api/delete-account", { email });

/** Every table and row of the database that contains one of these words. */
async function placesOf({ db }: TestApp, words: readonly string[]): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    db.execute(sql`select table_name as name from information_schema.tables where table_schema = 'public'`),
  );
  const found: string[] = [];
  for (const { name } of tables)
    for (const word of words) {
      const rows = await rowsOf<{ row: string }>(
        db.execute(sql`select t::text as row from ${sql.identifier(name)} t where t::text ilike ${`%${word}%`}`),
      );
      found.push(...rows.map(({ row }) => `${name}: ${row}`));
    }
  return found;
}

test("the e-mail has to be the account's own; another one deletes nothing", async () => {
  const ann = await somebody();
  const { subscriptionId } = await ann.buy("mini");
  expect(await remove(ann, "somebody@example.com")).toMatchObject({
    status: 400,
    body: { detail: "This is not the email of your account." },
  });
  expect(await ann.info()).toMatchObject({ plan: "mini", subscription_id: subscriptionId });
});

// product: delete-account
test("a deleted account: its subscription is cancelled at the gateway, and no row anywhere names the person", async () => {
  const bob = await somebody();
  const email = `${bob.subject}@example.com`;
  const { subscriptionId } = await bob.buy("plus");
  await bob.run("compress", [{ name: "holiday.png", bytes: samplePng(20, 20) }], { quality: "60" });
  await bob.json("/api/service-use", {}, { "idempotency-key": "a key" });
  await bob.json("/api/contact", { name: "Bob", email, message: "Hello" });
  await foreign.sweep();
  const inside = insideOf(foreign);
  const account = await inside.accountOf(bob.subject);
  expect((await placesOf(foreign, [account])).length).toBeGreaterThan(5);

  expect((await remove(bob, ` ${email.toUpperCase()} `)).status).toBe(204);
  expect((await inside.atGateway(subscriptionId)).status).toBe("cancelled");
  // The last mail is still addressed to the person. Once it is sent, nothing is left.
  const subject = "Your Tintype account has been deleted";
  await expect.poll(() => mailbox.to(email).filter((letter) => letter.subject === subject)).toHaveLength(1);
  await foreign.sweep();
  const left = (await placesOf(foreign, [account, bob.subject, email])).filter((place) => !place.includes("deleted:"));
  expect(left).toEqual([]);
  const books = await foreign.db
    .select()
    .from(payments)
    .innerJoin(subscriptions, eq(subscriptions.id, payments.subscriptionId))
    .where(eq(subscriptions.gatewayId, subscriptionId));
  expect(books).toMatchObject([
    { payments: { accountId: null, amountMinor: 500, currency: "USD", status: "captured" } },
  ]);
  expect((await inside.auditOf("account-deleted")).at(-1)).toMatchObject({ accountId: null });
});

test("a token from before the deletion does not bring the account back", async () => {
  const cat = await somebody();
  await remove(cat, `${cat.subject}@example.com`);
  expect(await cat.json("/api/user-info")).toMatchObject({
    status: 401,
    body: { detail: "This account was deleted." },
  });
  expect((await cat.session("mini")).status).toBe(401);
});

test("money that is taken after the deletion goes back", async () => {
  const dan = await somebody();
  const { subscription_id } = (await dan.session("pro")).body;
  const paying = dan.pay(subscription_id);
  expect((await remove(dan, `${dan.subject}@example.com`)).status).toBe(204);
  await paying;
  await foreign.sweep();
  clock.advance(3_600_000);
  await foreign.sweep();
  expect((await insideOf(foreign).atGateway(subscription_id)).status).toBe("cancelled");
  const rows = await foreign.db
    .select()
    .from(sandboxRecords)
    .where(and(eq(sandboxRecords.parent, subscription_id), eq(sandboxRecords.kind, "payment")));
  // A charge before the deletion is an ordinary payment, without a refund. A charge after it is refunded.
  const [book] = await foreign.db
    .select()
    .from(payments)
    .where(eq(payments.id, String(rows[0]?.id)));
  const isLate = book?.refund !== "none";
  for (const { body } of rows) expect((body as { status: string }).status).toBe(isLate ? "refunded" : "captured"); // as the sandbox stores payments
});

test("a gateway that cannot be told keeps everything as it was", async () => {
  const eve = await somebody();
  const { subscriptionId } = await eve.buy("mini");
  await foreign.db
    .update(subscriptions)
    .set({ gatewayId: "sub_gone" })
    .where(eq(subscriptions.gatewayId, subscriptionId));
  expect(await remove(eve, `${eve.subject}@example.com`)).toMatchObject({ status: 503 });
  expect(await eve.info()).toMatchObject({ plan: "mini" });
});

test("at the built-in provider the identity goes too, and the same address can sign up again", async () => {
  const enter = async (path: string, email: string) => {
    const answer = await fetch(`${builtIn.baseUrl}/idp${path}`, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ name: "Fay", email, password: "secret-123" }),
    });
    return { status: answer.status, session: cookiesOf(answer) };
  };
  const callerOf = async (session: string): Promise<TestCaller> => {
    const answer = await fetch(`${builtIn.baseUrl}/idp/token`, { headers: { cookie: session } });
    return builtIn.caller(((await answer.json()) as { token: string }).token);
  };
  const email = "fay_x@example.com";
  const { session } = await enter("/sign-up/email", email);
  const fay = shopper(builtIn, await callerOf(session));
  expect((await remove(fay, email)).status).toBe(204);
  await builtIn.sweep();
  const places = await placesOf(builtIn, [email, "fay"]);
  expect(places.filter((place) => !place.includes("deleted:"))).toEqual([]);
  expect((await enter("/sign-in/email", email)).status).toBe(401);

  const again = await enter("/sign-up/email", email);
  // Tokens carry whole seconds: one issued in the second of the deletion still counts as older.
  const lookAgain = async () => shopper(builtIn, await callerOf(again.session)).json("/api/user-info");
  await expect.poll(async () => (await lookAgain()).status, { interval: 200 }).toBe(200);
  expect((await lookAgain()).body).toMatchObject({ plan: "hobby", service_count: 0 });
});
