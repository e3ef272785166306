import { limits } from "@tintype/contract";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltIn, builtInOf, testPassword } from "../../testing/built-in.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { type Mailbox, startMailbox } from "../../testing/mailbox.ts";
import { idpUser } from "./tables.ts";

const origin = "http://localhost:54331";
const clock = heldClock();
let mailbox: Mailbox;
let app: TestApp;
let idp: BuiltIn;
beforeAll(async () => {
  mailbox = await startMailbox();
  // Each caller sets its own address, so that tests do not share a network.
  app = await startTestApp({
    clock,
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      ...mailbox.environment,
    },
  });
  idp = builtInOf(app, origin);
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const infoOf = async (caller: TestCaller) =>
  (await (await caller.call("/api/user-info")).json()) as Record<string, unknown>;
const spend = (caller: TestCaller, count: number, address = "203.0.113.1") =>
  caller.call("/api/service-use-multiple", { json: { file_count: count }, headers: { "x-forwarded-for": address } });
async function verificationLink(email: string): Promise<URL> {
  const letters = () => mailbox.to(email).filter(({ subject }) => subject === "Verify your email for Tintype");
  await expect.poll(() => letters().length).toBeGreaterThan(0);
  return new URL(/https?:\S+verify-email\S+/.exec(letters().at(-1)?.text ?? "")?.[0] ?? "");
}
const follow = (link: URL, session = "") =>
  fetch(app.baseUrl + link.pathname + link.search, { redirect: "manual", headers: { cookie: session } });

// product: verified-first
test("a new account has a guest's allowance until the mailed link was followed, then all of it at once", async () => {
  const email = "new@example.com";
  const { session } = await idp.signUp(email);
  const ann = await idp.caller(session);
  expect(await infoOf(ann)).toMatchObject({
    plan: "hobby",
    limit: limits.guest.credits,
    window: "ever",
    resets_at: null,
    must_verify_email: true,
  });
  expect((await spend(ann, 5)).status).toBe(200);
  const refused = await spend(ann, 1);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("Verify your email to get all") });

  const made = await ann.call("/api/keys", { json: { name: "Script", scopes: ["usage:read"] } });
  const script = app.caller(((await made.json()) as { key: string }).key);
  expect(await infoOf(script)).toMatchObject({ limit: 5, must_verify_email: true });

  const link = await verificationLink(email);
  expect(link.origin).toBe(origin);
  const answer = await follow(link, session);
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toContain("/account?verified=1");
  expect(await infoOf(script)).toMatchObject({ limit: 100, must_verify_email: false });
  // The same token as before: the database says who is verified.
  expect(await infoOf(ann)).toMatchObject({ limit: 100, window: "month", service_count: 5, must_verify_email: false });
  expect((await spend(ann, 1)).status).toBe(200);
});

test("unverified accounts of one network have together what its guests have", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) {
    const { session } = await idp.signUp(`made-up-${i}@example.com`);
    statuses.push((await spend(await idp.caller(session), 5, "203.0.113.2")).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 403]);
  const guest = await spend(app.caller(), 1, "203.0.113.2");
  expect(await guest.json()).toMatchObject({ detail: expect.stringContaining("Sign in to continue") });
});

test("a name is in no mail to an unverified address, and in those to a verified one", async () => {
  const email = "named@example.com";
  const name = "Pay the invoice";
  const { session } = await idp.signUp(email, { name });
  await idp.ask("/request-password-reset", { json: { email, redirectTo: `${origin}/reset` } });
  await follow(await verificationLink(email), session);
  await expect.poll(() => mailbox.to(email).length).toBe(2);
  for (const { raw, text } of mailbox.to(email)) {
    expect(raw + text).not.toContain(name);
    expect(text).toMatch(/^Hello,/);
  }
  const change = { currentPassword: testPassword, newPassword: "another-456" };
  expect((await idp.ask("/change-password", { json: change, session })).status).toBe(200);
  await expect.poll(() => mailbox.to(email).at(-1)?.subject).toBe("Your Tintype password was changed");
  expect(mailbox.to(email).at(-1)?.text).toMatch(/^Hello Pay the invoice,/);
});

test.each([
  ["with an address", "Security notice: visit https://evil.example"],
  ["of 90 KB", "x".repeat(90_000)],
  ["with a line break", "Ann\r\nBcc: all@example.com"],
  ["that is a domain", "evil.com"],
])("a name %s is refused, and no mail goes out", async (_kind, name) => {
  const email = `refused-${Math.random()}@example.com`;
  const { status, body } = await idp.signUp(email, { name });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "NAME_NOT_ALLOWED" });
  expect(mailbox.to(email)).toEqual([]);
  expect(await app.db.select().from(idpUser).where(eq(idpUser.email, email))).toEqual([]);
});

test("a name from before there was a rule is cut when it is read", async () => {
  const email = "old-name@example.com";
  const { session } = await idp.signUp(email);
  const name = `Visit https://evil.example/${"x".repeat(100)} now\u202e`;
  await app.db.update(idpUser).set({ name }).where(eq(idpUser.email, email));
  expect(await infoOf(await idp.caller(session))).toMatchObject({ name: "Visit now" });
});

test("the link is sent again once a minute, five times a day, and only to oneself", async () => {
  const email = "again@example.com";
  const { session } = await idp.signUp(email);
  const resend = async (as?: string) =>
    (await idp.ask("/send-verification-email", { json: { email }, ...(as ? { session: as } : {}) })).status;
  const letters = () => mailbox.to(email).length;
  await expect.poll(letters).toBe(1);
  expect(await resend()).toBe(401);
  expect(await resend(session)).toBe(429);
  clock.advance(61_000);
  expect(await resend(session)).toBe(200);
  await expect.poll(letters).toBe(2);
  expect(await resend(session)).toBe(429);
  // The second mail's link works like the first one's.
  expect((await follow(await verificationLink(email), session)).status).toBe(302);
  expect(await infoOf(await idp.caller(session))).toMatchObject({ must_verify_email: false });
});

test("a reset link proves the address too, and whatever else led into the account is gone", async () => {
  const email = "reset@example.com";
  const { session } = await idp.signUp(email);
  const before = await idp.token(session);
  await idp.ask("/request-password-reset", { json: { email, redirectTo: `${origin}/reset` } });
  const reset = () => mailbox.to(email).find(({ subject }) => subject === "Set a new Tintype password");
  await expect.poll(reset).toBeDefined();
  const token = /reset-password\/([^?\s]+)/.exec(reset()?.text ?? "")?.[1];
  expect((await idp.ask("/reset-password", { json: { token, newPassword: "another-456" } })).status).toBe(200);
  expect((await app.caller(before).call("/api/user-info")).status).toBe(401);
  expect((await idp.signIn(email, testPassword)).status).toBe(401);
  const again = await idp.signIn(email, "another-456");
  expect(await infoOf(await idp.caller(again.session))).toMatchObject({ must_verify_email: false, limit: 100 });
});

test("EMAIL_VERIFICATION=off: no link, but a welcome, without the name", async () => {
  const open = await startTestApp({
    clock,
    environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin, EMAIL_VERIFICATION: "off", ...mailbox.environment },
  });
  try {
    const email = "welcome@example.com";
    const { session } = await builtInOf(open, origin).signUp(email);
    const ann = await builtInOf(open, origin).caller(session);
    expect(await infoOf(ann)).toMatchObject({ limit: 100, must_verify_email: false });
    await open.sweep();
    await expect.poll(() => mailbox.to(email).map(({ subject }) => subject)).toEqual(["Your Tintype account is ready"]);
    expect(mailbox.to(email)[0]?.text).toMatch(/^Hello,/);
  } finally {
    await open.close();
  }
});

test("at another issuer its own claim counts: verified is welcomed by name, unverified has a guest's allowance", async () => {
  const other = await startTestApp({ clock, environment: mailbox.environment });
  try {
    const verified = await other.person();
    expect(await infoOf(verified)).toMatchObject({ limit: 100, must_verify_email: false });
    await other.sweep();
    const [letter] = mailbox.to(`${verified.subject}@example.com`);
    expect(letter?.subject).toBe("Your Tintype account is ready");
    expect(letter?.text).toMatch(/^Hello Person /);
    for (const claim of [false, undefined, "true"]) {
      const unverified = await other.person("hobby", { email_verified: claim });
      expect(await infoOf(unverified)).toMatchObject({ limit: 5, must_verify_email: true });
    }
    const paying = await other.person("plus", { email_verified: false });
    expect(await infoOf(paying)).toMatchObject({ limit: 500, must_verify_email: false });
  } finally {
    await other.close();
  }
});
