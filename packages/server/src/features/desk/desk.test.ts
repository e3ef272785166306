import { type DeskPerson, type DeskRole, errors, type FoundPerson, type ListedPerson } from "@tintype/contract";
import { type DeskEndpoint, deskEndpoints } from "@tintype/contract/schemas";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { putMail } from "../../platform/mail-outbox.ts";
import { builtInOf, testPassword } from "../../testing/built-in.ts";
import { createCaller, heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";
import { accounts, idpSession, idpUser } from "../accounts/tables.ts";
import { contactMessages } from "../contact/tables.ts";
import { allowances, creditEntries } from "../credits/tables.ts";
import { grantRole, namedAccount, revokeRole } from "./operators.ts";
import { adminAudit, operators } from "./tables.ts";

const origin = "http://localhost:3000";
const clock = heldClock(new Date());
let app: TestApp;
let idp: ReturnType<typeof builtInOf>;
const logged: string[] = [];
beforeAll(async () => {
  app = await startTestApp({
    clock,
    environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin, TINTYPE_TRUSTED_PROXIES: "127.0.0.1", MAIL: "log" },
    onLogLine: (line) => logged.push(line),
  });
  idp = builtInOf(app, origin);
});
afterAll(() => app.close());

type Someone = TestCaller & { id: string; email: string; session: string };
let people = 0;
async function someone(role?: DeskRole): Promise<Someone> {
  const email = `someone-${++people}@example.com`;
  const { session } = await idp.signUp(email);
  const caller = await idp.caller(session);
  await caller.call("/api/user-info");
  const [account] = await app.db.select().from(accounts).where(eq(accounts.email, email));
  if (!account) throw new Error("no account");
  if (role)
    await grantRole(app.db, { at: clock.now(), actor: "command", reason: "a test", accountId: account.id, role });
  return { ...caller, id: account.id, email, session };
}
const reason = "They asked for it";
const rows = Object.entries(deskEndpoints) as [string, DeskEndpoint][];
const entriesOf = (subject: string) =>
  app.db.select().from(adminAudit).where(eq(adminAudit.subject, subject)).orderBy(adminAudit.id);

/** What a caller sees of a response, without the parts that vary per request. */
async function seen(answer: Response) {
  const { requestId: _id, ...body } = (await answer.json()) as Record<string, unknown>;
  const headers = [...answer.headers.keys()].filter((name) => name !== "set-cookie").sort();
  return { status: answer.status, headers, body };
}
const callRow = (caller: TestCaller, { method, path, body }: DeskEndpoint, text?: string) =>
  caller.call(`/api${path.replace(/\{\w+\}/g, "acc_none")}`, {
    method,
    ...(body ? { text: text ?? JSON.stringify({ reason }), headers: { "content-type": "application/json" } } : {}),
  });

describe("whoever may not make a call gets the answer of an unknown address", () => {
  const unknown = (caller: TestCaller, { method, body }: DeskEndpoint, text?: string) =>
    caller.call("/api/no/such/address", {
      method,
      ...(body ? { text: text ?? JSON.stringify({ reason }), headers: { "content-type": "application/json" } } : {}),
    });

  const newKey = async (caller: TestCaller, scope: string) => {
    const made = await caller.call("/api/keys", { json: { name: "All", scopes: ["process", scope] } });
    return ((await made.json()) as { key: string }).key;
  };
  let person: Someone;
  let [key, operatorsKey] = ["", ""];
  let lower: Record<DeskEndpoint["role"], Someone[]>;
  beforeAll(async () => {
    person = await someone();
    key = await newKey(person, "keys:read");
    operatorsKey = await newKey(await someone("owner"), "keys:revoke");
    const [reader, supporter] = [await someone("read-only"), await someone("support")];
    lower = { claim: [], "read-only": [], support: [reader], owner: [reader, supporter] };
  });

  test.each(rows)("%s", async (_name, row) => {
    const strangers = {
      guest: app.caller(),
      "a wrong token": app.caller("eyJhbGciOiJub25lIn0.e30."),
      person,
      "a person's key": app.caller(key),
      "an operator's key without the scope": app.caller(operatorsKey),
      ...Object.fromEntries(lower[row.role].map((one, index) => [`a lower role ${index}`, one])),
    };
    for (const [who, caller] of Object.entries(strangers)) {
      const expected = await seen(await unknown(caller, row));
      expect(expected.status).toBe(404);
      expect(await seen(await callRow(caller, row)), who).toEqual(expected);
      // An unreadable body or another method reveals nothing either.
      if (row.body) expect(await seen(await callRow(caller, row, "{")), who).toMatchObject({ status: 404 });
      expect((await callRow(caller, { ...row, method: "PUT" })).status, who).toBe(404);
    }
  });
});

test.each([
  { what: "a very long parameter", id: "a".repeat(5_000), text: "{}" },
  { what: "a parameter that cannot be decoded", id: "%zz", text: "{}" },
  { what: "a body over the limit", id: "acc_none", text: JSON.stringify({ reason: "x".repeat(1_100_000) }) },
])("$what does not tell addresses of the desk from unknown ones", async ({ id, text }) => {
  const ask = async (path: string) =>
    seen(await app.caller().call(path, { method: "POST", text, headers: { "content-type": "application/json" } }));
  expect(await ask(`/api/admin/people/${id}/block`)).toEqual(await ask(`/api/no/such/${id}/address`));
  expect(await seen(await app.caller().call(`/api/admin/people/${id}`))).toEqual(
    await seen(await app.caller().call(`/api/no/such/${id}`)),
  );
});

test("a role that was revoked counts no more, nor does its key", async () => {
  const operator = await someone("owner");
  const made = await operator.call("/api/admin/keys", {
    json: { name: "Script", expires_at: new Date(clock.now().getTime() + 86_400_000).toISOString(), reason },
  });
  expect(made.status).toBe(201);
  const { key } = (await made.json()) as { key: string };
  const byKey = app.caller(key);
  expect(await (await byKey.call("/api/admin/operator")).json()).toEqual({ role: "owner", email: operator.email });
  // It has the desk's scope only.
  expect((await byKey.call("/api/keys")).status).toBe(403);
  expect(
    (await byKey.call("/api/admin/keys", { json: { name: "x", expires_at: "2099-01-01T00:00:00Z", reason } })).status,
  ).toBe(409);
  await revokeRole(app.db, { at: clock.now(), actor: "command", reason, accountId: operator.id });
  expect((await byKey.call("/api/admin/operator")).status).toBe(404);
  expect((await operator.call("/api/admin/operator")).status).toBe(404);
});

test("nobody makes a key with the scope of the desk by the ordinary call", async () => {
  const operator = await someone("owner");
  const answer = await operator.call("/api/keys", { json: { name: "Sly", scopes: ["admin"] } });
  expect(answer.status).toBe(400);
});

test("a key of the desk is made at the desk alone, where the audit log has it: it cannot be rotated", async () => {
  const operator = await someone("owner");
  const made = await operator.call("/api/admin/keys", {
    json: { name: "Script", expires_at: new Date(clock.now().getTime() + 86_400_000).toISOString(), reason },
  });
  const { id, key } = (await made.json()) as { id: string; key: string };
  const rotated = await operator.call(`/api/keys/${id}/rotate`, { json: {} });
  expect(rotated.status).toBe(409);
  expect(await rotated.json()).toMatchObject({ detail: expect.stringContaining("Create a new one at the desk.") });
  expect((await app.caller(key).call("/api/admin/operator")).status).toBe(200);
  expect((await entriesOf(operator.id)).map(({ action }) => action)).toEqual(["operator-granted", "admin-key-made"]);
});

test("a sign-in of an hour ago has to be repeated", async () => {
  const operator = await someone("owner");
  await app.db
    .update(idpSession)
    .set({ createdAt: new Date(Date.now() - 3_600_000) })
    .where(sql`user_id = (select subject from accounts where id = ${operator.id})`);
  const answer = await operator.call("/api/admin/people?q=someone");
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ code: "fresh-sign-in-required" });
});

test("a change without a reason is refused, and changes nothing", async () => {
  const [operator, person] = [await someone("owner"), await someone()];
  for (const [, row] of rows.filter(([, { body }]) => body)) {
    const path = row.path.replace(/\{\w+\}/g, person.id);
    const body = { credits: 5, text: "x", answered: true, email: person.email, amount_minor: 100, ends_plan: false };
    const answer = await operator.call(`/api${path}`, { method: row.method, json: { ...body, reason: " " } });
    expect(answer.status, row.path).toBe(400);
  }
  expect(await entriesOf(person.id)).toEqual([]);
});

test("all people are listed page by page, and those who used the most this month; a part of a name finds them too", async () => {
  const operator = await someone("read-only");
  const [quiet, busy, busier] = [await someone(), await someone(), await someone()];
  await app.db.execute(sql`update accounts set name = ${"Zoë Quist"} where id = ${quiet.id}`);
  const files = [1, 2].map((i) => ({ name: `${i}.png`, bytes: samplePng(20, 20, i) }));
  expect((await busy.run("compress", files.slice(0, 1), { quality: "60" })).status).toBe(200);
  expect((await busier.run("compress", files, { quality: "60" })).status).toBe(200);
  type Page = { people: ListedPerson[]; total: number; next: string | null };
  const pageOf = async (query: Record<string, string>) => {
    const answer = await operator.call(`/api/admin/people?${new URLSearchParams(query)}`);
    expect(answer.status).toBe(200);
    return (await answer.json()) as Page;
  };
  const all = async (query: Record<string, string>) => {
    const found: ListedPerson[] = [];
    for (let before: string | undefined; ; ) {
      const { people, next, total } = await pageOf({ ...query, size: "2", ...(before ? { before } : {}) });
      found.push(...people);
      if (next === null) return { found, total };
      before = next;
    }
  };
  const newest = await all({});
  expect(newest.found.length).toBe(newest.total);
  expect(new Set(newest.found.map(({ id }) => id)).size).toBe(newest.total);
  expect(newest.found.find(({ id }) => id === busier.id)?.used).toEqual({ month: 2, total: 2 });
  expect(newest.found.find(({ id }) => id === quiet.id)?.used).toEqual({ month: 0, total: 0 });
  const used = (await all({ sort: "most-used" })).found;
  const places = [busier, busy].map((person) => used.findIndex(({ id }) => id === person.id));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  expect(places[0]).toBeLessThan(places[1] ?? -1);
  expect(used.map(({ id }) => id)).not.toContain(quiet.id);
  expect((await pageOf({ q: "zoë qu" })).people.map(({ id }) => id)).toEqual([quiet.id]);
  for (const query of [{ before: "x" }, { before: "9".repeat(20) }, { before: "1.nobody", sort: "most-used" }])
    expect((await operator.call(`/api/admin/people?${new URLSearchParams(query)}`)).status).toBe(400);
});

test("people are found by address, a part of it, account, job and request", async () => {
  const [operator, person] = [await someone("read-only"), await someone()];
  const find = async (q: string) => {
    const answer = await operator.call(`/api/admin/people?${new URLSearchParams({ q })}`);
    return ((await answer.json()) as { people: FoundPerson[] }).people.map(({ id }) => id);
  };
  expect(await find(person.email.toUpperCase())).toEqual([person.id]);
  expect(await find(person.id)).toEqual([person.id]);
  expect(await find(person.email.slice(0, 9))).toContain(person.id);
  expect(await find("nobody@example.com")).toEqual([]);
  expect(await find("%")).toEqual([]);
  const page = await operator.call(`/api/admin/people/${person.id}`);
  expect(await page.json()).toMatchObject({
    id: person.id,
    email: person.email,
    plan: "hobby",
    credits: { used: 0, limit: 100, window: "month" },
    sessions: [{ browser: expect.anything() }],
    operator: null,
  });
  expect((await operator.call("/api/admin/people/acc_none")).status).toBe(404);
  const files = [{ name: "a.png", bytes: samplePng(20, 20) }];
  const asked = await person.run("compress", files, { quality: "60" }, { "x-request-id": "desk-finds-0001" });
  expect(asked.status).toBe(200);
  expect(await find("desk-finds-0001")).toEqual([person.id]);
  // Somebody else names their own request like this person, or like this person's job.
  const { jobs } = (await (await person.call("/api/jobs")).json()) as { jobs: { id: string }[] };
  const other = await someone();
  for (const id of [person.id, jobs[0]?.id ?? ""]) {
    expect((await other.run("compress", files, { quality: "60" }, { "x-request-id": id })).status).toBe(200);
    expect(await find(id)).toEqual([person.id]);
  }
});

test("a key of the desk lives for a year at most", async () => {
  const operator = await someone("owner");
  const make = (days: number) =>
    operator.call("/api/admin/keys", {
      json: { name: "Script", expires_at: new Date(clock.now().getTime() + days * 86_400_000).toISOString(), reason },
    });
  expect((await make(365)).status).toBe(201);
  for (const days of [367, 36_500]) {
    const refused = await make(days);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ field: "expires_at", detail: expect.stringContaining("a year") });
  }
});

test("requests to the desk are limited like others, which does not tell it from an unknown address", async () => {
  const limited = await startTestApp({
    environment: { RATE_LIMIT_PER_MINUTE: "20", TINTYPE_TRUSTED_PROXIES: "127.0.0.1" },
  });
  try {
    const ask = async (path: string, method: string, from: string) =>
      seen(await limited.caller().call(path, { method, headers: { "x-forwarded-for": from } }));
    for (const [method, path, desk, unknown] of [
      ["GET", "/api/admin/people/none", "203.0.113.1", "203.0.113.2"],
      ["POST", "/api/admin/people/none/block", "203.0.113.3", "203.0.113.4"],
    ] as const)
      for (let count = 0; count < 22; count++) {
        const said = await ask(path, method, desk);
        expect(said).toEqual(await ask("/api/no/such/address", method, unknown));
        expect(said.status).toBe(count < 20 ? 404 : 429);
      }
  } finally {
    await limited.close();
  }
});

const adjust = (operator: TestCaller, id: string, credits: number, until?: string | null) =>
  operator.call(`/api/admin/people/${id}/credits`, { json: { credits, until, reason } });
const creditsOf = async (person: TestCaller) => {
  const { service_count, limit } = (await (await person.call("/api/user-info")).json()) as {
    service_count: number;
    limit: number;
  };
  return { used: service_count, limit };
};

test("credits that are given can be used, credits that are taken cannot, and each stands in ledger and log", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  await person.call("/api/service-use-multiple", { json: { file_count: 30 } });
  expect(await (await adjust(operator, person.id, 50)).json()).toEqual({ used: 30, limit: 150 });
  expect(await creditsOf(person)).toEqual({ used: 30, limit: 150 });
  expect((await person.call("/api/service-use-multiple", { json: { file_count: 120 } })).status).toBe(200);
  expect((await person.call("/api/service-use", { method: "POST" })).status).toBe(403);
  expect((await adjust(operator, person.id, -1)).status).toBe(409);
  expect((await adjust(operator, person.id, 7)).status).toBe(200);
  expect((await adjust(operator, person.id, -7)).status).toBe(200);
  expect((await adjust(operator, person.id, 0)).status).toBe(400);
  const history = (await (await person.call("/api/credits/history")).json()) as { lines: object[] };
  expect(history.lines[0]).toMatchObject({ change: "adjusted", credits: 7, reason: null });
  const log = await entriesOf(person.id);
  expect(log.map(({ action, reason: why, actor }) => [action, why, actor])).toEqual(
    Array(3).fill(["credits-adjusted", reason, operator.id]),
  );
  expect(log[0]).toMatchObject({
    before: { used: 30, limit: 100 },
    after: { used: 30, limit: 150, credits: 50, until: null },
    requestId: expect.stringMatching(/^req_/),
  });
});

test("given credits end when the operator said, and the desk shows what is left of them", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  const until = new Date(clock.now().getTime() + 3 * 86_400_000).toISOString();
  expect((await adjust(operator, person.id, 5, clock.now().toISOString())).status).toBe(400);
  expect((await adjust(operator, person.id, 5, "tomorrow")).status).toBe(400);
  for (const end of ["window", until, null]) expect((await adjust(operator, person.id, 10, end)).status).toBe(200);
  expect((await person.call("/api/service-use-multiple", { json: { file_count: 104 } })).status).toBe(200);
  const { credits } = (await (await operator.call(`/api/admin/people/${person.id}`)).json()) as {
    credits: { grants: { left: number; until: string | null }[]; resets_at: string };
  };
  const sorted = [credits.resets_at, until].sort();
  expect(credits.grants).toEqual([
    { credits: 10, left: 6, until: sorted[0] },
    { credits: 10, left: 10, until: sorted[1] },
    { credits: 10, left: 10, until: null },
  ]);
  expect(await creditsOf(person)).toEqual({ used: 104, limit: 130 });
});

test("ledger and counters agree after desk and person moved credits at once", async () => {
  const [operator, person] = [await someone("owner"), await someone()];
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      i % 3 === 0
        ? adjust(operator, person.id, 5)
        : i % 3 === 1
          ? adjust(operator, person.id, -9)
          : person.call("/api/service-use-multiple", { json: { file_count: 7 } }),
    ),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const holder = `person:${person.id}`;
  const [counter] = await app.db.select().from(allowances).where(eq(allowances.holder, holder));
  const entries = await app.db.select().from(creditEntries).where(eq(creditEntries.holder, holder));
  const sum = entries.reduce((total, { credits }) => total + credits, 0);
  const given = entries.reduce((total, entry) => total + entry.given, 0);
  expect(counter).toMatchObject({ totalUsed: sum, monthUsed: sum, dayUsed: sum });
  expect(counter).toMatchObject({ totalGiven: given, monthGiven: given, dayGiven: given });
  expect(sum - given).toBeLessThanOrEqual(100);
  expect((await entriesOf(person.id)).length).toBe(entries.filter(({ kind }) => kind === "adjust").length);
});

test("sessions and keys end at once", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  const { key } = (await (
    await person.call("/api/keys", { json: { name: "Script", scopes: ["usage:read"] } })
  ).json()) as { key: string };
  const revoke = () => operator.call(`/api/admin/people/${person.id}/revoke-keys`, { json: { reason } });
  expect(await (await revoke()).json()).toEqual({ count: 1 });
  expect((await app.caller(key).call("/api/user-info")).status).toBe(401);
  expect((await revoke()).status).toBe(409);
  const end = () => operator.call(`/api/admin/people/${person.id}/end-sessions`, { json: { reason } });
  expect(await (await end()).json()).toEqual({ count: 1 });
  expect((await person.call("/api/user-info")).status).toBe(401);
  expect((await end()).status).toBe(409);
  expect((await entriesOf(person.id)).map(({ action }) => action)).toEqual(["keys-revoked", "sessions-ended"]);
});

test("a blocked person's sessions end, and keys and sign-ins are refused with the sentence until unblocked", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  const { key } = (await (
    await person.call("/api/keys", { json: { name: "Script", scopes: ["usage:read"] } })
  ).json()) as { key: string };
  const set = (act: "block" | "unblock") =>
    operator.call(`/api/admin/people/${person.id}/${act}`, { json: { reason } });
  expect((await set("block")).status).toBe(204);
  expect((await set("block")).status).toBe(409);
  const { detail } = errors["account-blocked"];
  expect((await person.call("/api/user-info")).status).toBe(401);
  const byKey = await app.caller(key).call("/api/user-info");
  expect([byKey.status, await byKey.json()]).toEqual([
    403,
    expect.objectContaining({ code: "account-blocked", detail }),
  ]);
  const refused = await idp.signIn(person.email, testPassword);
  expect([refused.status, refused.body]).toEqual([403, { code: "ACCOUNT_BLOCKED", message: detail }]);
  expect((await set("unblock")).status).toBe(204);
  expect((await person.call("/api/user-info")).status).toBe(401);
  expect((await app.caller(key).call("/api/user-info")).status).toBe(200);
  expect((await idp.signIn(person.email, testPassword)).status).toBe(200);
  expect(await entriesOf(person.id)).toMatchObject([
    { action: "person-blocked", after: { blocked: true, ended: 1 } },
    { action: "person-unblocked", after: { blocked: false } },
  ]);
});

test("a session that outlived the block can do nothing at the identity provider but end", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  const [session] = await app.db
    .select()
    .from(idpSession)
    .where(sql`user_id = (select subject from accounts where id = ${person.id})`);
  if (!session) throw new Error("no session");
  const block = await operator.call(`/api/admin/people/${person.id}/block`, { json: { reason } });
  expect(block.status).toBe(204);
  expect((await idp.ask("/token", { session: person.session })).status).toBe(401);
  // A sign-in concurrent with the block read the account before it and wrote its session after it.
  await app.db.insert(idpSession).values(session);
  const newPassword = "another-secret-456";
  const calls: [path: string, json?: object][] = [
    ["/get-session"],
    ["/token"],
    ["/sessions"],
    ["/update-user", { name: "Other" }],
    ["/change-password", { currentPassword: testPassword, newPassword }],
    ["/two-factor/enable", { password: testPassword }],
    ["/passkey/generate-register-options"],
    ["/passkey/list-user-passkeys"],
    ["/send-verification-email", { email: person.email }],
  ];
  for (const [path, json] of calls) {
    const answer = await idp.ask(path, { session: person.session, ...(json ? { json } : {}) });
    expect([answer.status, answer.body?.["code"]], path).toEqual([403, "ACCOUNT_BLOCKED"]);
  }
  const [user] = await app.db.select().from(idpUser).where(eq(idpUser.email, person.email));
  expect(user?.name).toBe("Ann Lee");
  expect((await idp.ask("/sign-out", { session: person.session, json: {} })).status).toBe(200);
  expect(await app.db.select().from(idpSession).where(eq(idpSession.id, session.id))).toEqual([]);
  await operator.call(`/api/admin/people/${person.id}/unblock`, { json: { reason } });
  expect((await idp.signIn(person.email, newPassword)).status).toBe(401);
  expect((await idp.signIn(person.email, testPassword)).status).toBe(200);
});

test("nobody acts on an account with a higher role, nor blocks or deletes their own", async () => {
  const [support, owner] = [await someone("support"), await someone("owner")];
  const block = (by: TestCaller, id: string) => by.call(`/api/admin/people/${id}/block`, { json: { reason } });
  expect((await block(support, owner.id)).status).toBe(409);
  expect((await block(owner, owner.id)).status).toBe(409);
  expect((await adjust(support, owner.id, 100)).status).toBe(409);
  const remove = await owner.call(`/api/admin/people/${owner.id}/delete`, { json: { email: owner.email, reason } });
  expect(remove.status).toBe(409);
  expect(await creditsOf(owner)).toEqual({ used: 0, limit: 100 });
});

test("an address counts as verified, which is no proof of it", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  const verify = () => operator.call(`/api/admin/people/${person.id}/verify-address`, { json: { reason } });
  expect((await verify()).status).toBe(204);
  const [user] = await app.db.select().from(idpUser).where(eq(idpUser.email, person.email));
  const [account] = await app.db.select().from(accounts).where(eq(accounts.id, person.id));
  expect([user?.emailVerified, account?.emailVerified]).toEqual([false, true]);
  expect((await verify()).status).toBe(409);
});

test("a message is answered by mail, with what was written, and marked", async () => {
  const operator = await someone("support");
  for (const name of ["Ann", "Bob"])
    await app.caller().call("/api/contact", { json: { name, email: `${name}@example.org`, message: "Hello\nyou" } });
  type Messages = { messages: { id: string; name: string }[]; next: string | null };
  const list = async (query: string) =>
    (await (await operator.call(`/api/admin/messages?${query}`)).json()) as Messages;
  const first = await list("size=1");
  expect(first.messages).toHaveLength(1);
  const second = await list(`size=1&before=${first.next}`);
  expect([...first.messages, ...second.messages].map(({ name }) => name).sort()).toEqual(["Ann", "Bob"]);
  expect((await operator.call("/api/admin/messages?before=odd")).status).toBe(400);
  const id = first.messages[0]?.id ?? "";
  const answer = await operator.call(`/api/admin/messages/${id}/answer`, { json: { text: "Good day.", reason } });
  expect(answer.status).toBe(204);
  await app.sweep();
  // MAIL=log logs the whole mail.
  await expect.poll(() => logged.join("")).toMatch(/Good day\.\\n\\n\w+ wrote:\\n> Hello\\n> you/);
  expect((await list("state=answered")).messages.map((one) => one.id)).toEqual([id]);
  const mark = (answered: boolean) => operator.call(`/api/admin/messages/${id}/mark`, { json: { answered, reason } });
  expect((await mark(false)).status).toBe(204);
  expect((await list("state=answered")).messages).toEqual([]);
  expect((await operator.call("/api/admin/messages/msg_none/mark", { json: { answered: true, reason } })).status).toBe(
    404,
  );
  expect((await entriesOf(id)).map(({ action }) => action)).toEqual(["message-answered", "message-marked"]);
  const [kept] = await app.db.select().from(contactMessages).where(eq(contactMessages.id, id));
  expect(kept?.answeredAt).toBeNull();
});

test("everything of a person is handed out in one document, and that it was stands in the log", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  await app.db.update(accounts).set({ emailVerified: true }).where(eq(accounts.id, person.id));
  await person.call("/api/service-use", { method: "POST" });
  await person.call("/api/recipes", {
    json: { name: "Mine", steps: [{ operation: "resize", options: { width: "100" } }] },
  });
  const answer = await operator.call(`/api/admin/people/${person.id}/export`, { json: { reason } });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    id: person.id,
    email: person.email,
    credits: { lines: [{ change: "reserved" }] },
    messages: [],
    webhooks: [],
  });
  expect((await entriesOf(person.id)).map(({ action }) => action)).toEqual(["person-exported"]);
});

test("an export has every payment and every line of the ledger, however many", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  await app.db.execute(sql`
    insert into credit_entries (holder, day, at, kind, credits, reason)
    select ${`person:${person.id}`}, now(), now(), 'adjust', 0, 'line ' || i from generate_series(1, 10050) i`);
  await app.db.execute(sql`
    insert into payments (id, account_id, subscription_id, plan, cycle, amount_minor, currency, status, at, refund)
    select ${`pay_${person.id}_`} || i, ${person.id}, 'sub_none', 'plus', 'monthly', 500, 'USD', 'captured', ${clock.now().toISOString()}::timestamptz, 'none'
    from generate_series(1, 10050) i`);
  const answer = await operator.call(`/api/admin/people/${person.id}/export`, { json: { reason } });
  const exported = (await answer.json()) as { credits: { lines: { id: string }[] }; payments: { id: string }[] };
  expect(new Set(exported.credits.lines.map(({ id }) => id)).size).toBe(10_050);
  expect(new Set(exported.payments.map(({ id }) => id)).size).toBe(10_050);
});

test("a person is deleted at their request, and the log that says so outlives them", async () => {
  const [operator, person] = [await someone("owner"), await someone()];
  const remove = (email: string) => operator.call(`/api/admin/people/${person.id}/delete`, { json: { email, reason } });
  expect((await remove("other@example.com")).status).toBe(400);
  expect((await remove(person.email)).status).toBe(204);
  expect(await app.db.select().from(accounts).where(eq(accounts.id, person.id))).toEqual([]);
  expect((await remove(person.email)).status).toBe(404);
  const log = await entriesOf(person.id);
  expect(log.map(({ action }) => action)).toEqual(["person-deleted"]);
  expect(JSON.stringify(log)).not.toContain(person.email);
});

test("the audit log is read page by page, and no statement changes it", async () => {
  const [operator, person] = [await someone("owner"), await someone()];
  for (let i = 0; i < 3; i++) await adjust(operator, person.id, 1);
  const read = async (query: string) =>
    (await (await operator.call(`/api/admin/audit?${query}`)).json()) as {
      entries: { id: string; actor_email: string | null }[];
      next: string | null;
    };
  const first = await read(`subject=${person.id}&size=2`);
  const second = await read(`subject=${person.id}&size=2&before=${first.next}`);
  expect([first.entries.length, second.entries.length, second.next]).toEqual([2, 1, null]);
  expect(first.entries[0]?.actor_email).toBe(operator.email);
  expect((await operator.call("/api/admin/audit?before=x")).status).toBe(400);
  const before = await app.db.select().from(adminAudit);
  for (const statement of [
    sql`update admin_audit set reason = 'another'`,
    sql`delete from admin_audit`,
    sql`truncate admin_audit`,
    sql`update admin_audit set reason = 'another' where false`,
  ])
    await expect(app.db.execute(statement)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("cannot be changed") },
    });
  expect(await app.db.select().from(adminAudit)).toEqual(before);
});

test("an address that nobody has verified names no operator", async () => {
  const person = await someone();
  await expect(namedAccount(app.db, person.email)).rejects.toThrow(`name it by its id: ${person.id}`);
  expect((await namedAccount(app.db, person.id)).email).toBe(person.email);
  await app.db.update(accounts).set({ emailVerified: true }).where(eq(accounts.id, person.id));
  expect((await namedAccount(app.db, person.email.toUpperCase())).id).toBe(person.id);
  await expect(namedAccount(app.db, "nobody@example.com")).rejects.toThrow("Sign up on the site first");
});

test("the first person who follows the log's link becomes the owner, and nobody after", async () => {
  const lines: string[] = [];
  const fresh = await startTestApp({
    environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin },
    onLogLine: (line) => lines.push(line),
  });
  try {
    const link = lines.map((line) => (JSON.parse(line) as { link?: string }).link).find(Boolean);
    // With an external PostgreSQL, more people read the log than have access to the machine.
    if (process.env["TINTYPE_TEST_BACKENDS"] === "postgres") return expect(link).toBeUndefined();
    const token = new URL(link ?? "").searchParams.get("claim") ?? "";
    const provider = builtInOf(fresh, origin);
    const [first, second] = await Promise.all(
      ["first@example.com", "second@example.com"].map(async (email) =>
        createCaller(fresh.baseUrl, await provider.token((await provider.signUp(email)).session)),
      ),
    );
    if (!first || !second) throw new Error("nobody");
    const claim = (caller: TestCaller, text: string) => caller.call(`/api/admin/claim/${text}`, { method: "POST" });
    expect((await claim(first, "wrong")).status).toBe(404);
    expect((await claim(fresh.caller(), token)).status).toBe(404);
    const answers = await Promise.all([claim(first, token), claim(second, token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await claim(second, token)).status).toBe(404);
    expect(await fresh.db.select().from(adminAudit)).toMatchObject([{ action: "operator-granted" }]);
    // The only operator leaves: the link stays used.
    await fresh.db.delete(operators);
    for (const caller of [first, second]) expect((await claim(caller, token)).status).toBe(404);
  } finally {
    await fresh.close();
  }
});

test("a mail that is given up is shown as failed, and neither as sent nor as waiting", async () => {
  const mailClock = heldClock();
  const without = await startTestApp({
    clock: mailClock,
    // Nothing listens on port 1.
    environment: { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "Tintype <hello@tintype.example>" },
  });
  try {
    const [operator, person] = [await without.person(), await without.person()];
    const idOf = async ({ subject }: { subject: string }) =>
      (await without.db.select().from(accounts).where(eq(accounts.subject, subject)))[0]?.id ?? "";
    const by = { at: mailClock.now(), actor: "command", reason };
    await grantRole(without.db, { ...by, accountId: await idOf(operator), role: "read-only" });
    const id = await idOf(person);
    const message = { to: "ann@example.com", subject: "x", text: "x" };
    await putMail(without.db, { key: `refunded:${id}`, accountId: id, message }, mailClock.now());
    const mails = async () => {
      const page = await operator.call(`/api/admin/people/${id}`);
      return ((await page.json()) as DeskPerson).mails.filter(({ kind }) => kind === "refunded");
    };
    for (let tries = 1; tries < 16; tries++) {
      await without.sweep();
      expect(await mails()).toMatchObject([{ state: "waiting", tries }]);
      mailClock.advance(6 * 3_600_000); // the longest delay
    }
    await without.sweep();
    expect(await mails()).toMatchObject([{ state: "failed", tries: 16 }]);
  } finally {
    await without.close();
  }
});

test("the accountant's CSV is a reader's to fetch", async () => {
  const reader = await someone("read-only");
  const answer = await reader.call("/api/admin/invoices.csv?from=2026-04-01&to=2026-04-30");
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="invoices-2026-04-01-2026-04-30.csv"');
  expect(Buffer.from(await answer.bytes()).toString()).toMatch(/^\uFEFFnumber,kind,day,[a-z_,]+\r\n$/);
  expect((await reader.call("/api/admin/invoices.csv?from=soon&to=2026-04-30")).status).toBe(400);
});
