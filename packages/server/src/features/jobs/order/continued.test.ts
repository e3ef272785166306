import { createHash } from "node:crypto";
import type { Quote } from "@tintype/contract";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../../platform/db/database.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { redModel } from "../../../testing/red-model.ts";

const model = redModel();
const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    clock,
    environment: { ...model.environment, TINTYPE_CALLER_FREE_SECONDS: "500" },
  });
});
afterAll(async () => {
  await app.close();
  model.remove();
});

let pictures = 0;
/** Another picture at each call. */
const drawing = () =>
  sharp({
    create: {
      width: 60,
      height: 40 + pictures++,
      channels: 3,
      background: "#a55",
      noise: { type: "gaussian", mean: 120, sigma: 40 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer();

async function run(caller: TestCaller, task: string, bytes: Uint8Array, fields: Record<string, string>) {
  const answer = await caller.run(task, [{ name: "a", bytes }], fields);
  const body = await answer.bytes();
  return { status: answer.status, charged: answer.headers.get("x-credits-charged"), bytes: body, answer };
}
const resize = (caller: TestCaller, bytes: Uint8Array, width: number) =>
  run(caller, "resize", bytes, { width: String(width) });
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;

async function quoted(
  caller: TestCaller,
  bytes: Uint8Array,
  work: object = { operation: "resize", options: { width: 20 } },
) {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = { width: 50, height: 40, size_bytes: bytes.length, format: "jpeg", sha256 };
  const answer = await caller.call("/api/quote", { json: { ...work, files: [file] } });
  return (await answer.json()) as Quote;
}

// product: continued-free
test("further steps without a network on a result cost nothing, and the quote and the history say so", async () => {
  const person = await app.person();
  const first = await resize(person, await drawing(), 50);
  expect([first.status, first.charged]).toEqual([200, "1"]);
  expect(await quoted(person, first.bytes)).toMatchObject({ credits: 0, continued: [0], remaining_after: 99 });
  const second = await run(person, "convert", first.bytes, { target_format: "png" });
  expect([second.status, second.charged]).toEqual([200, "0"]);
  expect(second.answer.headers.get("x-credits-remaining")).toBe("99");
  const third = await run(person, "turn", second.bytes, { degrees: "90" });
  expect([third.status, third.charged]).toEqual([200, "0"]);
  expect(await used(person)).toBe(1);
  const history = (await (await person.call("/api/credits/history")).json()) as { lines: object[] };
  expect(history.lines).toMatchObject([
    { operation: "turn", change: "charged", credits: 0, files: 1, reason: "continued" },
    { operation: "convert", change: "charged", credits: 0, files: 1, reason: "continued" },
    { operation: "resize", change: "charged", credits: 1, reason: null },
  ]);
});

// product: continued-free
test("an original has six steps in all, on whichever of its results, and the seventh costs a credit again", async () => {
  const person = await app.person();
  const first = await resize(person, await drawing(), 55);
  for (const width of [50, 49, 48]) expect((await resize(person, first.bytes, width)).charged).toBe("0");
  const steps = [{ resize: { width: 47 } }, { turn: { degrees: 90 } }];
  const recipe = await run(person, "recipes/run", first.bytes, { recipe: JSON.stringify({ steps }) });
  expect(recipe.charged).toBe("0");
  expect(await quoted(person, recipe.bytes)).toMatchObject({ credits: 1, continued: [] });
  const seventh = await resize(person, recipe.bytes, 30);
  expect(seventh.charged).toBe("1");
  // That credit pays for steps of its own.
  expect((await resize(person, seventh.bytes, 20)).charged).toBe("0");
});

// product: continued-free
test("two steps at once with room for one: one is free", async () => {
  const person = await app.person();
  const first = await resize(person, await drawing(), 55);
  for (const width of [54, 53, 52, 51]) expect((await resize(person, first.bytes, width)).charged).toBe("0");
  const both = await Promise.all([30, 31, 32].map((width) => resize(person, first.bytes, width)));
  expect(both.map(({ charged }) => charged).sort()).toEqual(["0", "1", "1"]);
  expect(await used(person)).toBe(3);
});

// product: continued-free
test("14 minutes after a result a further step on it costs a credit", async () => {
  const person = await app.person();
  const first = await resize(person, await drawing(), 55);
  clock.advance(13 * 60_000);
  const second = await resize(person, first.bytes, 50);
  expect(second.charged).toBe("0");
  clock.advance(60_001);
  expect(await quoted(person, first.bytes)).toMatchObject({ credits: 1, continued: [] });
  expect((await resize(person, first.bytes, 45)).charged).toBe("1");
  expect((await resize(person, second.bytes, 44)).charged).toBe("0");
  clock.advance(14 * 60_000);
  await app.sweep();
  expect((await resize(person, second.bytes, 40)).charged).toBe("1");
});

// product: continued-free
test("a result is continued by its caller alone", async () => {
  const [person, other] = [await app.person(), await app.person()];
  const first = await resize(person, await drawing(), 55);
  expect(await quoted(other, first.bytes)).toMatchObject({ credits: 1, continued: [] });
  expect((await resize(other, first.bytes, 50)).charged).toBe("1");
  expect((await resize(app.caller(), first.bytes, 50)).charged).toBe("1");
});

// product: continued-free
test("a result that nobody took pays for no further step: its credit can still come back", async () => {
  const person = await app.person();
  // A head whose body the cut-out loses, so that it is flagged and can be discarded.
  const head =
    new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="150" viewBox="0 0 400 300">
    <rect width="100%" height="100%" fill="#cfd6da"/><rect x="170" y="20" width="60" height="60" fill="#e61e1e"/>
    <rect x="100" y="80" width="200" height="200" fill="#1e1ee6"/></svg>`);
  const first = await run(person, "remove-background", head, {});
  expect([first.status, first.charged]).toEqual([200, "1"]);
  for (const width of [50, 49, 48, 47, 46]) expect((await resize(person, first.bytes, width)).charged).toBe("0");
  // The same cut-out again: its bytes are known without a download.
  const begun = await person.run("remove-background", [{ name: "a", bytes: head }], {}, { prefer: "respond-async" });
  const path = begun.headers.get("location") ?? "";
  await expect
    .poll(async () => ((await (await person.call(path)).json()) as { state: string }).state, { timeout: 60_000 })
    .toBe("done");
  expect(await used(person)).toBe(2);
  expect(await quoted(person, first.bytes)).toMatchObject({ credits: 1, continued: [] });
  expect((await resize(person, first.bytes, 45)).charged).toBe("1");
  expect((await person.call(`${path}/files/0`, { method: "DELETE" })).status).toBe(200);
  expect(await used(person)).toBe(2);
});

// product: continued-free
test("a step that runs a network costs a credit, and so does a recipe with one", async () => {
  const person = await app.person();
  const ball = new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">
    <rect width="100%" height="100%" fill="#cfd6da"/><circle cx="170" cy="120" r="60" fill="#e61e1e"/></svg>`);
  const first = await resize(person, ball, 300);
  const cutOut = await run(person, "remove-background", first.bytes, {});
  expect([cutOut.status, cutOut.charged]).toEqual([200, "1"]);
  expect((await run(person, "compress", cutOut.bytes, { quality: "20" })).charged).toBe("0");
  const id = cutOut.answer.headers.get("x-job") ?? "";
  const form = new FormData();
  form.append("background", "#204060");
  const edited = await (await person.call(`/api/jobs/${id}/files/0/edit`, { form })).bytes();
  expect((await run(person, "convert", edited, { target_format: "jpeg" })).charged).toBe("0");
  expect(await used(person)).toBe(2);
});

test("whoever has no credits left can still finish a result, and nothing else", async () => {
  const guest = app.caller();
  let result: Uint8Array = await drawing();
  for (let use = 0; use < 5; use++) {
    const answer = await resize(guest, await drawing(), 50);
    expect(answer.charged).toBe("1");
    result = answer.bytes;
  }
  expect((await resize(guest, await drawing(), 50)).status).toBe(403);
  const last = await resize(guest, result, 40);
  expect([last.status, last.charged]).toEqual([200, "0"]);
});

test("a refunded charge pays for no further step", async () => {
  const person = await app.person();
  const small = await sharp({ create: { width: 3, height: 3, channels: 3, background: "#fff" } })
    .png({ palette: true })
    .toBuffer();
  const kept = await run(person, "compress", small, { quality: "100" });
  expect(kept.charged).toBe("0");
  expect((await resize(person, kept.bytes, 2)).charged).toBe("1");
});

test("a batch costs what those of its files cost that are no results", async () => {
  const person = await app.person();
  const first = await resize(person, await drawing(), 55);
  const files = [
    { name: "new.jpg", bytes: await drawing() },
    { name: "result.jpg", bytes: first.bytes },
  ];
  const answer = await person.run("resize", files, { width: "33" });
  await answer.bytes();
  expect([answer.status, answer.headers.get("x-credits-charged")]).toEqual([200, "1"]);
  expect(await used(person)).toBe(2);
});

test("a repeat under a key is one step, and begins nothing new", async () => {
  const person = await app.person();
  const first = await resize(person, await drawing(), 55);
  const send = async () => {
    const answer = await person.run(
      "resize",
      [{ name: "a", bytes: first.bytes }],
      { width: "30" },
      { "idempotency-key": "again" },
    );
    await answer.bytes();
    return answer.headers.get("x-credits-charged");
  };
  for (let time = 0; time < 3; time++) expect(await send()).toBe("0");
  for (const width of [54, 53, 52, 51]) expect((await resize(person, first.bytes, width)).charged).toBe("0");
  expect((await resize(person, first.bytes, 50)).charged).toBe("1");
});

test("a credit pays for the engine's time of all its steps: they use up no free work, unless they fail", async () => {
  const person = await app.person();
  const first = await resize(person, await drawing(), 55);
  const owner = `person:${(await rowsOf<{ id: string }>(app.db.execute(sql`select id from accounts where subject = ${person.subject}`)))[0]?.id}`;
  const spent = () =>
    rowsOf<{ ms: number }>(app.db.execute(sql`select engine_ms::int as ms from free_engine_use where key = ${owner}`));
  expect((await resize(person, first.bytes, 50)).charged).toBe("0");
  expect(await spent()).toEqual([]);
  const failed = await run(person, "convert", first.bytes, { target_format: "webp", max_bytes: "100" });
  expect(failed.status).toBe(422);
  expect((await spent())[0]?.ms).toBeGreaterThan(0);
  await app.db.execute(sql`update free_engine_use set engine_ms = 500000 where key = ${owner}`);
  expect((await resize(person, first.bytes, 45)).status).toBe(429);
});

test("nothing that is stored about a result tells whose it is or what it shows", async () => {
  const person = await app.person();
  const first = await resize(person, await drawing(), 55);
  const sha256 = createHash("sha256").update(first.bytes).digest();
  const rows = await rowsOf<{ digest: string }>(app.db.execute(sql`select digest from result_digests`));
  expect(rows.length).toBeGreaterThan(0);
  for (const { digest } of rows) expect([sha256.toString("hex"), sha256.toString("base64url")]).not.toContain(digest);
});
