import type { CreatedApiKey, Usage } from "@tintype/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";

const clock = heldClock(new Date("2026-03-10T12:00:00Z"));
const day = 86_400_000;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const picture = { name: "photo.png", bytes: samplePng(30, 20) };
const broken = { name: "b.png", bytes: Buffer.from("\x89PNG\r\n\x1a\nbroken", "latin1") };
const makeKey = async (person: TestCaller, name: string, more: object = {}) => {
  const scopes = ["process", "jobs:read", "usage:read"];
  return (await (await person.call("/api/keys", { json: { name, scopes, ...more } })).json()) as CreatedApiKey;
};
const read = async (caller: TestCaller, query = "") =>
  (await (await caller.call(`/api/usage${query}`)).json()) as Usage & { detail: string; field: string };

test("usage is summed by day, operation and key, and leaves out what came back", async () => {
  const person = await app.person();
  const key = await makeKey(person, "Shop");
  const script = app.caller(key.key);
  await person.run("compress", [picture], { quality: "60" });
  await script.run("compress", [picture, broken, { ...picture, name: "c.png" }], { quality: "60" });
  clock.advance(day);
  await script.run("resize", [picture], { width: "8" });
  await script.run("compress", [broken], { quality: "60" });

  const ofKey = { id: key.id, name: "Shop", last_four: key.last_four };
  const first = [
    { day: "2026-03-10", operation: "compress", key: null, files: 1, credits: 1 },
    { day: "2026-03-10", operation: "compress", key: ofKey, files: 2, credits: 2 },
  ];
  const second = { day: "2026-03-11", operation: "resize", key: ofKey, files: 1, credits: 1 };
  expect(await read(person)).toEqual({ from: "2026-02-10", to: "2026-03-11", rows: [...first, second] });
  expect((await read(person, "?to=2026-03-10")).rows).toEqual(first);
  expect(await read(person, "?from=2026-03-11&to=2026-03-11")).toMatchObject({ from: "2026-03-11", rows: [second] });
  expect((await read(await app.person())).rows).toEqual([]);
});

test("a reservation counts when it is spent, for what it paid", async () => {
  const person = await app.person();
  await person.call("/api/service-use-multiple", { json: { file_count: 3 } });
  expect((await read(person)).rows).toEqual([]);
  await person.run("compress", [picture], { quality: "60" });
  expect((await read(person)).rows).toMatchObject([{ operation: "compress", files: 1, credits: 1 }]);
});

test("a key that is gone keeps its usage, without its name; a test key has none", async () => {
  const person = await app.person();
  const [old, trial] = [await makeKey(person, "Old"), await makeKey(person, "Trial", { mode: "test" })];
  await app.caller(old.key).run("compress", [picture], { quality: "60" });
  await app.caller(trial.key).run("compress", [picture], { quality: "60" });
  await person.call(`/api/keys/${old.id}`, { method: "DELETE" });
  expect((await read(person)).rows).toMatchObject([{ key: { id: old.id, name: null, last_four: null }, credits: 1 }]);
});

test("the CSV has a line a row, and a key's name is no formula in it", async () => {
  const person = await app.person();
  const key = await makeKey(person, '=HYPERLINK("x")');
  await app.caller(key.key).run("compress", [picture], { quality: "60" });
  await person.run("resize", [picture], { width: "8" });
  const today = clock.now().toISOString().slice(0, 10);
  const answer = await app.caller(key.key).call(`/api/usage.csv?from=${today}&to=${today}`);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="tintype-usage-${today}-${today}.csv"`);
  // A fetch's text() drops the byte order mark, by which Excel knows UTF-8.
  expect(Buffer.from(await answer.bytes()).toString()).toBe(
    [
      "\uFEFFday,operation,key_id,key_name,files,credits",
      `${today},compress,${key.id},"'=HYPERLINK(""x"")",1,1`,
      `${today},resize,,,1,1`,
      "",
    ].join("\r\n"),
  );
});

test("guests and keys without the scope have no usage; spans that make no sense are 400", async () => {
  const person = await app.person();
  const { key } = await makeKey(person, "Worker", { scopes: ["process"] });
  for (const path of ["/api/usage", "/api/usage.csv"]) {
    expect((await app.caller().call(path)).status).toBe(401);
    expect((await app.caller(key).call(path)).status).toBe(403);
    for (const [query, field] of [
      ["from=2026-03-11&to=2026-03-10", "from"],
      ["from=2025-01-01&to=2026-03-10", "from"],
      ["from=yesterday", "from"],
      ["to=0000-01-01", "to"],
      ["to=0001-01-01", "to"],
    ]) {
      const refused = await person.call(`${path}?${query}`);
      expect([refused.status, ((await refused.json()) as { field: string }).field]).toEqual([400, field]);
    }
  }
});
