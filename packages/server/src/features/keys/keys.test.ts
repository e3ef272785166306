import { type CreatedApiKey, keyScopes } from "@tintype/contract";
import { type Endpoint, endpoints, scopeOf } from "@tintype/contract/schemas";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { type Mailbox, startMailbox } from "../../testing/mailbox.ts";
import { samplePng } from "../../testing/pictures.ts";
import { accounts } from "../accounts/tables.ts";
import { apiKeys } from "./tables.ts";

const clock = heldClock();
const hour = 3_600_000;
const callsPerMinute = 30;
const lines: string[] = [];
const made: string[] = [];
let mailbox: Mailbox;
let app: TestApp;
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await startTestApp({
    clock,
    environment: { ...mailbox.environment, KEY_RATE_LIMIT_PER_MINUTE: String(callsPerMinute) },
    onLogLine: (line) => lines.push(line),
  });
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const all = ["process", "jobs:read", "usage:read"];
async function makeKey(person: TestCaller, more: object = {}): Promise<CreatedApiKey> {
  const answer = await person.call("/api/keys", { json: { name: "Build server", scopes: all, ...more } });
  expect(answer.status).toBe(201);
  const created = (await answer.json()) as CreatedApiKey;
  made.push(created.key);
  return created;
}
const rotate = (person: TestCaller, id: string, json: object = {}) => person.call(`/api/keys/${id}/rotate`, { json });
const keysOf = async (person: TestCaller) =>
  ((await (await person.call("/api/keys")).json()) as { keys: CreatedApiKey[] }).keys;
const statusOf = async (key: string, path = "/api/user-info") => (await app.caller(key).call(path)).status;

test("a key is the same caller as its maker: it works on pictures with their credits and sees their jobs", async () => {
  const ann = await app.person();
  const { key } = await makeKey(ann);
  expect(key).toMatch(/^tt_live_[0-9A-Za-z]{36}$/);
  const script = app.caller(key);
  const begun = await script.run(
    "compress",
    [{ name: "a.png", bytes: samplePng(24, 16) }],
    { quality: "60" },
    { prefer: "respond-async" },
  );
  expect(begun.status).toBe(202);
  const job = begun.headers.get("location") ?? "";
  await expect.poll(async () => ((await (await ann.call(job)).json()) as { state: string }).state).toBe("done");
  expect((await script.call(job)).status).toBe(200);
  expect(await (await script.call("/api/user-info")).json()).toMatchObject({ service_count: 1, plan: "hobby" });
  expect((await (await app.person()).call(job)).status).toBe(404);
  await app.db.update(accounts).set({ paidPlan: "pro" }).where(eq(accounts.subject, ann.subject));
  expect(await (await script.call("/api/user-info")).json()).toMatchObject({ plan: "pro", limit: 1000 });
});

test("a key is shown once: the list has its last four, the database its hash, and neither the key", async () => {
  const ann = await app.person();
  const { key, ...view } = await makeKey(ann);
  expect(view).toMatchObject({
    name: "Build server",
    mode: "live",
    scopes: all,
    last_four: key.slice(-4),
    last_used_at: null,
  });
  expect(await keysOf(ann)).toEqual([view]);
  await statusOf(key);
  expect(await keysOf(ann)).toEqual([{ ...view, last_used_at: clock.now().toISOString() }]);
  clock.advance(30_000);
  await statusOf(key);
  clock.advance(31_000);
  await statusOf(key);
  expect((await keysOf(ann))[0]?.last_used_at).toBe(clock.now().toISOString());
  const rows = await rowsOf<{ row: string }>(app.db.execute(sql`select t::text as row from api_keys t`));
  expect(rows.map(({ row }) => row).join()).not.toContain(key.slice(8, -6));
});

// product: keys-are-callers
test("a key does what its scopes say, and never what is the account's", async () => {
  const ann = await app.person();
  const reader = await makeKey(ann, { scopes: ["usage:read"] });
  expect(await statusOf(reader.key)).toBe(200);
  expect(await statusOf(reader.key, "/api/credits/history")).toBe(200);
  expect(await statusOf(reader.key, "/api/jobs/job_unknown")).toBe(403);
  const refused = await app.caller(reader.key).call("/api/service-use", { method: "POST" });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    detail: "This API key lacks the scope process. Use a key that has it.",
  });

  const { key } = await makeKey(ann);
  const rows: Endpoint[] = Object.values(endpoints);
  const ofAccount = rows.filter((row) => row.access !== "anybody" && scopeOf(row) === "account");
  expect(ofAccount.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "/keys",
      "/keys/{id}/rotate",
      "/delete-account",
      "/upgrade-plan",
      "/create-payment-session",
    ]),
  );
  for (const { method, path, example } of ofAccount) {
    const answer = await app.caller(key).call(`/api${path.replace(/\{\w+\}/, "x")}`, {
      method,
      ...(method === "GET" ? {} : { json: example?.body ?? {} }),
    });
    expect([path, answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
      path,
      403,
      "An API key cannot do this. Please sign in.",
    ]);
  }
  expect(await keysOf(ann)).toHaveLength(2);
});

test("a revoked key is refused at the next call, and a key of somebody else is not found", async () => {
  const [ann, bob] = [await app.person(), await app.person()];
  const { key, id } = await makeKey(ann);
  for (const [person, path] of [
    [bob, id],
    [ann, "key_unknown"],
  ] as const) {
    expect((await person.call(`/api/keys/${path}`, { method: "DELETE" })).status).toBe(404);
    expect((await rotate(person, path)).status).toBe(404);
  }
  expect(await statusOf(key)).toBe(200);
  expect((await ann.call(`/api/keys/${id}`, { method: "DELETE" })).status).toBe(204);
  expect(await statusOf(key)).toBe(401);
  expect(await keysOf(ann)).toEqual([]);
});

test("a misspelt member is refused with the one that was meant: no key ends at once by it, and none lives for ever", async () => {
  const ann = await app.person();
  const { id, key } = await makeKey(ann);
  const problemOf = async (answer: Response) => (await answer.json()) as { field: string; detail: string };
  expect(await problemOf(await rotate(ann, id, { overlapHours: 24 }))).toMatchObject({
    field: "overlapHours",
    detail: 'There is no field "overlapHours". Did you mean "overlap_hours"?',
  });
  expect((await app.caller(key).call("/api/user-info")).status).toBe(200);
  const json = { name: "B", scopes: ["process"], expires: "2027-01-01T00:00:00Z" };
  expect(await problemOf(await ann.call("/api/keys", { json }))).toMatchObject({ field: "expires" });
  const rotated = await ann.call("/api/webhooks/secret/rotate", { json: { overlap: 72 } });
  expect(await problemOf(rotated)).toMatchObject({ field: "overlap" });
});

test("a rotated key works beside its successor for the overlap, at most 72 hours", async () => {
  const ann = await app.person();
  const old = await makeKey(ann, { scopes: ["usage:read"] });
  for (const overlap_hours of [73, -1, 1.5, "x"])
    expect((await rotate(ann, old.id, { overlap_hours })).status).toBe(400);
  const next = (await (await rotate(ann, old.id, { overlap_hours: 72 })).json()) as CreatedApiKey;
  made.push(next.key);
  expect(next).toMatchObject({ name: old.name, scopes: old.scopes, mode: "live", expires_at: null });
  expect([await statusOf(old.key), await statusOf(next.key)]).toEqual([200, 200]);
  clock.advance(72 * hour - 1000);
  expect(await statusOf(old.key)).toBe(200);
  clock.advance(1000);
  expect([await statusOf(old.key), await statusOf(next.key)]).toEqual([401, 200]);
  // Without an overlap the old one ends at once. Of two concurrent rotations, one succeeds.
  const answers = await Promise.all([rotate(ann, next.id), rotate(ann, next.id)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404]);
  expect(await statusOf(next.key)).toBe(401);
  expect(await keysOf(ann)).toHaveLength(1);
});

test("a key ends when it was said to, and rotating does not prolong the old one", async () => {
  const ann = await app.person();
  const at = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  expect((await ann.call("/api/keys", { json: { name: "x", scopes: all, expires_at: at(-1) } })).status).toBe(400);
  const short = await makeKey(ann, { expires_at: at(hour) });
  const next = (await (await rotate(ann, short.id, { overlap_hours: 72 })).json()) as CreatedApiKey;
  expect(next.expires_at).toBe(short.expires_at);
  clock.advance(hour);
  expect([await statusOf(short.key), await statusOf(next.key)]).toEqual([401, 401]);
  expect(await keysOf(ann)).toEqual([]);
});

test.each([
  {},
  { name: "", scopes: all },
  { name: "x".repeat(81), scopes: all },
  { name: "x", scopes: [] },
  { name: "x", scopes: ["account"] },
  { name: "x", scopes: ["process", "process"] },
  { name: "x", scopes: all, mode: "prod" },
  { name: "x", scopes: all, expires_at: "tomorrow" },
])("a wish that cannot be is 400: %j", async (json) => {
  expect((await (await app.person()).call("/api/keys", { json })).status).toBe(400);
});

test("an account has 25 keys at most, however many are asked for at once", async () => {
  const ann = await app.person();
  const ask = () => ann.call("/api/keys", { json: { name: "x", scopes: all } });
  const answers = await Promise.all(Array.from({ length: 28 }, ask));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(25);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
});

test("a key may make so many calls a minute, and another key is not slowed down by it", async () => {
  const ann = await app.person();
  const [busy, other] = [await makeKey(ann), await makeKey(ann)];
  const within = await Promise.all(Array.from({ length: callsPerMinute }, () => statusOf(busy.key)));
  expect(new Set(within)).toEqual(new Set([200]));
  const refused = await app.caller(busy.key).call("/api/user-info");
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds > 30 && seconds <= 60, `${seconds} s`).toBe(true); // Redis counts by its own clock
  expect(await statusOf(other.key)).toBe(200);
  clock.advance(60_000);
  await app.endRateWindows();
  expect(await statusOf(busy.key)).toBe(200);
});

test("a test key works on pictures like a live one, for nothing, and gets them small and marked", async () => {
  const ann = await app.person();
  const { key, mode } = await makeKey(ann, { mode: "test" });
  expect(mode).toBe("test");
  expect(key).toMatch(/^tt_test_/);
  const script = app.caller(key);
  expect((await script.call("/api/user-info")).status).toBe(200);
  const large = { name: "a.png", bytes: samplePng(900, 600) };
  const answer = await script.run("compress", [large], { quality: "60" });
  expect(answer.status).toBe(200);
  expect(["charged", "remaining", "limit"].map((part) => answer.headers.get(`x-credits-${part}`))).toEqual([
    "0",
    "100",
    "100",
  ]);
  const report = JSON.parse(answer.headers.get("x-report") ?? "") as { width: number; height: number; notes: string[] };
  expect(report).toMatchObject({ width: 512, height: 341, notes: [expect.stringContaining("test key")] });
  const live = await (await ann.run("resize", [large], { width: "512" })).bytes();
  expect(Buffer.from(await answer.bytes()).equals(Buffer.from(live))).toBe(false);
  expect((await script.call("/api/service-use", { method: "POST" })).status).toBe(200);
  expect(await (await ann.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
  const { jobs } = (await (await script.call("/api/jobs")).json()) as { jobs: { operation: string; test?: true }[] };
  expect(jobs.map(({ operation, test }) => [operation, test])).toEqual([
    ["resize", undefined],
    ["compress", true],
  ]);
});

test("a result of a test key has the format and the name of a live one", async () => {
  const ann = await app.person();
  const script = app.caller((await makeKey(ann, { mode: "test" })).key);
  const png = { name: "a.png", bytes: samplePng(90, 60) };
  const jpeg = { name: "a.jpg", bytes: await (await ann.run("convert", [png], { target_format: "jpeg" })).bytes() };
  for (const [task, fields] of [
    ["resize", { width: "40" }],
    ["compress", { quality: "60" }],
    ["crop", { ratio: "1:1" }],
    ["convert", { target_format: "webp" }],
    ["recipes/run", { recipe: '[{"turn":{"degrees":90}},{"resize":{"width":30}}]' }],
  ] as const) {
    const shown = async (caller: TestCaller) => {
      const { headers } = await caller.run(task, [jpeg], fields);
      return [headers.get("content-type"), headers.get("content-disposition")];
    };
    expect(await shown(script), task).toEqual(await shown(ann));
  }
});

test("a result of a test key keeps to max_bytes of the last step", async () => {
  const ann = await app.person();
  const script = app.caller((await makeKey(ann, { mode: "test" })).key);
  const png = { name: "a.png", bytes: samplePng(900, 600) };
  for (const [task, fields] of [
    ["convert", { target_format: "jpeg", max_bytes: "4000", allow_resize: "true" }],
    [
      "recipes/run",
      { recipe: '[{"turn":{"degrees":90}},{"convert":{"target_format":"jpeg","max_bytes":4000,"allow_resize":true}}]' },
    ],
  ] as const) {
    const answer = await script.run(task, [png], fields);
    expect(answer.status).toBe(200);
    expect((await answer.bytes()).length, task).toBeLessThanOrEqual(4000);
  }
});

test("a test key meets every refusal that a live one meets", async () => {
  const ann = await app.person();
  const script = app.caller((await makeKey(ann, { mode: "test" })).key);
  const picture = { name: "a.png", bytes: samplePng(24, 16) };
  const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;
  const broken = { name: "b.png", bytes: Buffer.from("\x89PNG\r\n\x1a\nbroken", "latin1") };
  expect(await codeOf(await script.run("compress", [picture], { quality: "101" }))).toBe("invalid-request");
  expect(await codeOf(await script.run("compress", [picture], { qualty: "60" }))).toBe("invalid-request");
  expect(await codeOf(await script.run("compress", [broken], { quality: "60" }))).toBe("broken-image");
  expect(await codeOf(await script.run("compress", Array(21).fill(picture), { quality: "60" }))).toBe("too-many-files");
  expect(await codeOf(await script.call("/api/keys"))).toBe("scope-missing");
  expect(await (await ann.call("/api/credits/history")).json()).toMatchObject({ lines: [] });
});

test("each new key is told by mail; its name only where the address is verified", async () => {
  const [ann, bob] = [await app.person(), await app.person("hobby", { email_verified: false })];
  const made = await makeKey(ann, { name: "Deploy" });
  await rotate(ann, made.id);
  await makeKey(bob, { name: "Pay here" });
  await app.sweep();
  const about = (subject: string) =>
    mailbox.to(`${subject}@example.com`).filter((letter) => letter.subject === "A new Tintype API key");
  expect(about(ann.subject)).toHaveLength(2);
  expect(about(ann.subject)[0]?.text).toContain(`Name: Deploy\r\nEnds with: ${made.last_four}`);
  expect(about(bob.subject)).toHaveLength(1);
  expect(about(bob.subject)[0]?.raw).not.toContain("Pay here");
  for (const { raw } of mailbox.letters) expect(raw).not.toMatch(/tt_(live|test)_/);
});

test("with the account its keys are gone", async () => {
  const ann = await app.person();
  const { key } = await makeKey(ann);
  expect((await ann.call("/api/delete-account", { json: { email: `${ann.subject}@example.com` } })).status).toBe(204);
  expect(await statusOf(key)).toBe(401);
  expect(
    await app.db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.lastFour, key.slice(-4))),
  ).toEqual([]);
});

test("no key is in the log", () => {
  expect(made.length).toBeGreaterThan(5);
  expect(lines.length).toBeGreaterThan(50);
  const log = lines.join("");
  for (const key of made) expect(log).not.toContain(key.slice(8));
});

test("recipes, webhooks and keys want scopes of their own, and a key with every scope still makes no key", async () => {
  const ann = await app.person();
  const other = await makeKey(ann);
  const keyWith = async (...scopes: string[]) => app.caller((await makeKey(ann, { scopes })).key);
  const status = async (caller: TestCaller, path: string, method = "GET", json?: object) =>
    (await caller.call(`/api${path}`, { method, ...(json ? { json } : {}) })).status;
  const recipe = { name: "shop", steps: [{ resize: { width: 40 } }] };
  const worker = await keyWith("process");
  expect(await status(worker, "/recipes")).toBe(200);
  expect(await status(worker, "/recipes", "POST", recipe)).toBe(403);
  expect(await status(worker, "/recipes/none", "DELETE")).toBe(403);
  expect(await status(await keyWith("recipes:write"), "/recipes", "POST", recipe)).toBe(201);
  const reader = await keyWith("webhooks:read", "keys:read");
  expect(await status(reader, "/webhooks")).toBe(200);
  expect(await status(reader, "/webhooks/deliveries")).toBe(200);
  expect(await status(reader, "/webhooks/secret")).toBe(403);
  expect(await status(reader, "/webhooks/none", "DELETE")).toBe(403);
  expect(await status(reader, "/keys")).toBe(200);
  expect(await status(reader, `/keys/${other.id}`, "DELETE")).toBe(403);
  expect(await status(await keyWith("webhooks:write"), "/webhooks/secret")).toBe(200);
  expect(await status(await keyWith("keys:revoke"), `/keys/${other.id}`, "DELETE")).toBe(204);
  expect(await statusOf(other.key)).toBe(401);
  const whole = await keyWith(...keyScopes);
  expect(await status(whole, "/keys", "POST", { name: "Another", scopes: ["process"] })).toBe(403);
  const [first] = await keysOf(ann);
  expect(await status(whole, `/keys/${first?.id}/rotate`, "POST", {})).toBe(403);
});

// product: key-limit
test("a key with a limit of its own processes so many files a day, however many calls come at once, and charges none beyond", async () => {
  const ann = await app.person("pro");
  const { id, key, daily_files } = await makeKey(ann, { daily_files: 4 });
  expect(daily_files).toBe(4);
  const script = app.caller(key);
  const run = (caller: TestCaller, seed: number, count = 1) =>
    caller.run(
      "compress",
      Array.from({ length: count }, (_, i) => ({ name: `${i}.png`, bytes: samplePng(24, 16, 100 * seed + i) })),
      { quality: "60" },
    );
  const usedBy = async () =>
    ((await (await ann.call("/api/user-info")).json()) as { service_count: number }).service_count;
  // A damaged file is refunded, and does not count.
  const broken = [{ name: "b.png", bytes: samplePng(24, 16).subarray(0, 60) }];
  expect((await script.run("compress", broken, { quality: "60" })).status).toBe(422);
  const before = await usedBy();
  const tooMany = await run(script, 1, 5);
  expect(tooMany.status).toBe(403);
  expect(await tooMany.json()).toMatchObject({
    code: "key-limit",
    detail: "This API key may process 4 files a day. The next day begins at 00:00 UTC.",
  });
  const answers = await Promise.all([2, 3, 4, 5, 6, 7, 8].map((seed) => run(script, seed)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(4);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(3);
  expect((await usedBy()) - before).toBe(4);
  // Other ways of the same person are not affected, and tomorrow neither is the key.
  expect((await run(ann, 9)).status).toBe(200);
  expect((await keysOf(ann)).find((one) => one.id === id)?.daily_files).toBe(4);
  const rotated = (await (await rotate(ann, id)).json()) as CreatedApiKey;
  expect(rotated.daily_files).toBe(4);
  clock.advance(24 * hour);
  expect((await run(script, 10)).ok || (await statusOf(key)) === 401).toBe(true);
  expect((await run(app.caller(rotated.key), 11)).status).toBe(200);
});

test("a limit is a whole number of files from one up", async () => {
  const ann = await app.person();
  for (const daily_files of [0, -1, 1.5, "5", 1_000_001])
    expect((await ann.call("/api/keys", { json: { name: "x", scopes: all, daily_files } })).status).toBe(400);
});

test("a reservation of the evening before gives a key no more files, and free steps on results do not either", async () => {
  const ann = await app.person("pro");
  const { key } = await makeKey(ann, { daily_files: 2 });
  const script = app.caller(key);
  clock.advance(24 * hour - (clock.now().getTime() % (24 * hour)) - 60_000);
  expect((await script.call("/api/service-use-multiple", { json: { file_count: 20 } })).ok).toBe(true);
  clock.advance(120_000);
  const batch = (seed: number) =>
    script.run(
      "compress",
      [1, 2].map((i) => ({ name: `${i}.png`, bytes: samplePng(24, 16, 1000 + 10 * seed + i) })),
      { quality: "60" },
    );
  expect((await batch(1)).status).toBe(200);
  expect((await batch(2)).status).toBe(403);

  const bob = await app.person("pro");
  const limited = app.caller((await makeKey(bob, { daily_files: 1 })).key);
  const first = await bob.run("compress", [{ name: "a.png", bytes: samplePng(64, 48, 5000) }], { quality: "60" });
  const result = { name: "a.png", bytes: await first.bytes() };
  const steps = await Promise.all(
    [20, 21, 22, 23].map((width) => limited.run("resize", [result], { width: String(width) })),
  );
  expect(steps.filter(({ ok }) => ok)).toHaveLength(1);
});
