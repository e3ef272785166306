import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../platform/id.ts";
import { type BuiltIn, builtInOf } from "../../testing/built-in.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { contactMessages } from "../contact/tables.ts";
import { allowances, creditEntries, keptCounters } from "../credits/tables.ts";
import { accounts, idpUser } from "./tables.ts";

// Without mail, addresses cannot be verified.
const origin = "http://localhost:54332";
const clock = heldClock(new Date("2026-03-10T12:00:00Z"));
let app: TestApp;
let idp: BuiltIn;
beforeAll(async () => {
  app = await startTestApp({
    clock,
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      HOST: "0.0.0.0",
      PAYMENTS: "sandbox",
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  idp = builtInOf(app, origin);
});
afterAll(() => app.close());

const spend = (caller: TestCaller, count: number, address = "198.51.100.1") =>
  caller.call("/api/service-use-multiple", { json: { file_count: count }, headers: { "x-forwarded-for": address } });
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;
const remove = (caller: TestCaller, email: string) => caller.call("/api/delete-account", { json: { email } });
const somebody = async (email: string) => idp.caller((await idp.signUp(email)).session);
/** Tokens carry whole seconds: one issued in the second of the deletion counts as older. */
async function signUpAgain(email: string): Promise<TestCaller> {
  const { session } = await idp.signUp(email);
  await expect
    .poll(async () => (await (await idp.caller(session)).call("/api/user-info")).status, { interval: 200 })
    .toBe(200);
  return idp.caller(session);
}

test("made-up addresses give one network three Hobby allowances a day, and another network its own", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await spend(await somebody(`free-${i}@example.com`), 100)).status);
  expect(statuses).toEqual([200, 200, 200, 403]);
  const late = await somebody("free-late@example.com");
  const refused = await spend(late, 1);
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("The free accounts on your network") });
  expect((await spend(late, 1, "198.51.100.2")).status).toBe(200);
  // Guests of the network have an allowance of their own.
  expect((await spend(app.caller(), 1)).status).toBe(200);
  clock.advance(86_400_000);
  expect((await spend(late, 1)).status).toBe(200);
});

test("however many ask at once, no more is granted than the network has", async () => {
  const address = "198.51.100.3";
  const callers = await Promise.all(Array.from({ length: 5 }, (_, i) => somebody(`race-${i}@example.com`)));
  const answers = await Promise.all(
    callers.flatMap((caller) => Array.from({ length: 4 }, () => spend(caller, 25, address))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
});

// product: free-by-network
test("verified addresses too give one network three Hobby allowances a day, and ten times as many where a plan is paid", async () => {
  const verified = await startTestApp({
    clock,
    environment: { HOST: "0.0.0.0", PAYMENTS: "sandbox", TINTYPE_TRUSTED_PROXIES: "127.0.0.1" },
  });
  try {
    const spendAll = async (address: string) => (await spend(await verified.person(), 100, address)).status;
    const spendFour = async (address: string) => {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) statuses.push(await spendAll(address));
      return statuses;
    };
    expect(await spendFour("198.51.100.1")).toEqual([200, 200, 200, 403]);
    const late = await verified.person();
    expect(await (await spend(late, 1)).json()).toMatchObject({
      code: "network-allowance",
      detail: expect.stringContaining("Continue tomorrow, or choose a plan."),
    });
    // Neither its guests nor those who pay are affected; those who pay open it for the others.
    expect((await spend(verified.caller(), 1)).status).toBe(200);
    expect((await spend(await verified.person("mini"), 1)).status).toBe(200);
    expect((await spend(late, 1)).status).toBe(200);
    expect(await spendFour("198.51.100.1")).toEqual([200, 200, 200, 200]);
    expect(await spendFour("198.51.100.2")).toEqual([200, 200, 200, 403]);
  } finally {
    await verified.close();
  }
});

test("on a private machine no account is counted by network", async () => {
  const own = await startTestApp({ clock, environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin } });
  const behindProxy = await startTestApp({
    clock,
    environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: "https://images.example.com", PAYMENTS: "sandbox" },
  });
  try {
    const statusesAt = async (service: TestApp, from: string) => {
      const statuses: number[] = [];
      const provider = builtInOf(service, from);
      for (let i = 0; i < 4; i++) {
        const { session } = await provider.signUp(`somebody-${i}@example.com`);
        statuses.push((await spend(await provider.caller(session), 100)).status);
      }
      return statuses;
    };
    expect(await statusesAt(own, origin)).toEqual([200, 200, 200, 200]);
    expect(await statusesAt(behindProxy, "https://images.example.com")).toEqual([200, 200, 200, 403]);
  } finally {
    await Promise.all([own.close(), behindProxy.close()]);
  }
});

// product: deleted-keeps-counters
test("deleting the account and signing up again does not refill the allowance before the month ends", async () => {
  const email = "again@example.com";
  const first = await somebody(email);
  await app.db.update(idpUser).set({ emailVerified: true }).where(eq(idpUser.email, email));
  expect(await used(first)).toBe(0);
  const [account] = await app.db.select().from(accounts).where(eq(accounts.email, email));
  if (!account) throw new Error("no account");
  const charge = (count: number) =>
    app.db.transaction((tx) =>
      app.ledger.charge(
        tx,
        { key: `person:${account.id}`, tier: "hobby", accountId: account.id },
        {
          jobId: newId("job"),
          operation: "compress",
          files: Array.from({ length: count }, (_, index) => ({ index, name: `${index}.png` })),
        },
      ),
    );
  await charge(40);
  clock.advance(86_400_000);
  await charge(20);
  expect((await remove(first, email)).status).toBe(204);
  const kept = await app.db.select().from(keptCounters);
  expect(kept.map(({ monthUsed }) => monthUsed)).toEqual([60, 60]);
  expect(JSON.stringify(kept)).not.toMatch(/again|example/);

  const second = await signUpAgain("AGAIN@example.com");
  expect(await used(second)).toBe(60);
  // A request that started before the deletion finds no account to charge.
  await expect(charge(1)).rejects.toMatchObject({ code: "unauthorized" });
  const rows = await app.db.select().from(creditEntries).where(eq(creditEntries.kind, "carry"));
  const holder = rows.find(({ holder: key }) => key.startsWith("person:"))?.holder ?? "";
  expect(rows.filter((row) => row.holder === holder).reduce((sum, { credits }) => sum + credits, 0)).toBe(60);
  expect(await app.db.select().from(allowances).where(eq(allowances.holder, holder))).toMatchObject([
    { dayUsed: 20, monthUsed: 60, totalUsed: 60 },
  ]);
  expect((await spend(second, 41, "198.51.100.4")).status).toBe(403);

  // Deleting again keeps the restored counters again.
  expect((await remove(second, email)).status).toBe(204);
  const third = await signUpAgain(email);
  expect(await used(third)).toBe(60);
  clock.advance(31 * 86_400_000);
  expect(await used(third)).toBe(0);
  // Addresses are not normalised: plus and dots make another person.
  expect(await used(await somebody("again+1@example.com"))).toBe(0);
});

test("credits a network used with a deleted account stay counted", async () => {
  const address = "198.51.100.5";
  for (let i = 0; i < 3; i++) {
    const email = `gone-${i}@example.com`;
    const caller = await somebody(email);
    expect((await spend(caller, 100, address)).status).toBe(200);
    expect((await remove(caller, email)).status).toBe(204);
  }
  expect((await spend(await somebody("gone-3@example.com"), 1, address)).status).toBe(403);
});

test("deleting an account whose address is not verified leaves what others wrote from that address", async () => {
  const email = "shared@example.com";
  await app.caller().call("/api/contact", { json: { name: "The owner", email, message: "Hello" } });
  const stranger = await somebody(email);
  expect((await remove(stranger, email)).status).toBe(204);
  expect(await app.db.select().from(contactMessages).where(eq(contactMessages.email, email))).toHaveLength(1);
});

test("a stranger who signs up with somebody's address, spends and deletes leaves its owner no counter", async () => {
  const email = "owner@example.com";
  const stranger = await somebody(email);
  expect((await spend(stranger, 50, "198.51.100.9")).status).toBe(200);
  expect((await remove(stranger, email)).status).toBe(204);
  expect(await used(await signUpAgain(email))).toBe(0);
});
