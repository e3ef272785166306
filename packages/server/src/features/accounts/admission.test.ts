import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JWTPayload } from "jose";
import { afterEach, expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { builtInOf, testPassword } from "../../testing/built-in.ts";
import { startGoogle } from "../../testing/google.ts";
import { startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { startMailbox } from "../../testing/mailbox.ts";
import { samplePng } from "../../testing/pictures.ts";
import { refusalOf } from "./admission.ts";
import { accounts } from "./tables.ts";

const origin = "http://localhost:54336";
const builtIn = { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin, TINTYPE_TRUSTED_PROXIES: "127.0.0.1" };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
async function start(environment: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ environment });
  closing.push(() => app.close());
  return app;
}
async function answerOf(answer: Response) {
  const { code, detail } = (await answer.json()) as { code?: string; detail?: string };
  return [answer.status, code, detail];
}
const picture = [{ name: "a.png", bytes: samplePng(20, 20) }];
const compress = (caller: TestCaller) => caller.run("compress", picture, { quality: "60" });

// product: admission
test("where sign-up is closed, no way makes an account", async () => {
  const google = await startGoogle();
  closing.push(google.close);
  const app = await start({ ...builtIn, ...google.environment, SIGN_UP: "closed" });
  const idp = builtInOf(app, origin);
  const { status, body } = await idp.signUp("ann@example.com");
  expect([status, body?.["code"], body?.["message"]]).toEqual([
    403,
    "NOT_ADMITTED",
    "This service takes no new accounts. Please ask the people who run it.",
  ]);
  google.profile = { sub: "g1", email: "ann@example.com", email_verified: true, name: "Ann" };
  expect(await google.signIn(app.baseUrl, origin)).toEqual({
    location: expect.stringContaining("error=NOT_ADMITTED"),
    session: "",
  });
  expect((await google.signInByWindow(app.baseUrl, origin)).html).toContain("NOT_ADMITTED");
  expect(await app.db.select().from(accounts)).toEqual([]);
});

test("where sign-up is closed, a token of a new person is refused", async () => {
  const app = await start({ SIGN_UP: "closed" });
  const stranger = await app.person();
  const refused = [403, "not-admitted", "This service takes no new accounts. Please ask the people who run it."];
  expect(await answerOf(await stranger.call("/api/user-info"))).toEqual(refused);
  expect(await answerOf(await compress(stranger))).toEqual(refused);
  expect(await app.db.select().from(accounts)).toEqual([]);
});

// product: admission
test("closing does not shut out who has an account", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "tintype-admission-"));
  closing.push(async () => rmSync(dataFolder, { recursive: true, force: true }));
  const restart = (environment: Record<string, string>) =>
    startTestApp({ dataFolder, environment: { ...builtIn, ...environment } });
  const open = await restart({});
  const { session } = await builtInOf(open, origin).signUp("ann@example.com");
  expect((await (await builtInOf(open, origin).caller(session)).call("/api/user-info")).status).toBe(200);
  await open.close();
  const closed = await restart({ SIGN_UP: "closed", GUESTS: "off" });
  closing.push(() => closed.close());
  expect((await (await builtInOf(closed, origin).caller(session)).call("/api/user-info")).status).toBe(200);
  expect((await builtInOf(closed, origin).signIn("ann@example.com", testPassword)).status).toBe(200);
});

// product: admission
test("a domain admits its people once they have followed the mailed link, and nobody else", async () => {
  const mailbox = await startMailbox();
  closing.push(mailbox.close);
  const app = await start({ ...builtIn, ...mailbox.environment, SIGN_UP: "domain:example.com, example.org" });
  const idp = builtInOf(app, origin);
  for (const email of ["ann@sub.example.com", "ann@example.com.evil.org", "ann@evil-example.com"])
    expect((await idp.signUp(email)).body, email).toMatchObject({
      code: "NOT_ADMITTED",
      message: "Only people with an email address at example.com or example.org can use this service.",
    });
  const { status, session } = await idp.signUp("Ann+photos@EXAMPLE.com");
  expect(status).toBe(200);
  const ann = await idp.caller(session);
  expect(await answerOf(await ann.call("/api/user-info"))).toEqual([
    403,
    "not-admitted",
    "Please verify your email first: follow the link we sent you.",
  ]);
  expect(await app.db.select().from(accounts)).toEqual([]);
  await expect.poll(() => mailbox.to("ann+photos@example.com").length).toBe(1);
  const [, token] = /token=([\w.-]+)/.exec(mailbox.to("ann+photos@example.com")[0]?.text ?? "") ?? [];
  expect((await idp.ask(`/verify-email?token=${token}`, { session })).status).toBe(200);
  expect((await (await idp.caller(session)).call("/api/user-info")).status).toBe(200);
});

test("a domain holds for tokens of other issuers, where it needs their word that the address is verified", async () => {
  const app = await start({ SIGN_UP: "domain:example.com" });
  const statusOf = async (claims: JWTPayload) =>
    (await (await app.person("hobby", claims)).call("/api/user-info")).status;
  expect(await statusOf({ email: "ann@example.com", email_verified: true })).toBe(200);
  expect(await statusOf({ email: "bob@example.com", email_verified: false })).toBe(403);
  expect(await statusOf({ email: "bob@example.net", email_verified: true })).toBe(403);
  expect(await statusOf({ email: "", email_verified: true })).toBe(403);
});

test("the address itself decides, not what looks like a domain in it", () => {
  const access = { guests: true, sign_up: "domain", domains: ["example.com"] } as const;
  for (const email of [
    "example.com",
    "a@b@example.net",
    "a@example.com@evil.org",
    "a@example.com.",
    "a@éxample.com",
    "",
  ])
    expect(refusalOf({ ...access, domains: [...access.domains] }, email), email).toBeDefined();
  expect(refusalOf({ ...access, domains: [...access.domains] }, '"a@evil.org"@example.com')).toBeUndefined();
});

test("with the built-in provider, a domain without mail is refused at the start", async () => {
  await expect(start({ ...builtIn, SIGN_UP: "domain:example.com" })).rejects.toThrow("set SMTP_URL and MAIL_FROM");
});

// product: admission
test("where guests are off, a visitor learns how to sign in and can do nothing else", async () => {
  const app = await start({ GUESTS: "off" });
  const visitor = app.caller();
  const config = (await (await visitor.call("/api/config")).json()) as object;
  expect(config).toMatchObject({ access: { guests: false }, tier: "guest", usage: { used: 0, limit: 0 } });
  const refused = [401, "unauthorized", "Please sign in: this service is not open to guests."];
  expect(await answerOf(await compress(visitor))).toEqual(refused);
  expect(await answerOf(await visitor.run("preview", picture, { keep: "true" }))).toEqual(refused);
  expect(await answerOf(await visitor.call("/api/service-use", { method: "POST" }))).toEqual(refused);
  expect(await answerOf(await visitor.call("/api/jobs/job_0123"))).toEqual(refused);
  expect((await compress(await app.person())).status).toBe(200);
});

test("a setting that says who may sign up is read strictly", () => {
  const accessOf = (SIGN_UP: string) => readConfig({ SIGN_UP }).access;
  expect(accessOf("domain:Example.com,example.org")).toEqual({
    guests: true,
    sign_up: "domain",
    domains: ["example.com", "example.org"],
  });
  for (const wrong of ["domain:", "domain:localhost", "domain:*.example.com", "domain:a@example.com", "invited", "no"])
    expect(() => accessOf(wrong), wrong).toThrow("SIGN_UP");
});

// product: admission
test("of an issuer's people those come in whose claim is allowed, by any of its values, and for as long as they have it", async () => {
  const app = await start({ TINTYPE_MODE: "private", OIDC_ALLOW: "groups:design, marketing" });
  const designer = await app.person("hobby", { groups: ["staff", "design"] });
  expect((await designer.call("/api/user-info")).status).toBe(200);
  expect((await (await app.person("hobby", { groups: "marketing" })).call("/api/user-info")).status).toBe(200);
  const refused = [
    403,
    "not-admitted",
    "Your account is not among those that may use this service. Please ask the people who run it.",
  ];
  const outside: JWTPayload[] = [
    {},
    { groups: [] },
    { groups: ["designers", "DESIGN", " design", "design,marketing"] },
    { groups: { design: true } },
    { groups: [["design"]] },
    { roles: ["design"] },
    { "groups.design": "design", __proto__: { groups: "design" } },
  ];
  for (const claims of outside) {
    const stranger = await app.person("hobby", claims);
    expect(await answerOf(await stranger.call("/api/user-info")), JSON.stringify(claims)).toEqual(refused);
    expect(await answerOf(await compress(stranger))).toEqual(refused);
  }
  expect(await app.db.select().from(accounts)).toHaveLength(2);
});

test("a claim may lie inside another one, and the built-in provider has none", async () => {
  const app = await start({ TINTYPE_MODE: "private", OIDC_ALLOW: "realm_access.roles:images" });
  const statusOf = async (claims: JWTPayload) =>
    (await (await app.person("hobby", claims)).call("/api/user-info")).status;
  expect(await statusOf({ realm_access: { roles: ["images"] } })).toBe(200);
  expect(await statusOf({ realm_access: ["images"] })).toBe(403);
  await expect(start({ ...builtIn, OIDC_ALLOW: "groups:design" })).rejects.toThrow("OIDC_ALLOW needs OIDC_ISSUER");
  expect(() => readConfig({ OIDC_ALLOW: "design" })).toThrow("groups:design,marketing");
});
