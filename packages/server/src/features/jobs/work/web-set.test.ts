import type { Job, WebSet } from "@tintype/contract";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const picture = { name: "Boat 1.png", bytes: samplePng(120, 80) };
const fields = { widths: "40,80", formats: "webp,jpeg", alt: "A boat" };
const setIn = (files: Record<string, Uint8Array>): WebSet =>
  JSON.parse(new TextDecoder().decode(files["set.json"])) as WebSet;

// product: web-set
test("a picture becomes one ZIP for one credit, named after it", async () => {
  const answer = await (await app.person()).run("web-set", [picture], fields);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/zip");
  expect(answer.headers.get("content-disposition")).toContain('filename="Boat 1.zip"');
  expect(answer.headers.get("x-credits-charged")).toBe("1");
  const report = JSON.parse(answer.headers.get("x-report") ?? "");
  expect(report).toMatchObject({ operation: "web-set", result: "Boat 1.zip", outcome: "done", width: 80, height: 53 });
  const bytes = await answer.bytes();
  expect(report).toMatchObject({ result_bytes: bytes.length });
  const files = unzipSync(bytes);
  const names = ["Boat-1-40.webp", "Boat-1-80.webp", "Boat-1-40.jpg", "Boat-1-80.jpg"];
  expect(Object.keys(files)).toEqual([...names, "picture.html", "set.json"]);
  expect(setIn(files)).toMatchObject({ alt: "A boat", sizes: "100vw", width: 80, height: 53 });
});

test("several pictures come as a ZIP of their sets, with a report", async () => {
  const answer = await (await app.person()).run("web-set", [picture, { ...picture, name: "b.png" }], fields);
  const entries = unzipSync(await answer.bytes());
  expect(Object.keys(entries)).toEqual(["report.json", "Boat 1.zip", "b.zip"]);
  expect(Object.keys(unzipSync(entries["b.zip"] ?? new Uint8Array()))).toContain("b-40.webp");
});

test("a job tells of the set, and gives its ZIP", async () => {
  const person = await app.person();
  const begun = await person.run("web-set", [picture], fields, { prefer: "respond-async" });
  expect(begun.status).toBe(202);
  const { id } = (await begun.json()) as Job;
  const events = await (await person.call(`/api/jobs/${id}/events`)).text();
  expect(events).toContain('"state":"done"');
  const job = (await (await person.call(`/api/jobs/${id}`)).json()) as Job;
  expect(job.files[0]?.result).toMatchObject({ format: "zip", width: 80, height: 53, name: "Boat 1.zip" });
  const file = await person.call(`/api/jobs/${id}/files/0`);
  expect(file.headers.get("content-type")).toBe("application/zip");
  expect(setIn(unzipSync(await file.bytes())).files).toHaveLength(4);
});

test("in a recipe it works on what the steps before it made, and no step may follow", async () => {
  const person = await app.person();
  const run = (steps: object[]) => person.run("recipes/run", [picture], { recipe: JSON.stringify({ steps }) });
  const made = await run([{ crop: { ratio: "1:1" } }, { "web-set": { ...fields, widths: "60" } }]);
  expect(made.headers.get("x-credits-charged")).toBe("1");
  expect(setIn(unzipSync(await made.bytes()))).toMatchObject({ width: 60, height: 60 });
  const refused = await run([{ "web-set": {} }, { compress: {} }]);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    field: "recipe.steps.0.web-set",
    detail: "web-set gives a ZIP of several pictures: please make it the last step.",
  });
});

test.each([
  ["widths", "The widths must be 1 to 8 whole numbers of pixels up to 16384, such as 640,1280,1920.", "0,640"],
  ["widths", "The widths must be", "16385"],
  ["widths", "The widths must be", "1,2,3,4,5,6,7,8,9"],
  ["formats", "The formats must be a list of avif, webp, jpeg and png, such as avif,webp,jpeg.", "avif,gif"],
  ["quality", "Please enter a valid quality between 1 and 100.", "101"],
  ["sizes", "sizes must be", "x".repeat(501)],
  ["alt", "The alternative text must be one line of at most 500 characters.", "two\nlines"],
])("a wrong %s is refused with a sentence: %j", async (field, sentence, value) => {
  const answer = await app.caller().run("web-set", [picture], { [field]: value });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ field, detail: expect.stringContaining(sentence) });
});

test("an animation is refused and costs nothing, as its quote says", async () => {
  const person = await app.person();
  const pages = await Promise.all(
    ["red", "blue"].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const moving = await sharp(pages, { join: { animated: true } })
    .gif()
    .toBuffer();
  const answer = await person.run("web-set", [{ name: "a.gif", bytes: moving }]);
  expect(answer.status).toBe(422);
  const detail = "Animated images cannot become a web set. Send a still image.";
  expect(await answer.json()).toMatchObject({ code: "cannot-process", detail });
  expect(answer.headers.get("x-credits-charged")).toBe("0");
  const files = [{ width: 8, height: 8, size_bytes: moving.length, format: "gif", frames: 2 }];
  const quote = await person.call("/api/quote", { method: "POST", json: { operation: "web-set", options: {}, files } });
  expect(await quote.json()).toMatchObject({ credits: 0, refusals: [{ index: 0, code: "cannot-process", detail }] });
});

test("the pictures of a test key's set all bear the mark", async () => {
  const person = await app.person();
  const made = await person.call("/api/keys", {
    method: "POST",
    json: { name: "t", scopes: ["process"], mode: "test" },
  });
  const { key } = (await made.json()) as { key: string };
  const script = app.caller(key);
  const large = { name: "a.png", bytes: samplePng(900, 600) };
  const answer = await script.run("web-set", [large], { widths: "800", formats: "png", quality: "100" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-credits-charged")).toBe("0");
  expect(JSON.parse(answer.headers.get("x-report") ?? "")).toMatchObject({
    notes: expect.arrayContaining([expect.stringContaining("Made with a test key")]),
  });
  const files = unzipSync(await answer.bytes());
  expect(setIn(files)).toMatchObject({ width: 512, height: 341 });
  const marked = await sharp(files["a-512.png"]).raw().toBuffer();
  const plain = await sharp(large.bytes).resize(512, 341).raw().toBuffer();
  const farthest = marked.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (plain[at] ?? 0))), 0);
  expect(farthest).toBeGreaterThan(60);
});
