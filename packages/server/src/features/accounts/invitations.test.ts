import { deskScope, type UserInfo } from "@tintype/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInOf } from "../../testing/built-in.ts";
import { createCaller, heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { grantRole, roleOf } from "../desk/operators.ts";
import { makeApiKey } from "../keys/keys.ts";
import { accountIdOf } from "./accounts.ts";
import { accounts, idpUser } from "./tables.ts";

const origin = "http://localhost:54337";
const clock = heldClock();
let app: TestApp;
/** With another issuer, whose tokens the tests write. */
let other: TestApp;
let owner: TestCaller;
let ownerOfOther: TestCaller;
beforeAll(async () => {
  const common = { SIGN_UP: "invite", TINTYPE_ORIGIN: origin, TINTYPE_TRUSTED_PROXIES: "127.0.0.1" };
  app = await startTestApp({ clock, environment: { ...common, OIDC_ISSUER: "" } });
  other = await startTestApp({ clock, environment: common });
  owner = await ownerOf(app);
  ownerOfOther = await ownerOf(other);
});
afterAll(async () => {
  await app.close();
  await other.close();
});

/** A key of the desk, of an owner whom nobody had to invite. */
async function ownerOf({ db, baseUrl }: TestApp): Promise<TestCaller> {
  const id = "acc_owner";
  const rows = { issuer: "https://id.example", subject: "owner", email: "owner@example.com", name: "Owner" };
  await db.insert(accounts).values({ ...rows, id, emailVerified: true, createdAt: clock.now() });
  await grantRole(db, { at: clock.now(), actor: "command", reason: "a test", accountId: id, role: "owner" });
  const options: Parameters<typeof makeApiKey>[2] = {
    name: "desk",
    scopes: [deskScope],
    mode: "live",
    expiresAt: null,
    dailyFiles: null,
  };
  const { key } = await makeApiKey({ db, clock, origin }, id, options);
  return createCaller(baseUrl, key);
}

type Made = { invitation: { id: string; state: string }; link: string; mailed: boolean };
const reason = "a new colleague";
async function invite(by: TestCaller, wanted: object = {}): Promise<Made & { token: string }> {
  const made = await by.call("/api/admin/invitations", { json: { reason, ...wanted } });
  expect(made.status).toBe(201);
  const body = (await made.json()) as Made;
  return { ...body, token: body.link.slice(`${origin}/join/`.length) };
}
const listed = async (by: TestCaller) =>
  ((await (await by.call("/api/admin/invitations")).json()) as { invitations: { id: string; state: string }[] })
    .invitations;
const stateOf = async (by: TestCaller, id: string) => (await listed(by)).find((one) => one.id === id)?.state;
const cookieOf = (token: string) => ({ cookie: `tintype_invitation=${token}` });

/** Signs up with the built-in provider in a browser that has opened the link, and makes the first call. */
async function joinAs(email: string, token: string) {
  const idp = builtInOf(app, origin);
  const json = { name: "Ann Lee", email, password: "secret-123" };
  const { status, body, session } = await idp.ask("/sign-up/email", { json, headers: cookieOf(token) });
  if (status !== 200) return { status, code: body?.["code"] };
  const caller = await idp.caller(session);
  const first = await caller.call("/api/user-info", { headers: cookieOf(token) });
  return { status: first.status, code: undefined, caller };
}

// product: invitations
test("an invitation lets one person in, whoever has its link, and gives the role", async () => {
  const idp = builtInOf(app, origin);
  expect((await idp.signUp("stranger@example.com")).body).toMatchObject({
    code: "NOT_ADMITTED",
    message: "You need an invitation to create an account here. Please ask the people who run this service.",
  });
  const { token, invitation, mailed } = await invite(owner, { role: "support" });
  expect([invitation.state, mailed]).toEqual(["open", false]);
  const opened = await app.caller().call(`/join/${token}`);
  expect([opened.status, opened.headers.get("location")]).toEqual([302, "/account/join"]);
  // Programs that read mail follow links: that accepts nothing.
  expect(await stateOf(owner, invitation.id)).toBe("open");
  const joined = await joinAs("ann@example.com", token);
  expect(joined.status).toBe(200);
  expect(await stateOf(owner, invitation.id)).toBe("used");
  expect(await joined.caller?.call("/api/admin/operator").then((answer) => answer.json())).toMatchObject({
    role: "support",
  });
  // Again, by another person.
  expect(await joinAs("bob@example.com", token)).toMatchObject({ status: 403, code: "NOT_ADMITTED" });
  expect((await app.caller().call(`/join/${token}`)).headers.get("location")).toBe("/account/join?ended");
  expect((await app.db.select().from(idpUser)).map(({ email }) => email)).toEqual(["ann@example.com"]);
});

// product: invitations
test("of many who accept one invitation at once, one gets an account", async () => {
  const { token, invitation } = await invite(ownerOfOther);
  const people = await Promise.all(Array.from({ length: 8 }, () => other.person()));
  const answers = await Promise.all(
    people.map((person) => person.call("/api/user-info", { headers: cookieOf(token) })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(403)]);
  expect(await stateOf(ownerOfOther, invitation.id)).toBe("used");
});

// product: invitations
test("an invitation for an address is for exactly that one, in any case of its letters", async () => {
  const { token } = await invite(owner, { email: "Eve@Example.com" });
  for (const wrong of ["eve+1@example.com", "eve@example.org", "adeve@example.com"])
    expect([wrong, (await joinAs(wrong, token)).status]).toEqual([wrong, 403]);
  const config = await (await app.caller().call("/api/config", { headers: cookieOf(token) })).json();
  expect(config).toMatchObject({ access: { invitation: { email: "eve@example.com", is_set_up: false } } });
  expect((await joinAs("EVE@example.com", token)).status).toBe(200);
});

// product: invitations
test("a verified address is enough, and one that is only typed is not", async () => {
  await invite(ownerOfOther, { email: "kim@example.com" });
  const call = async (verified: boolean) => {
    const kim = await other.person("hobby", { email: "KIM@example.com", email_verified: verified });
    return kim.call("/api/user-info");
  };
  expect((await call(false)).status).toBe(403);
  const admitted = await call(true);
  expect([admitted.status, ((await admitted.json()) as UserInfo).email]).toEqual([200, "KIM@example.com"]);
});

// product: invitations
test("a revoked or expired invitation lets nobody in", async () => {
  const [revoked, late] = [await invite(owner), await invite(owner, { days: 2 })];
  const path = `/api/admin/invitations/${revoked.invitation.id}/revoke`;
  expect((await owner.call(path, { json: { reason } })).status).toBe(204);
  expect((await owner.call(path, { json: { reason } })).status).toBe(409);
  clock.advance(2 * 86_400_000);
  for (const { token, invitation } of [revoked, late]) {
    expect((await joinAs(`${invitation.id}@example.com`, token)).status).toBe(403);
    expect((await app.caller().call(`/join/${token}`)).headers.get("location")).toBe("/account/join?ended");
  }
  expect([await stateOf(owner, revoked.invitation.id), await stateOf(owner, late.invitation.id)]).toEqual([
    "revoked",
    "expired",
  ]);
});

test("the list has no links, and only owners invite", async () => {
  const { token } = await invite(owner);
  expect(JSON.stringify(await listed(owner))).not.toContain(token);
  const support = await joinAs("support@example.com", (await invite(owner, { role: "support" })).token);
  const refused = await support.caller?.call("/api/admin/invitations", { json: { reason } });
  expect(refused?.status).toBe(404);
  expect(await roleOf(app.db, (await accountOf("support@example.com")) ?? "")).toBe("support");
});

async function accountOf(email: string) {
  const all = await app.db.select().from(accounts);
  const found = all.find((one) => one.email === email);
  return found && accountIdOf(app.db, found);
}
