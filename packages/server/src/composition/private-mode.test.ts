import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits, setMode, type UserInfo } from "@tintype/contract";
import { eq } from "drizzle-orm";
import tinify from "tinify";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { readConfig } from "../config.ts";
import { accounts } from "../features/accounts/tables.ts";
import { allowances, creditGrants } from "../features/credits/tables.ts";
import { builtInOf } from "../testing/built-in.ts";
import { startTestApp, type TestApp, type TestCaller } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

// TINTYPE_MODE=private, as an office would start it: in production, at an address of its own network.
const office = {
  TINTYPE_MODE: "private",
  NODE_ENV: "production",
  TINTYPE_ORIGIN: "http://192.168.1.50:3000",
  HOST: "127.0.0.1",
  SIGN_UP: "open",
};
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: office });
});
afterAll(() => app.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const picture = { name: "a.png", bytes: samplePng(60, 40) };
const compress = (caller: TestCaller, count = 1) =>
  caller.run(
    "compress",
    Array.from({ length: count }, (_, index) => ({ ...picture, name: `${index}.png` })),
    { quality: "60" },
  );
const infoOf = async (caller: TestCaller) => (await (await caller.call("/api/user-info")).json()) as UserInfo;
const creditNames = (answer: Response) => [...answer.headers.keys()].filter((name) => name.startsWith("x-credits"));
async function keyOf(person: TestCaller) {
  const made = await person.call("/api/keys", { json: { name: "A program", scopes: ["process", "usage:read"] } });
  return ((await made.json()) as { key: string }).key;
}

// product: private-mode
test("in private mode work is counted and never limited by credits", async () => {
  const person = await app.person();
  expect((await compress(person, 3)).status).toBe(200);
  expect(await infoOf(person)).toMatchObject({ service_count: 3, limit: null, must_verify_email: false });
  // Far beyond every plan's allowance.
  await app.db.update(allowances).set({ monthUsed: 500_000, dayUsed: 500_000 }).where(eq(allowances.monthUsed, 3));
  expect((await compress(person)).status).toBe(200);
  expect(await infoOf(person)).toMatchObject({ service_count: 500_001, limit: null });
});

// product: private-mode
test("no response of private mode says what is left of anything", async () => {
  const person = await app.person();
  const answer = await compress(person);
  expect([answer.status, creditNames(answer)]).toEqual([200, []]);
  const accepted = await person.run("compress", [picture], { quality: "60" }, { prefer: "respond-async" });
  expect([accepted.status, creditNames(accepted)]).toEqual([202, []]);
  expect(await accepted.json()).not.toHaveProperty("credits");
  const quote = await person.call("/api/quote", {
    json: { operation: "upscale", files: [{ width: 60, height: 40, size_bytes: 900, format: "png" }] },
  });
  expect(await quote.json()).toMatchObject({ credits: 0, credits_per_file: 0, remaining_after: null, refusals: [] });
  const config = await (await person.call("/api/config")).json();
  expect(config).toMatchObject({
    mode: "private",
    payments: null,
    usage: { limit: null },
    limits: { credits: null, filesPerBatch: 200 },
  });
});

// product: private-mode
test("nothing of plans and payments has an address, in the reference neither", async () => {
  const person = await app.person();
  for (const [path, json] of [
    ["/api/razorpay-key"],
    ["/api/transactions"],
    ["/api/invoices"],
    ["/api/billing-details"],
    ["/api/plan-change?plan_id=plus&billing_cycle=monthly"],
    ["/api/create-payment-session", { plan_id: "plus", billing_cycle: "monthly" }],
    ["/api/upgrade-plan", { plan: "plus", billing_cycle: "monthly", payment_status: "success" }],
    ["/api/keep-plan", {}],
    ["/sandbox/razorpay/checkout.js"],
  ] as const)
    expect([path, (await person.call(path, json ? { json } : {})).status]).toEqual([path, 404]);
  const document = await (await person.call("/api/openapi.json")).text();
  expect(document).toContain('"/api/compress');
  expect(document).not.toMatch(/X-Credits|"Subscriptions"|upgrade-plan|razorpay-key|your plan/i);
});

// product: private-mode
test("a refusal for size names the server's limit, not a plan", async () => {
  const small = await startTestApp({
    environment: { ...office, TINTYPE_BATCH_FILES: "2", TINTYPE_MEGAPIXELS: "1", GUESTS: "on" },
  });
  try {
    const guest = small.caller();
    const many = await compress(guest, 3);
    expect([many.status, await many.json()]).toMatchObject([
      413,
      { detail: "This server allows up to 2 files per batch." },
    ]);
    expect((await compress(guest, 2)).status).toBe(200);
    expect(limits.guest).toMatchObject({ filesPerBatch: 2, megapixelsIn: 1, megapixelsOut: 1 });
  } finally {
    await small.close();
    readConfig({ ...office, TINTYPE_DATA: app.dataFolder });
  }
});

// product: private-mode
test("guests work without a limit where they are let in, and are told to sign in where not", async () => {
  const refused = await compress(app.caller());
  expect([refused.status, await refused.json()]).toMatchObject([401, { detail: /sign in/i }]);
  expect(await (await app.caller().call("/api/config")).json()).toMatchObject({
    access: { guests: false },
    usage: { used: 0, limit: 0 },
  });
  const open = await startTestApp({ environment: { ...office, GUESTS: "on" } });
  try {
    const guest = open.caller();
    expect((await compress(guest, 7)).status).toBe(200);
    expect(await (await guest.call("/api/config")).json()).toMatchObject({ usage: { used: 7, limit: null } });
  } finally {
    await open.close();
    readConfig({ ...office, TINTYPE_DATA: app.dataFolder });
  }
});

test("Tinify's package and a remove.bg program work on it", async () => {
  const person = await app.person();
  const key = await keyOf(person);
  tinify.key = key;
  (tinify as unknown as { Client: { API_ENDPOINT: string } }).Client.API_ENDPOINT = app.baseUrl;
  vi.spyOn(https, "request").mockImplementation(((options: http.RequestOptions, then: () => void) =>
    http.request({ ...options, protocol: "http:" }, then)) as typeof https.request);
  expect((await tinify.fromBuffer(picture.bytes).toBuffer()).length).toBeGreaterThan(0);
  expect(tinify.compressionCount).toBe(1);

  const account = await fetch(`${app.baseUrl}/api/remove.bg/v1.0/account`, { headers: { "x-api-key": key } });
  const { data } = (await account.json()) as { data: { attributes: { credits: { total: number } } } };
  expect(data.attributes.credits.total).toBeGreaterThan(1000);
});

test("a private installation starts in production with nothing but a data folder", async () => {
  const lines: string[] = [];
  const bare = await startTestApp({
    environment: { TINTYPE_MODE: "private", NODE_ENV: "production" },
    onLogLine: (line) => lines.push(line),
  });
  await bare.close();
  readConfig({ ...office, TINTYPE_DATA: app.dataFolder });
  expect(lines.join("")).not.toMatch(/plain http|payments|credit/i);
});

test("plain http outside a private network is a warning that says what to do", async () => {
  const lines: string[] = [];
  const exposed = await startTestApp({
    environment: { ...office, TINTYPE_ORIGIN: "http://pictures.example.com" },
    onLogLine: (line) => lines.push(line),
  });
  await exposed.close();
  readConfig({ ...office, TINTYPE_DATA: app.dataFolder });
  expect(lines.join("")).toMatch(/plain http outside a private network.*reverse proxy with TLS/);
});

test("the defaults of private mode let nobody in unasked, and those of a service stay", () => {
  const dataFolder = app.dataFolder;
  const accessOf = (TINTYPE_MODE: string) => readConfig({ TINTYPE_MODE, TINTYPE_DATA: dataFolder }).access;
  expect(accessOf("service")).toEqual({ guests: true, sign_up: "open", domains: [] });
  expect(accessOf("private")).toEqual({ guests: false, sign_up: "invite", domains: [] });
});

// product: set-up
test("the first person of a fresh installation becomes its owner by the link in the log, and nobody after", async () => {
  const lines: string[] = [];
  const environment = { TINTYPE_MODE: "private", OIDC_ISSUER: "", TINTYPE_ORIGIN: "http://192.168.1.50:3000" };
  const fresh = await startTestApp({ environment, onLogLine: (line) => lines.push(line) });
  try {
    const token = /\/join\/([\w-]+)/.exec(lines.join(""))?.[1] ?? "";
    expect((await fresh.caller().call("/")).headers.get("location")).toBeNull();
    const opened = await fresh.caller().call(`/join/${token}`);
    expect(opened.headers.get("location")).toBe("/account/join");
    const cookie = { cookie: `tintype_invitation=${token}` };
    expect(await (await fresh.caller().call("/api/config", { headers: cookie })).json()).toMatchObject({
      access: { sign_up: "invite", guests: false, invitation: { email: null, is_set_up: true } },
    });
    const idp = builtInOf(fresh, environment.TINTYPE_ORIGIN);
    const json = { name: "Ann Lee", email: "ann@example.com", password: "secret-123" };
    const { session } = await idp.ask("/sign-up/email", { json, headers: cookie });
    const ann = await idp.caller(session);
    expect((await ann.call("/api/user-info", { headers: cookie })).status).toBe(200);
    expect(await (await ann.call("/api/admin/operator")).json()).toMatchObject({ role: "owner" });
    const again = await idp.ask("/sign-up/email", { json: { ...json, email: "bob@example.com" }, headers: cookie });
    expect(again.body).toMatchObject({ code: "NOT_ADMITTED" });
  } finally {
    await fresh.close();
    readConfig({ ...office, TINTYPE_DATA: app.dataFolder });
  }
});

// product: set-up
test("on a machine of its own the first visit opens the set-up page, until somebody has an account", async () => {
  const fresh = await startTestApp({
    environment: { TINTYPE_MODE: "private", OIDC_ISSUER: "", TINTYPE_ORIGIN: "http://localhost:3000" },
  });
  try {
    const first = await fresh.caller().call("/");
    expect([first.status, first.headers.get("location")]).toEqual([302, expect.stringMatching(/^\/join\/[\w-]+$/)]);
    const rows = { issuer: "https://id.example", subject: "ann", email: "ann@example.com", name: "Ann" };
    await fresh.db.insert(accounts).values({ ...rows, id: "acc_ann", createdAt: new Date() });
    expect((await fresh.caller().call("/")).status).not.toBe(302);
  } finally {
    await fresh.close();
    readConfig({ ...office, TINTYPE_DATA: app.dataFolder });
  }
});

// product: set-up
test("the link in the log of an earlier start lets nobody in", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "tintype-set-up-"));
  const links: string[] = [];
  try {
    for (let start = 0; start < 2; start++) {
      const lines: string[] = [];
      const fresh = await startTestApp({
        dataFolder,
        environment: { TINTYPE_MODE: "private", OIDC_ISSUER: "", TINTYPE_ORIGIN: "http://192.168.1.50:3000" },
        onLogLine: (line) => lines.push(line),
      });
      links.push(/\/join\/[\w-]+/.exec(lines.join(""))?.[0] ?? "");
      if (start === 1)
        expect(
          await Promise.all(links.map(async (link) => (await fresh.caller().call(link)).headers.get("location"))),
        ).toEqual(["/account/join?ended", "/account/join"]);
      await fresh.close();
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
    readConfig({ ...office, TINTYPE_DATA: app.dataFolder });
  }
});

// product: private-mode
test("an installation that becomes private and sells again keeps plans, what was given and what was used", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "tintype-modes-"));
  const start = (environment: Record<string, string> = {}) => startTestApp({ dataFolder, environment });
  try {
    const service = await start();
    const ann = await service.person("pro");
    // On another start the issuer has another address, and the same person is known by the key.
    const key = await keyOf(ann);
    const { id } = (await service.db.select().from(accounts).where(eq(accounts.subject, ann.subject)))[0] ?? { id: "" };
    expect((await compress(ann, 2)).status).toBe(200);
    await service.db
      .insert(creditGrants)
      .values({ id: "grant_1", holder: `person:${id}`, credits: 40, open: 40, endsAt: null, grantedAt: new Date() });
    const before = await infoOf(service.caller(key));
    await service.close();

    const home = await start({ TINTYPE_MODE: "private", SIGN_UP: "open" });
    expect(await infoOf(home.caller(key))).toMatchObject({ limit: null, service_count: 2 });
    expect((await compress(home.caller(key), 3)).status).toBe(200);
    expect(await infoOf(home.caller(key))).toMatchObject({ limit: null, service_count: 5 });
    await home.close();

    const again = await start();
    const after = await infoOf(again.caller(key));
    expect(after).toMatchObject({ plan: "pro", limit: before.limit, service_count: 5 });
    expect(await again.db.select().from(creditGrants)).toMatchObject([{ id: "grant_1", open: 40 }]);
    expect((await compress(again.caller(key))).headers.get("x-credits-remaining")).toBe(
      String((before.limit ?? 0) - 6),
    );
    await again.close();
  } finally {
    setMode("service");
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
