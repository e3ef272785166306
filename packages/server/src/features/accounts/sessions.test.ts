import { eq, like } from "drizzle-orm";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outboxMails } from "../../platform/db/tables.ts";
import { deriveKeys } from "../../platform/keys.ts";
import { type BuiltIn, builtInOf, testPassword, totpOf } from "../../testing/built-in.ts";
import { startTestApp, type TestApp } from "../../testing/harness.ts";
import { idpPasskey, idpSession, idpTwoFactor, idpUser, idpVerification } from "./tables.ts";

const masterSecret = "a secret that is long enough for the tests";
const origin = "http://localhost:54336";
let app: TestApp;
let idp: BuiltIn;
beforeAll(async () => {
  app = await startTestApp({
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      TINTYPE_SECRET: masterSecret,
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  idp = builtInOf(app, origin);
});
afterAll(() => app.close());

/** The session's token, without the cookie's signature. */
const tokenIn = (session: string) => decodeURIComponent(session.split("=").slice(1).join("=")).split(".")[0] ?? "";

/** A token in better-auth's format (HS256 with its secret), as someone with the key could forge it. */
const forged = (payload: Record<string, string>) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(deriveKeys(masterSecret).identityProvider));

test("no token moves an account to another address, whoever signed it", async () => {
  const email = "stays@example.com";
  await idp.signUp(email);
  const verify = async (payload: Record<string, string>) =>
    (await idp.ask(`/verify-email?${new URLSearchParams({ token: await forged(payload) })}`)).status;
  for (const more of [{}, { requestType: "change-email-verification" }, { requestType: "change-email-confirmation" }])
    expect(await verify({ email, updateTo: "mallory@example.com", ...more })).toBe(400);
  const users = await app.db.select().from(idpUser);
  expect(users.map((user) => user.email)).toContain(email);
  expect(users.map((user) => user.email)).not.toContain("mallory@example.com");
});

test("what signs cookies of guests does not sign mailed tokens, and the secret itself signs neither", async () => {
  for (const key of [masterSecret, deriveKeys(masterSecret).guestCookies]) {
    const token = await new SignJWT({ email: "ann@example.com" })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(key));
    expect((await idp.ask(`/verify-email?${new URLSearchParams({ token })}`)).status).toBe(401);
  }
});

test("no answer shows a session's token to scripts", async () => {
  const shown: unknown[] = [];
  const { body, session } = await idp.signUp("hidden@example.com");
  shown.push(body, (await idp.ask("/get-session", { session })).body, (await idp.ask("/sessions", { session })).body);
  shown.push((await idp.signIn("hidden@example.com", testPassword)).body);
  const [row] = await app.db
    .select()
    .from(idpSession)
    .where(eq(idpSession.token, tokenIn(session)));
  expect(row).toBeDefined();
  for (const answer of shown) {
    expect(answer).not.toBeNull();
    expect(JSON.stringify(answer)).not.toMatch(/"token"/);
    expect(JSON.stringify(answer)).not.toContain(String(row?.token));
  }
});

test("a session keeps no address of the network", async () => {
  await idp.signUp("nowhere@example.com");
  const rows = await app.db.select().from(idpSession);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ ipAddress }) => ipAddress !== null)).toEqual([]);
});

test("passwords are not tried at the check of the present one either", async () => {
  const { session } = await idp.signUp("tried@example.com");
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++)
    statuses.push(
      (
        await idp.ask("/verify-password", {
          json: { password: `wrong-${i}` },
          session,
          headers: { "x-forwarded-for": "192.0.2.1" },
        })
      ).status,
    );
  expect(statuses.slice(0, 5)).not.toContain(429);
  expect(statuses.slice(5)).toEqual([429, 429]);
});

test("sessions are listed by id and ended one by one, and a stranger's are not there", async () => {
  const { session } = await idp.signUp("sessions@example.com");
  const other = (await idp.signIn("sessions@example.com", testPassword)).session;
  const list = async () =>
    (await idp.ask("/sessions", { session })).body as unknown as { id: string; isCurrent: boolean }[];
  const before = await list();
  expect(before.map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, true]);
  const ended = String(before.find(({ isCurrent }) => !isCurrent)?.id);
  const stranger = (await idp.signUp("stranger@example.com")).session;
  expect((await idp.ask("/end-session", { json: { id: ended }, session: stranger })).status).toBe(404);
  expect((await idp.ask("/token", { session: other })).status).toBe(200);
  expect((await idp.ask("/end-session", { json: { id: ended }, session })).status).toBe(200);
  expect((await idp.ask("/token", { session: other })).status).toBe(401);
  expect(await list()).toHaveLength(1);
});

test("sessions and links that have run out are deleted", async () => {
  await idp.signUp("old@example.com");
  const past = new Date(Date.now() - 1000);
  await app.db.update(idpSession).set({ expiresAt: past });
  await app.db.insert(idpVerification).values({ id: "old", identifier: "old", value: "old", expiresAt: past });
  await app.db
    .insert(idpVerification)
    .values({ id: "new", identifier: "new", value: "new", expiresAt: new Date(Date.now() + 60_000) });
  await app.sweep();
  expect(await app.db.select().from(idpSession)).toEqual([]);
  expect((await app.db.select().from(idpVerification)).map(({ id }) => id)).toEqual(["new"]);
});

// product: fresh-sign-in
test("a sign-in of an hour ago pays nothing, makes no key and deletes nothing until the person signs in again", async () => {
  const email = "left-open@example.com";
  const { session } = await idp.signUp(email);
  const caller = await idp.caller(session);
  const made = await caller.call("/api/keys", { json: { name: "Early", scopes: ["process"] } });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const [user] = await app.db.select().from(idpUser).where(eq(idpUser.email, email));
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await app.db
    .update(idpSession)
    .set({ createdAt: anHourAgo })
    .where(eq(idpSession.userId, String(user?.id)));
  const refused = [
    await caller.call("/api/keys", { json: { name: "Late", scopes: ["process"] } }),
    await caller.call(`/api/keys/${id}/rotate`, { json: { overlap_hours: 1 } }),
    await caller.call("/api/create-payment-session", { json: { plan_id: "plus", billing_cycle: "monthly" } }),
    await caller.call("/api/delete-account", { json: { email } }),
    await caller.call(`/api/keys/${id}`, { method: "DELETE" }),
    await caller.call("/api/webhooks/secret/rotate", { json: { overlap_hours: 1 } }),
    await caller.call("/api/webhooks/whk_1/rotate", { json: { overlap_hours: 1 } }),
    await caller.call("/api/billing-details", { method: "PUT", json: { name: "M", address: "x", country: "DE" } }),
    await caller.call("/api/billing-details", { method: "DELETE" }),
  ];
  for (const answer of refused) {
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "fresh-sign-in-required" });
  }
  expect((await caller.call("/api/user-info")).status).toBe(200);
  expect((await idp.ask("/passkey/generate-register-options", { session })).status).toBe(403);
  const passkey = await idp.ask("/passkey/delete-passkey", { json: { id: "passkey-1" }, session });
  expect(passkey).toMatchObject({ status: 403, body: { code: "SESSION_NOT_FRESH" } });

  const again = await idp.ask("/sign-in/email", {
    json: { email, password: testPassword },
    headers: { cookie: session },
  });
  const late = await (await idp.caller(again.session)).call("/api/keys", {
    json: { name: "Late", scopes: ["process"] },
  });
  expect(late.status).toBe(201);
  // The browser's previous session was replaced and is no longer valid.
  expect((await idp.ask("/token", { session })).status).toBe(401);
});

// product: second-factor
test("with an authenticator app a password alone opens nothing; a code or a recovery code does, each once", async () => {
  const email = "two@example.com";
  const { session } = await idp.signUp(email);
  expect((await idp.ask("/two-factor/enable", { json: { password: "not-this-one" }, session })).status).toBe(400);
  const begun = await idp.ask("/two-factor/enable", { json: { password: testPassword }, session });
  const { totpURI, backupCodes } = begun.body as { totpURI: string; backupCodes: string[] };
  expect(backupCodes).toHaveLength(10);
  // Nothing changes until the app has proved that it has the secret.
  expect((await idp.signIn(email, testPassword)).body).not.toHaveProperty("twoFactorRedirect");
  expect((await idp.ask("/two-factor/verify-totp", { json: { code: "000000" }, session })).status).toBe(401);
  const enabled = await idp.ask("/two-factor/verify-totp", { json: { code: totpOf(totpURI) }, session });
  expect(enabled.status).toBe(200);
  const [kept] = await app.db.select().from(idpTwoFactor);
  expect(JSON.stringify(kept)).not.toContain(backupCodes[0]);

  const mails = await app.db.select().from(outboxMails);
  expect(mails.filter(({ key }) => key.startsWith("app-added:"))).toHaveLength(1);

  const half = await idp.signIn(email, testPassword);
  expect(half.body).toMatchObject({ twoFactorRedirect: true });
  expect((await idp.ask("/token", { session: half.session })).status).toBe(401);
  const wrong = await idp.ask("/two-factor/verify-totp", { json: { code: "000000" }, session: half.session });
  expect(wrong.status).toBe(401);
  const code = totpOf(totpURI, 1);
  const whole = await idp.ask("/two-factor/verify-totp", { json: { code }, session: half.session });
  expect((await idp.ask("/token", { session: whole.session })).status).toBe(200);

  const third = await idp.signIn(email, testPassword);
  const replayed = await idp.ask("/two-factor/verify-totp", { json: { code }, session: third.session });
  expect(replayed).toMatchObject({ status: 401, body: { code: "INVALID_CODE" } });

  const recover = async () => {
    const begun = await idp.signIn(email, testPassword);
    return idp.ask("/two-factor/verify-backup-code", { json: { code: backupCodes[0] }, session: begun.session });
  };
  const recovered = await recover();
  expect((await idp.ask("/token", { session: recovered.session })).status).toBe(200);
  expect((await recover()).status).toBe(401);

  const removed = await idp.ask("/two-factor/disable", { json: { password: testPassword }, session: whole.session });
  expect(removed.status).toBe(200);
  expect((await idp.signIn(email, testPassword)).body).not.toHaveProperty("twoFactorRedirect");
});

test("of thirty wrong codes at once from thirty addresses, five are checked, and the owner's browser is not locked", async () => {
  const email = "guessed@example.com";
  const { session } = await idp.signUp(email);
  const { totpURI } = (await idp.ask("/two-factor/enable", { json: { password: testPassword }, session })).body as {
    totpURI: string;
  };
  await idp.ask("/two-factor/verify-totp", { json: { code: totpOf(totpURI) }, session });
  const known = knownBrowserOf(session);
  const halves: string[] = [];
  for (let i = 0; i < 6; i++) halves.push((await idp.signIn(email, testPassword)).session);
  const guess = (half: string | undefined, code: string) =>
    idp.ask("/two-factor/verify-totp", { json: { code }, session: half ?? "" });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => guess(halves[i % 6], String(100_000 + i))));
  const checked = answers.filter(({ status }) => status !== 429);
  expect(checked.length).toBeLessThanOrEqual(5);
  expect((await guess(halves[0], totpOf(totpURI, 1))).status).toBe(429);
  // The browser that has signed in before is not locked out by a stranger who knows the password.
  const own = await idp.ask("/sign-in/email", { json: { email, password: testPassword }, headers: { cookie: known } });
  const cookie = [known, own.session].join("; ");
  expect((await guess(cookie, totpOf(totpURI, 1))).status).toBe(200);
});

test("what is no answer of a passkey is refused, and opens nothing", async () => {
  const { session } = await idp.signUp("no-key@example.com");
  for (const response of [{}, { id: 1 }, { id: "x" }, { id: "x", rawId: "x", type: "public-key", response: {} }]) {
    const asked = await idp.ask("/passkey/generate-authenticate-options");
    const answer = await idp.ask("/passkey/verify-authentication", { json: { response }, session: asked.session });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.session).not.toContain("session_token");
    const begun = await idp.ask("/passkey/generate-register-options", { session });
    const cookie = [session, begun.session].join("; ");
    const registered = await idp.ask("/passkey/verify-registration", { json: { response }, session: cookie });
    expect(registered.status).toBe(400);
  }
});

/** Of all cookies, the one by which an account knows a browser after its session has ended. */
const knownBrowserOf = (cookies: string) =>
  cookies
    .split("; ")
    .filter((cookie) => cookie.includes("known_browser"))
    .join("; ");

test("of forty wrong passwords from one /56, five are checked, and the owner gets in by a known browser or a mailed link", async () => {
  const email = "attacked@example.com";
  const { session } = await idp.signUp(email);
  const guess = (password: string, headers: Record<string, string> = {}) =>
    idp.ask("/sign-in/email", { json: { email, password }, headers });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      guess(`wrong-${i}-123`, { "x-forwarded-for": `2001:db8:0:${i.toString(16)}::1` }),
    ),
  );
  expect(answers.filter(({ status }) => status !== 429)).toHaveLength(5);
  expect((await guess(testPassword)).status).toBe(429);
  expect((await guess(testPassword, { cookie: knownBrowserOf(session) })).status).toBe(200);

  await idp.ask("/request-password-reset", { json: { email, redirectTo: `${origin}/account/set-password` } });
  const [row] = await app.db.select().from(idpVerification).where(like(idpVerification.identifier, "reset-password:%"));
  const token = row?.identifier.split(":")[1];
  const reset = await idp.ask("/reset-password", { json: { token, newPassword: "another-456" } });
  expect(reset.status).toBe(200);
  expect((await guess("another-456", { cookie: reset.session })).status).toBe(200);
});

test("guesses at an address without an account are limited like those at one with it", async () => {
  const answers = [];
  for (let i = 0; i < 7; i++) answers.push((await idp.signIn("nobody@example.com", `wrong-${i}-123`)).status);
  expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

test("whoever signs in rightly is not limited by it", async () => {
  const email = "often@example.com";
  await idp.signUp(email);
  for (let i = 0; i < 8; i++) expect((await idp.signIn(email, testPassword)).status).toBe(200);
});

test("each change of a credential is mailed", async () => {
  const email = "told@example.com";
  const { session } = await idp.signUp(email);
  const caller = await idp.caller(session);
  const [user] = await app.db.select().from(idpUser).where(eq(idpUser.email, email));
  await app.db.insert(idpPasskey).values({
    id: "passkey-of-told",
    userId: String(user?.id),
    publicKey: "k",
    credentialID: "c",
    counter: 0,
    deviceType: "singleDevice",
    backedUp: false,
  });
  const made = await caller.call("/api/keys", { json: { name: "Script", scopes: ["process"] } });
  const { id } = (await made.json()) as { id: string };
  const changed = [
    (await caller.call(`/api/keys/${id}`, { method: "DELETE" })).status,
    (await caller.call("/api/webhooks/secret/rotate", { json: {} })).status,
    (await idp.ask("/passkey/delete-passkey", { json: { id: "passkey-of-told" }, session })).status,
  ];
  expect(changed).toEqual([204, 200, 200]);
  const keys = (await app.db.select().from(outboxMails)).map(({ key }) => key.split(":")[0]);
  expect(keys).toEqual(expect.arrayContaining(["new-key", "revoked-key", "webhook-secret", "passkey-removed"]));
  expect((await caller.call("/api/webhooks/secret/rotate", { json: { overlap_hours: 0 } })).status).toBe(400);
});
