import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltIn, builtInOf, testPassword } from "../../testing/built-in.ts";
import { startGoogle, type TestGoogle } from "../../testing/google.ts";
import { startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { type Mailbox, startMailbox } from "../../testing/mailbox.ts";
import { samplePng } from "../../testing/pictures.ts";
import { countAsVerified } from "./people.ts";
import { accounts, idpAccount, idpPasskey, idpTwoFactor, idpUser } from "./tables.ts";

const origin = "http://localhost:54333";
let google: TestGoogle;
let mailbox: Mailbox;
let app: TestApp;
let idp: BuiltIn;
beforeAll(async () => {
  google = await startGoogle();
  mailbox = await startMailbox();
  app = await startTestApp({
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_URL_INPUT: "on",
      ...google.environment,
      ...mailbox.environment,
    },
  });
  idp = builtInOf(app, origin);
});
afterAll(async () => {
  await app.close();
  await google.close();
  await mailbox.close();
});

let subjects = 0;
function comeAs(email: string, isVerified: boolean | string) {
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

/** The owner requests a new password and follows the mailed link. */
async function resetBy(email: string, newPassword: string) {
  await idp.ask("/request-password-reset", { json: { email, redirectTo: `${origin}/account/set-password` } });
  const letters = () => mailbox.to(email).filter(({ subject }) => /password/i.test(subject));
  await expect.poll(() => letters().length).toBeGreaterThan(0);
  const [, token] = /reset-password\/([A-Za-z0-9]+)/.exec(letters().at(-1)?.text ?? "") ?? [];
  const { status } = await idp.ask("/reset-password", { json: { newPassword, token } });
  expect(status).toBe(200);
  return idp.signIn(email, newPassword);
}

// product: both-verified
test("Google opens no account whose address was not verified here, and tells to use its password", async () => {
  const email = "unverified@example.com";
  const { session } = await idp.signUp(email);
  const signedIn = await comeAs(email, true);
  expect(signedIn.session).toBe("");
  expect(signedIn.location).toContain("/failed?error=account_not_linked");
  expect(await waysOf(email)).toEqual(["credential"]);
  expect(await infoOf(session)).toMatchObject({ email });
});

test("who is signed in with the password links Google to it, also before the address is verified", async () => {
  const email = "linked@example.com";
  const { session } = await idp.signUp(email);
  google.profile = { sub: "google-linked", email, email_verified: true, name: "The Owner" };
  await google.link(app.baseUrl, { origin, session });
  expect(await waysOf(email)).toEqual(["credential", "google"]);
  // From now on only Google opens it, and has verified the address.
  expect((await google.signIn(app.baseUrl, origin)).session).not.toBe("");
  expect(await userOf(email)).toMatchObject({ emailVerified: true });
});

test("the owner of an address takes over by a mailed link what somebody else registered with it", async () => {
  const email = "victim@example.com";
  const stranger = await idp.signUp(email, { name: "Mallory" });
  const strangersToken = await idp.token(stranger.session);
  const made = await app
    .caller(strangersToken)
    .call("/api/keys", { json: { name: "Back door", scopes: ["process", "usage:read"] } });
  const { key } = (await made.json()) as { key: string };
  expect((await app.caller(key).call("/api/user-info")).status).toBe(200);
  const before = await userOf(email);
  const userId = String(before?.id);
  await app.db.insert(idpPasskey).values({
    id: "passkey-of-mallory",
    userId,
    publicKey: "k",
    credentialID: "c",
    counter: 0,
    deviceType: "singleDevice",
    backedUp: false,
  });
  await app.db.insert(idpTwoFactor).values({ id: "factor-of-mallory", userId, secret: "s", backupCodes: "c" });
  await app.db.update(idpUser).set({ twoFactorEnabled: true }).where(eq(idpUser.id, userId));

  const { session } = await resetBy(email, "the owner's own 1");
  expect(await userOf(email)).toMatchObject({ id: userId, emailVerified: true, twoFactorEnabled: false });
  expect(await infoOf(session)).toMatchObject({ email });
  expect(await waysOf(email)).toEqual(["credential"]);
  for (const table of [idpPasskey, idpTwoFactor])
    expect(await app.db.select().from(table).where(eq(table.userId, userId))).toEqual([]);
  expect((await app.caller(strangersToken).call("/api/user-info")).status).toBe(401);
  expect((await app.caller(key).call("/api/user-info")).status).toBe(401);
  expect((await idp.ask("/token", { session: stranger.session })).status).toBe(401);
  expect((await idp.signIn(email, testPassword)).status).toBe(401);
  expect((await comeAs(email, true)).session).not.toBe("");
});

test("an operator who counts an address as verified takes from its owner no right to end what a stranger made", async () => {
  const email = "vouched-for@example.com";
  const stranger = await idp.signUp(email);
  const caller = await idp.caller(stranger.session);
  const made = await caller.call("/api/keys", { json: { name: "Back door", scopes: ["usage:read"] } });
  const { key } = (await made.json()) as { key: string };
  const [account] = await app.db.select().from(accounts).where(eq(accounts.email, email));
  await app.db.transaction((tx) => countAsVerified(tx, account?.id ?? ""));
  const isCounted = async (by: TestCaller) =>
    ((await (await by.call("/api/user-info")).json()) as { must_verify_email: boolean }).must_verify_email;
  expect([await isCounted(caller), await isCounted(app.caller(key))]).toEqual([false, false]);

  const { session } = await resetBy(email, "the owner's own 1");
  expect(await infoOf(session)).toMatchObject({ email, must_verify_email: false });
  expect((await app.caller(key).call("/api/user-info")).status).toBe(401);
  expect((await idp.ask("/token", { session: stranger.session })).status).toBe(401);
});

test("a stranger who registered the owner's address hears no more of the account's jobs, and knows no secret of it", async () => {
  const email = "overheard@example.com";
  const stranger = await idp.caller((await idp.signUp(email)).session);
  const secretOf = async (caller: TestCaller) =>
    ((await (await caller.call("/api/webhooks/secret")).json()) as { secret: string }).secret;
  const knownSecret = await secretOf(stranger);
  const made = await stranger.call("/api/webhooks", { json: { url: "https://mallory.example/hook" } });
  expect(made.status).toBe(201);
  const owner = await idp.caller((await resetBy(email, "the owner's own 1")).session);
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

test.each([
  [true, false],
  [false, false],
  [true, "false"],
  [true, "true"],
])(
  "an address that Google has not verified opens no account (verified here: %s; what Google says: %j)",
  async (isVerified, claim) => {
    const email = `claimed-${isVerified}-${typeof claim}-${claim}@example.com`;
    const { session } = await idp.signUp(email);
    await app.db.update(idpUser).set({ emailVerified: isVerified }).where(eq(idpUser.email, email));
    const signedIn = await comeAs(email, claim);
    expect(signedIn.session).toBe("");
    expect(signedIn.location).toContain("/failed?error=account_not_linked");
    expect(await waysOf(email)).toEqual(["credential"]);
    expect(await infoOf(session)).toMatchObject({ email });
  },
);

test("the last page of Google's window has no session's token in it for scripts", async () => {
  google.profile = { sub: "popup", email: "popup@example.com", email_verified: true, name: "Popup" };
  const { html, session } = await google.signInByWindow(app.baseUrl, origin);
  expect(html).toContain("better-auth:oauth-popup");
  expect(html).not.toMatch(/"token"\s*:/);
  expect(await infoOf(session)).toMatchObject({ email: "popup@example.com" });
});

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

test.each(["false", "true", 1])("a new account is not verified by what is not true: %j", async (claim) => {
  const email = `new-${claim}@example.com`;
  google.profile = { sub: `new-${claim}`, email, email_verified: claim, name: "New" };
  await google.signIn(app.baseUrl, origin);
  expect(await userOf(email)).toMatchObject({ emailVerified: false });
});

test("Google's first word that an address is verified ends what was made before it, and leaves Google", async () => {
  const email = "later-verified@example.com";
  const { session } = await comeAs(email, false);
  const before = await idp.caller(session);
  const made = await before.call("/api/keys", { json: { name: "Back door", scopes: ["usage:read"] } });
  const { key } = (await made.json()) as { key: string };
  google.profile = { ...google.profile, email_verified: true };
  const owner = await google.signIn(app.baseUrl, origin);
  expect(await infoOf(owner.session)).toMatchObject({ must_verify_email: false });
  expect((await app.caller(key).call("/api/user-info")).status).toBe(401);
  expect((await before.call("/api/user-info")).status).toBe(401);
  expect(await waysOf(email)).toEqual(["google"]);
});

test("what a stranger runs and has run in an account ends when its owner proves the address", async () => {
  const email = "running@example.com";
  const stranger = await idp.caller((await idp.signUp(email)).session);
  const picture = { name: "a.png", bytes: samplePng(30, 20) };
  const begun = await stranger.run("compress", [picture], { quality: "60" }, { prefer: "respond-async" });
  expect(begun.status).toBe(202);
  const { id } = (await begun.json()) as { id: string };
  const job = async () => (await (await stranger.call(`/api/jobs/${id}`)).json()) as { state: string };
  await expect.poll(async () => (await job()).state).toBe("done");
  const owner = await idp.caller((await resetBy(email, "the owner's own 1")).session);
  expect((await owner.call(`/api/jobs/${id}/result`)).status).toBeGreaterThanOrEqual(400);
});

test("at another issuer, its first word that an address is verified ends keys, webhooks and recipes from before", async () => {
  const other = await startTestApp({ environment: { TINTYPE_URL_INPUT: "on" } });
  try {
    const before = await other.person("hobby", { email: "elsewhere@example.com", email_verified: false });
    const created = async (path: string, json: object) => (await before.call(path, { json })).json();
    const { key } = (await created("/api/keys", { name: "Back door", scopes: ["usage:read"] })) as { key: string };
    await created("/api/webhooks", { url: "https://mallory.example/hook" });
    await created("/api/recipes", { name: "mine", steps: [{ compress: { quality: 70 } }] });
    const owner = await other.person("hobby", { sub: before.subject, email: "elsewhere@example.com" });
    const makeKey = async () =>
      (
        (await (await owner.call("/api/keys", { json: { name: "Mine", scopes: ["usage:read"] } })).json()) as {
          key: string;
        }
      ).key;
    const own = await makeKey();
    expect((await other.caller(key).call("/api/user-info")).status).toBe(401);
    expect(await (await owner.call("/api/webhooks")).json()).toEqual({ webhooks: [] });
    const { recipes } = (await (await owner.call("/api/recipes")).json()) as { recipes: { preset: boolean }[] };
    expect(recipes.filter(({ preset }) => !preset)).toEqual([]);
    // A token from before the proof is still valid at this issuer. It undoes nothing, and the next one is no new proof.
    expect((await before.call("/api/user-info")).status).toBe(200);
    expect((await owner.call("/api/user-info")).status).toBe(200);
    expect((await other.caller(own).call("/api/user-info")).status).toBe(200);
  } finally {
    await other.close();
  }
});
