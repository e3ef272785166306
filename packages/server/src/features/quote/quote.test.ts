import type { PlanName, Quote } from "@tintype/contract";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accounts } from "../../platform/db/tables.ts";
import { newId } from "../../platform/id.ts";
import { type Caller, heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { holderOf } from "../accounts/accounts.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock: heldClock() });
});
afterAll(() => app.close());

const ask = async (caller: Caller, json: object) => {
  const answer = await caller.call("/api/quote", { json });
  return { status: answer.status, body: (await answer.json()) as Quote & { field?: string; code?: string } };
};
const facts = { width: 40, height: 30, size_bytes: 900, format: "png" };
const remaining = async (caller: Caller) => {
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
    [{ ...good, files: [] }, "files"],
    [{ ...good, files: [{ ...facts, width: 0 }] }, "files.0.width"],
    [{ ...good, files: [facts, { ...facts, height: 1.5 }] }, "files.1.height"],
    [{ ...good, files: [{ ...facts, size_bytes: -1 }] }, "files.0.size_bytes"],
    [{ ...good, files: [{ ...facts, format: 7 }] }, "files.0.format"],
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
    ...{ credits: 2, credits_per_file: 2, remaining_after: 98, resets_at: "2026-04-01T00:00:00.000Z" },
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
      ...{ credits: 1, credits_per_file: 1, remaining_after: 99, losses: [] },
      refusals: [{ index: 1, code: "too-many-pixels" }],
    });
  }
});

/** Somebody who has spent so many credits for good. */
async function spender(plan: PlanName, credits: number): Promise<Caller> {
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

/** Batches of small pictures, some of which are refused or need no work. */
const wishes = fc.record({
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
  formats: fc.array(fc.constantFrom("png", "jpeg", "text"), { minLength: 1, maxLength: 4 }),
});

test("the quote is what the ledger shows afterwards", { timeout: 240_000 }, async () => {
  const bytes: Record<string, Uint8Array> = { text: new TextEncoder().encode("no picture at all") };
  const drawing = sharp({ create: { width: 40, height: 30, channels: 3, background: "#a55" } });
  for (const format of ["png", "jpeg"] as const) bytes[format] = await drawing.clone().toFormat(format).toBuffer();
  await fc.assert(
    fc.asyncProperty(wishes, async ({ who, spentBefore, reserved, work, formats }) => {
      const caller = who === "guest" ? app.caller() : await spender(who, spentBefore);
      if (reserved > 0) await caller.call("/api/service-use-multiple", { json: { file_count: reserved } });
      const files = formats.map((format) => ({ ...facts, format, size_bytes: bytes[format]?.length ?? 0 }));
      const before = await remaining(caller);
      const { body: quoted } = await ask(caller, { ...work, files });
      const form = formats.map((format, i) => ({ name: `${i}.${format}`, bytes: bytes[format] ?? new Uint8Array() }));
      const [path, fields] =
        "recipe" in work
          ? ["recipes/run", { recipe: JSON.stringify(work.recipe) }]
          : [
              work.operation,
              Object.fromEntries(Object.entries(work.options).map(([name, value]) => [name, String(value)])),
            ];
      const answer = await caller.run(path, form, fields as Record<string, string>);
      await answer.bytes();
      expect(await remaining(caller), JSON.stringify({ quoted, before, status: answer.status })).toBe(
        quoted.remaining_after,
      );
      const charged = answer.headers.get("x-credits-charged");
      if (charged !== null) expect(quoted.credits).toBe(Number(charged));
      if (answer.status === 403)
        expect(quoted.refusals[0]).toMatchObject({ index: null, code: expect.stringMatching(/credits|allowance/) });
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
