import { text } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../../platform/db/database.ts";
import { startTestApp, type TestApp } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";

let app: TestApp;
let small: Uint8Array;
beforeAll(async () => {
  app = await startTestApp();
  // A picture that is already compressed can seldom be made smaller.
  const person = await app.person();
  small = await (
    await person.run("compress", [{ name: "a.png", bytes: samplePng(64, 48) }], { quality: "60" })
  ).bytes();
});
afterAll(() => app.close());

const options = { quality: "60" };
const used = async (caller: { call: (path: string) => Promise<Response> }) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;
const asJob = { prefer: "respond-async" };

// product: nothing-saved-free
test("an original that comes back since nothing was saved costs nothing, and everything that tells of it says so", async () => {
  const person = await app.person();
  const answer = await person.run("compress", [{ name: "a.png", bytes: small }], options);
  expect([answer.status, answer.headers.get("x-credits-charged")]).toEqual([200, "0"]);
  expect(JSON.parse(answer.headers.get("x-report") ?? "")).toMatchObject({
    outcome: "done",
    nothing_saved: true,
    reason: text.nothingSaved,
  });
  expect((await answer.bytes()).length).toBeLessThanOrEqual(small.length);
  expect(await used(person)).toBe(0);
  const entries = await rowsOf(
    app.db.execute(sql`
      select kind, credits, reason from credit_entries e join accounts a on e.holder = 'person:' || a.id
      where a.subject = ${person.subject} order by e.id`),
  );
  expect(entries).toEqual([
    { kind: "charge", credits: 1, reason: null },
    { kind: "refund", credits: -1, reason: "nothing-saved" },
  ]);
});

test("of a batch only the pictures that became smaller are paid for, and a repeat under its key gives the same", async () => {
  const person = await app.person();
  const files = [
    { name: "small.png", bytes: small },
    { name: "large.png", bytes: samplePng(80, 60) },
  ];
  const begun = await person.run("compress", files, options, { ...asJob, "idempotency-key": "k" });
  const path = begun.headers.get("location") ?? "";
  const job = async () =>
    (await (await person.call(path)).json()) as { state: string; files: object[]; credits: object };
  await expect.poll(async () => (await job()).state).toBe("done");
  expect(await job()).toMatchObject({
    files: [{ state: "done", nothing_saved: true, reason: text.nothingSaved }, { state: "done" }],
    credits: { charged: 1 },
  });
  const { receipt } = (await (await person.call(`${path}/receipt`)).json()) as { receipt: { files: object[] } };
  expect(receipt.files).toMatchObject([{ nothing_saved: true }, { state: "done" }]);
  const again = await person.run("compress", files, options, { "idempotency-key": "k" });
  expect([again.status, again.headers.get("content-type")]).toEqual([200, "application/zip"]);
  await again.bytes();
  expect(await used(person)).toBe(1);
});

test("a quote says that a picture which cannot be made smaller costs nothing", async () => {
  const person = await app.person();
  const files = [{ width: 64, height: 48, size_bytes: small.length, format: "png" }];
  const quote = await (await person.call("/api/quote", { json: { operation: "compress", options, files } })).json();
  expect(quote).toMatchObject({
    credits: 1,
    assumptions: [{ index: null, detail: expect.stringContaining("costs nothing") }],
  });
});
