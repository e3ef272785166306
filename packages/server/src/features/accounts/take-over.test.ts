import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { idpAccount, idpUser } from "../../platform/db/tables.ts";
import { type BuiltIn, builtInOf, testPassword } from "../../testing/built-in.ts";
import { startGoogle, type TestGoogle } from "../../testing/google.ts";
import { type Caller, startTestApp, type TestApp } from "../../testing/harness.ts";

const origin = "http://localhost:54333";
let google: TestGoogle;
let app: TestApp;
let idp: BuiltIn;
beforeAll(async () => {
  google = await startGoogle();
  app = await startTestApp({
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_URL_INPUT: "on",
      ...google.environment,
    },
  });
  idp = builtInOf(app, origin);
});
afterAll(async () => {
  await app.close();
  await google.close();
});

let subjects = 0;
function comeAs(email: string, isVerified: boolean) {
  google.profile = { sub: `google-${++subjects}`, email, email_verified: isVerified, name: "The Owner" };
  return google.signIn(app.baseUrl, origin);
}
const userOf = async (email: string) => (await app.db.select().from(idpUser).where(eq(idpUser.email, email)))[0];
const waysOf = async (email: string) => {
  const user = await userOf(email);
  const ways = await app.db
    .select()
    .from(idpAccount)
    .where(eq(idpAccount.userId, user?.id ?? ""));
  return ways.map(({ providerId }) => providerId).toSorted();
};
const infoOf = async (session: string) => (await (await idp.caller(session)).call("/api/user-info")).json();

test("a Google account with a verified address is verified here too", async () => {
  const { session } = await comeAs("fresh@example.com", true);
  expect(await infoOf(session)).toMatchObject({
    email: "fresh@example.com",
    name: "The Owner",
    must_verify_email: false,
  });
  expect(await userOf("fresh@example.com")).toMatchObject({ emailVerified: true });
});

test("the owner of an address takes over what somebody else registered with it: old password and sessions are gone", async () => {
  const email = "victim@example.com";
  const stranger = await idp.signUp(email, { name: "Mallory" });
  const strangersToken = await idp.token(stranger.session);
  const made = await app
    .caller(strangersToken)
    .call("/api/keys", { json: { name: "Back door", scopes: ["process", "usage:read"] } });
  const { key } = (await made.json()) as { key: string };
  expect((await app.caller(key).call("/api/user-info")).status).toBe(200);
  const before = await userOf(email);
  const { session } = await comeAs(email, true);
  expect(await userOf(email)).toMatchObject({ id: before?.id, emailVerified: true, name: "The Owner" });
  expect(await infoOf(session)).toMatchObject({ email, name: "The Owner" });
  expect(await waysOf(email)).toEqual(["google"]);
  expect((await app.caller(strangersToken).call("/api/user-info")).status).toBe(401);
  expect((await app.caller(key).call("/api/user-info")).status).toBe(401);
  expect((await idp.ask("/token", { session: stranger.session })).status).toBe(401);
  expect((await idp.signIn(email, testPassword)).status).toBe(401);
});

test("a stranger who registered the owner's address hears no more of the account's jobs, and knows no secret of it", async () => {
  const email = "overheard@example.com";
  const stranger = await idp.caller((await idp.signUp(email)).session);
  const secretOf = async (caller: Caller) =>
    ((await (await caller.call("/api/webhooks/secret")).json()) as { secret: string }).secret;
  const knownSecret = await secretOf(stranger);
  const made = await stranger.call("/api/webhooks", { json: { url: "https://mallory.example/hook" } });
  expect(made.status).toBe(201);
  const owner = await idp.caller((await comeAs(email, true)).session);
  expect(await (await owner.call("/api/webhooks")).json()).toEqual({ webhooks: [] });
  expect(await secretOf(owner)).not.toBe(knownSecret);
});

test("a verified account keeps its password when Google is linked to it", async () => {
  const email = "both@example.com";
  const { session } = await idp.signUp(email);
  await app.db.update(idpUser).set({ emailVerified: true }).where(eq(idpUser.email, email));
  expect((await comeAs(email, true)).session).not.toBe("");
  expect(await waysOf(email)).toEqual(["credential", "google"]);
  expect(await infoOf(session)).toMatchObject({ email });
});

test.each([true, false])(
  "an address that Google has not verified opens no account (verified here: %s)",
  async (isVerified) => {
    const email = `claimed-${isVerified}@example.com`;
    const { session } = await idp.signUp(email);
    await app.db.update(idpUser).set({ emailVerified: isVerified }).where(eq(idpUser.email, email));
    const came = await comeAs(email, false);
    expect(came.session).toBe("");
    expect(came.location).toContain("/failed?error=account_not_linked");
    expect(await waysOf(email)).toEqual(["credential"]);
    expect(await infoOf(session)).toMatchObject({ email });
  },
);

test("a name from Google is cut like any other, and one that is missing is none", async () => {
  google.profile = {
    sub: "named",
    email: "named@example.com",
    email_verified: true,
    name: `Visit https://evil.example\n${"x".repeat(100)}`,
    picture: "javascript:alert(1)",
  };
  const { session } = await google.signIn(app.baseUrl, origin);
  expect(await infoOf(session)).toMatchObject({ name: `Visit ${"x".repeat(74)}`, picture: null });
  google.profile = { sub: "nameless", email: "nameless@example.com", email_verified: true } as TestGoogle["profile"];
  const nameless = await google.signIn(app.baseUrl, origin);
  expect(await infoOf(nameless.session)).toMatchObject({ name: "nameless@example.com" });
});
