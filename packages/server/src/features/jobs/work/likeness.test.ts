import { signedReceipt } from "@tintype/contract/schemas";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";

let app: TestApp;
let jpeg: Uint8Array;
beforeAll(async () => {
  app = await startTestApp();
  jpeg = await sharp(samplePng(120, 90)).jpeg({ quality: 98, chromaSubsampling: "4:4:4" }).toBuffer();
});
afterAll(() => app.close());

const asJob = { prefer: "respond-async" };
const reportIn = (answer: Response) => JSON.parse(answer.headers.get("x-report") ?? "") as { likeness?: number };
type Told = { state: string; files: { likeness?: number }[] };

// product: likeness-told
test("a measured likeness is told by the report, the header, the job and the signed receipt", async () => {
  const person = await app.person();
  const files = [{ name: "a.jpg", bytes: jpeg }];
  const answer = await person.run("compress", files, { quality: "50", measure: "true" });
  const { likeness } = reportIn(answer);
  expect(likeness).toBeGreaterThan(20);
  expect(likeness).toBeLessThan(95);
  expect(Number(answer.headers.get("x-likeness"))).toBe(likeness);
  const begun = await person.run("compress", files, { quality: "50", measure: "true" }, asJob);
  const path = begun.headers.get("location") ?? "";
  const job = async () => (await (await person.call(path)).json()) as Told;
  await expect.poll(async () => (await job()).state).toBe("done");
  expect((await job()).files[0]?.likeness).toBe(likeness);
  const { receipt } = signedReceipt.parse(await (await person.call(`${path}/receipt`)).json());
  expect(receipt.files[0]?.likeness).toBe(likeness);
});

test("a likeness that was not asked for is not told", async () => {
  const person = await app.person();
  const answer = await person.run("compress", [{ name: "a.jpg", bytes: jpeg }], { quality: "50" });
  expect([answer.headers.get("x-likeness"), reportIn(answer).likeness]).toEqual([null, undefined]);
});

test("a request that measures is another request under the same key", async () => {
  const person = await app.person();
  const files = [{ name: "a.jpg", bytes: jpeg }];
  const key = { "idempotency-key": "k" };
  expect((await person.run("compress", files, { quality: "50" }, key)).status).toBe(200);
  const other = await person.run("compress", files, { quality: "50", measure: "true" }, key);
  expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([422, "idempotency-mismatch"]);
});

test("a least likeness that cannot be kept gives the original and its credit back", async () => {
  const person = await app.person();
  const options = { max_bytes: "1500", min_quality: "1", min_likeness: "95" };
  const answer = await person.run("compress", [{ name: "a.jpg", bytes: jpeg }], options);
  expect([answer.status, answer.headers.get("x-credits-charged")]).toEqual([200, "0"]);
  expect(reportIn(answer)).toMatchObject({
    outcome: "done",
    nothing_saved: true,
    likeness: 100,
    notes: [expect.stringContaining("No smaller result of at most 1500 bytes keeps a likeness of 95")],
  });
  expect(
    (
      await sharp(await answer.bytes())
        .raw()
        .toBuffer()
    ).equals(await sharp(jpeg).raw().toBuffer()),
  ).toBe(true);
});

test("a recipe ends with the likeness of its last step", async () => {
  const person = await app.person();
  const files = [{ name: "a.jpg", bytes: jpeg }];
  const last = { steps: [{ resize: { width: 80 } }, { compress: { quality: 50, measure: true } }] };
  const measured = reportIn(await person.run("recipes/run", files, { recipe: JSON.stringify(last) }));
  expect(measured.likeness).toBeGreaterThan(0);
  const first = { steps: [{ compress: { quality: 50, measure: true } }, { resize: { width: 80 } }] };
  expect(reportIn(await person.run("recipes/run", files, { recipe: JSON.stringify(first) }))).not.toHaveProperty(
    "likeness",
  );
});

test("a step that got no original fails below the least likeness, and costs nothing", async () => {
  const person = await app.person();
  const steps = [{ resize: { width: 80 } }, { compress: { quality: 50, min_likeness: 99 } }];
  const recipe = JSON.stringify({ steps });
  const answer = await person.run("recipes/run", [{ name: "a.jpg", bytes: jpeg }], { recipe });
  expect([answer.status, answer.headers.get("x-credits-charged")]).toEqual([422, "0"]);
  expect(await answer.json()).toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("Step 2 (compress): No result keeps a likeness of 99"),
  });
  const files = [{ width: 120, height: 90, size_bytes: jpeg.length, format: "jpeg" }];
  const quote = await person.call("/api/quote", { json: { recipe: { steps }, files } });
  expect(await quote.json()).toMatchObject({
    assumptions: [{ index: null, detail: expect.stringContaining("keeps min_likeness") }],
  });
});

test("a test key's result has the likeness below its mark", async () => {
  const person = await app.person();
  const options = { name: "t", scopes: ["process"], mode: "test" };
  const { key } = (await (await person.call("/api/keys", { method: "POST", json: options })).json()) as { key: string };
  const files = [{ name: "a.jpg", bytes: jpeg }];
  const plain = await person.run("compress", files, { quality: "50", measure: "true" });
  const marked = await app.caller(key).run("compress", files, { quality: "50", measure: "true" });
  expect(marked.headers.get("x-likeness")).toBe(plain.headers.get("x-likeness"));
});

test("a ZIP's report has the likeness of each file", async () => {
  const person = await app.person();
  const files = ["a.jpg", "b.jpg"].map((name) => ({ name, bytes: jpeg }));
  const answer = await person.run("compress", files, { quality: "50", measure: "true" });
  const report = unzipSync(await answer.bytes())["report.json"] ?? new Uint8Array();
  const rows = (JSON.parse(new TextDecoder().decode(report)) as Told).files;
  expect(rows.map(({ likeness }) => typeof likeness)).toEqual(["number", "number"]);
});

test("a least likeness outside 0 to 100 is refused with the sentence of its field", async () => {
  const person = await app.person();
  const answer = await person.run("compress", [{ name: "a.jpg", bytes: jpeg }], { min_likeness: "101" });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    field: "min_likeness",
    detail: "min_likeness must be between 0 and 100.",
  });
});
