import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { PlanName, Quote } from "@tintype/contract";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { holderOf } from "../accounts/accounts.ts";
import { accounts } from "../accounts/tables.ts";

/** Pictures by format, which the app fetches from `/name.<format>`. */
const bytes: Record<string, Uint8Array> = { text: new TextEncoder().encode("no picture at all") };
const store = createServer((request, response) => {
  response.end(bytes[request.url?.split(".").at(-1) ?? ""]);
});
const clock = heldClock();
let app: TestApp;
let origin: string;
beforeAll(async () => {
  const drawing = sharp({ create: { width: 40, height: 30, channels: 3, background: "#a55" } });
  for (const format of ["png", "jpeg"] as const) bytes[format] = await drawing.clone().toFormat(format).toBuffer();
  const strip = Buffer.alloc(40 * 90 * 3, 200).fill(20, 40 * 30 * 3, 40 * 60 * 3);
  bytes["gif"] = await sharp(strip, { raw: { width: 40, height: 90, channels: 3, pageHeight: 30 } })
    .gif()
    .toBuffer();
  await new Promise<void>((done) => void store.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`; // a TCP server has one
  app = await startTestApp({
    clock,
    environment: { TINTYPE_URL_INPUT: "on", TINTYPE_URL_ALLOW: "127.0.0.1/32" },
  });
});
afterAll(async () => {
  await app.close();
  store.closeAllConnections();
  await new Promise((done) => store.close(done));
});

const ask = async (caller: TestCaller, json: object) => {
  const answer = await caller.call("/api/quote", { json });
  return { status: answer.status, body: (await answer.json()) as Quote & { field?: string; code?: string } };
};
const facts = { width: 40, height: 30, size_bytes: 900, format: "png" };
const remaining = async (caller: TestCaller) => {
  const { usage } = (await (await caller.call("/api/config")).json()) as { usage: { used: number; limit: number } };
  return usage.limit - usage.used;
};

describe("a request that is wrong is refused by its field", () => {
  const good = { operation: "compress", options: { quality: 60 }, files: [facts] };
  test.each([
    [{ ...good, operation: "compres" }, "operation"],
    [{ ...good, recipe: "avatar" }, "operation"],
    [{ files: [facts] }, "operation"],
    [{ ...good, options: { quality: 900 } }, "options.quality"],
    [{ ...good, options: { qualty: 60 } }, "options.qualty"],
    [{ ...good, options: 5 }, "options"],
    [{ ...good, option: { quality: 60 } }, "option"],
    [{ operation: "remove-background", options: { profile: "sam_manual" }, files: [facts] }, "options.profile"],
    [{ ...good, files: [] }, "files"],
    [{ ...good, files: [{ ...facts, width: 0 }] }, "files.0.width"],
    [{ ...good, files: [facts, { ...facts, height: 1.5 }] }, "files.1.height"],
    [{ ...good, files: [{ ...facts, size_bytes: -1 }] }, "files.0.size_bytes"],
    [{ ...good, files: [{ ...facts, format: 7 }] }, "files.0.format"],
    [{ ...good, files: [{ ...facts, frames: 0 }] }, "files.0.frames"],
    [{ ...good, files: [{ ...facts, width: undefined }] }, "files.0.width"],
    [{ ...good, files: [{ image_url: "" }] }, "files.0.image_url"],
    [{ recipe: { steps: [{ resize: {} }] }, files: [facts] }, "recipe.steps.0.resize.width"],
  ])("%j", async (json, field) => {
    const { status, body } = await ask(await app.person(), json);
    expect([status, body.code, body.field]).toEqual([400, "invalid-request", field]);
  });
});

test("refusals and losses are told file by file, and a recipe costs its neural steps", async () => {
  const person = await app.person();
  const steps = [{ "remove-background": {} }, { upscale: { scale_factor: 4 } }, { convert: { target_format: "jpeg" } }];
  const { body } = await ask(person, {
    recipe: { steps },
    files: [facts, { ...facts, width: 5000, height: 4000 }, { ...facts, format: "doc" }],
  });
  expect(body).toMatchObject({
    credits: 2,
    credits_per_file: 2,
    remaining_after: 98,
    resets_at: "2026-04-01T00:00:00.000Z",
    refusals: [
      { index: 1, code: "too-many-pixels", detail: expect.stringContaining("Step 2 (upscale)") },
      { index: 2, code: "not-an-image" },
    ],
    losses: expect.arrayContaining([{ index: 0, detail: expect.stringContaining("become white") }]),
  });
  expect((await ask(person, { recipe: "no such", files: [facts] })).status).toBe(404);
});

test("without options the price is told, and what is refused whatever they will be", async () => {
  for (const operation of ["compress", "resize", "upscale", "remove-background", "convert", "crop", "turn"]) {
    const files = [facts, { ...facts, width: 90_000, height: 90_000 }];
    expect((await ask(await app.person(), { operation, files })).body).toMatchObject({
      credits: 1,
      credits_per_file: 1,
      remaining_after: 99,
      losses: [],
      refusals: [{ index: 1, code: "too-many-pixels" }],
    });
  }
});

test("an animation is quoted with all of its frames", async () => {
  const person = await app.person();
  const moving = { ...facts, format: "gif", frames: 90 };
  const quoteOf = async (operation: string, options: object, file: object) =>
    (await ask(person, { operation, options, files: [file] })).body;
  expect(await quoteOf("compress", { quality: 60 }, moving)).toMatchObject({ credits: 1, refusals: [] });
  expect(await quoteOf("compress", { quality: 60 }, { ...moving, width: 2000, height: 2000 })).toMatchObject({
    credits: 0,
    refusals: [{ index: 0, code: "too-many-pixels", detail: expect.stringContaining("The 90 frames") }],
  });
  expect(await quoteOf("resize", { width: 2000, height: 1500 }, moving)).toMatchObject({
    refusals: [{ index: 0, code: "too-many-pixels", detail: expect.stringContaining("frames of the result") }],
  });
  expect(await quoteOf("upscale", { scale_factor: 2 }, moving)).toMatchObject({
    credits: 0,
    refusals: [{ index: 0, code: "cannot-process", detail: expect.stringContaining("cannot be upscaled") }],
  });
  expect(await quoteOf("convert", { target_format: "jpeg" }, moving)).toMatchObject({
    credits: 1,
    losses: expect.arrayContaining([{ index: 0, detail: expect.stringContaining("first of 90 frames") }]),
  });
});

test("a picture at an address is quoted by what is known of it", async () => {
  const person = await app.person();
  const [url, resize] = [`${origin}/a.png`, { operation: "resize", options: { width: 20 } }];
  const unseen = await ask(person, { ...resize, files: [facts, { image_url: url }] });
  expect(unseen.body).toMatchObject({
    credits: 2,
    refusals: [],
    assumptions: [{ index: 1, detail: expect.stringContaining("not fetched") }],
  });
  const described = await ask(person, { ...resize, files: [{ ...facts, image_url: url, width: 9000, height: 9000 }] });
  expect(described.body).toMatchObject({
    credits: 0,
    refusals: [{ index: 0, code: "too-many-pixels" }],
    assumptions: [],
  });
  const off = await startTestApp();
  const refused = await ask(await off.person(), { ...resize, files: [facts, { image_url: url }] });
  await off.close();
  expect(refused).toMatchObject({ status: 400, body: { code: "invalid-request", field: "files.1.image_url" } });
});

/** A person who has permanently spent this many credits. */
async function spender(plan: PlanName, credits: number): Promise<TestCaller> {
  const person = await app.person(plan);
  const [account] = await app.db.select().from(accounts).where(eq(accounts.subject, person.subject));
  const files = Array.from({ length: credits }, (_, index) => ({ index, name: "" }));
  if (credits > 0)
    await app.db.transaction((tx) =>
      app.ledger.charge(
        tx,
        { key: holderOf(account?.id ?? ""), tier: plan },
        { jobId: newId("job"), operation: "compress", files },
      ),
    );
  return person;
}

/** The result would be too large, which cannot be known for an unseen picture. */
const isRefused = (work: object): boolean => /16[_]?\d{3}/.test(JSON.stringify(work));

/** Batches of small pictures, some of which are refused or need no work. */
const quoteInputs = fc.record({
  who: fc.constantFrom<PlanName | "guest">("guest", "hobby", "mini"),
  spentBefore: fc.constantFrom(0, 2, 4, 95, 99, 100),
  reserved: fc.constantFrom(0, 1, 3),
  work: fc.constantFrom(
    { operation: "compress", options: { quality: 60 } },
    { operation: "resize", options: { width: 20 } },
    { operation: "resize", options: { width: 16_000, height: 16_000, method: "stretch" } },
    { operation: "convert", options: { target_format: "png" } },
    { recipe: { steps: [{ resize: { width: 20 } }, { convert: { target_format: "png" } }] } },
    { recipe: { steps: [{ upscale: { scale_factor: 2 } }, { upscale: { scale_factor: 2 } }] } },
    {
      recipe: {
        steps: [
          { upscale: { scale_factor: 2 } },
          { upscale: { scale_factor: 2 } },
          { resize: { width: 16_384, height: 16_000 } },
        ],
      },
    },
  ),
  formats: fc.array(fc.constantFrom("png", "jpeg", "gif", "text"), { minLength: 1, maxLength: 4 }),
  /** The number of files, counted from the end, that the server fetches; some are quoted without any details. */
  fetched: fc.constantFrom(0, 0, 1, 4),
  isDescribed: fc.boolean(),
});

const nothingSavedSoFar = async () => {
  const rows = await rowsOf<{ n: number }>(
    app.db.execute(sql`select count(*)::int as n from credit_entries where reason = 'nothing-saved'`),
  );
  return rows[0]?.n ?? 0;
};

test("the quote is what the ledger shows afterwards", async () => {
  await fc.assert(
    fc.asyncProperty(quoteInputs, async ({ who, spentBefore, reserved, work, formats, fetched, isDescribed }) => {
      // Guests share a network, which may send only so many addresses a minute.
      clock.advance(60_000);
      await app.endRateWindows();
      const caller = who === "guest" ? app.caller() : await spender(who, spentBefore);
      if (reserved > 0) await caller.call("/api/service-use-multiple", { json: { file_count: reserved } });
      const sent = formats.slice(0, Math.max(0, formats.length - fetched));
      const urls = formats.slice(sent.length).map((format) => `${origin}/a.${format}`);
      const files = formats.map((format, i) => {
        const url = urls[i - sent.length];
        const known = {
          ...facts,
          format,
          size_bytes: bytes[format]?.length ?? 0,
          ...(format === "gif" ? { frames: 3 } : {}),
        };
        // Whether an address has no picture, or one that needs no work, is known only from the details in the quote.
        const mayBeUnseen = !isDescribed && format === "jpeg" && !isRefused(work);
        return url === undefined ? known : mayBeUnseen ? { image_url: url } : { ...known, image_url: url };
      });
      const before = await remaining(caller);
      const { body: quoted } = await ask(caller, { ...work, files });
      const form = sent.map((format, i) => ({ name: `${i}.${format}`, bytes: bytes[format] ?? new Uint8Array() }));
      const [path, fields] =
        "recipe" in work
          ? ["recipes/run", { recipe: JSON.stringify(work.recipe) }]
          : [
              work.operation,
              Object.fromEntries(Object.entries(work.options).map(([name, value]) => [name, String(value)])),
            ];
      const made = new FormData();
      for (const [name, value] of Object.entries(fields)) made.append(name, String(value));
      for (const { name, bytes } of form) made.append("files", new Blob([new Uint8Array(bytes)]), name);
      for (const url of urls) made.append("image_url", url);
      const keptBefore = await nothingSavedSoFar();
      const answer = await caller.call(`/api/${path}/`, { form: made });
      await answer.bytes();
      // A quote cannot know which pictures compress fails to make smaller, and says so.
      const kept = (await nothingSavedSoFar()) - keptBefore;
      expect((await remaining(caller)) - kept, JSON.stringify({ quoted, before, status: answer.status })).toBe(
        quoted.remaining_after,
      );
      const charged = answer.headers.get("x-credits-charged");
      if (charged !== null) expect(quoted.credits - kept).toBe(Number(charged));
      if (answer.status === 403)
        expect(quoted.refusals[0]).toMatchObject({ index: null, code: expect.stringMatching(/credits|allowance/) });
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test("a quote tells the price also where the credits for it are missing", async () => {
  const files = Array<typeof facts>(3).fill(facts);
  const { body } = await ask(await spender("hobby", 99), { operation: "compress", options: { quality: 60 }, files });
  expect(body).toMatchObject({
    credits: 3,
    credits_per_file: 1,
    remaining_after: 1,
    refusals: [{ index: null, code: "out-of-credits" }],
  });
});
