import http from "node:http";
import https from "node:https";
import type { Job } from "@tintype/contract";
import sharp from "sharp";
import tinify from "tinify";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";

/** Parts of the package that its types omit. Its own test suite sets the address too. */
type Settable = { Client: { API_ENDPOINT: string } };

let app: TestApp;
let person: TestCaller;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await app.person();
  const made = await person.call("/api/keys", { json: { name: "Moved in", scopes: ["process"] } });
  ({ key } = (await made.json()) as { key: string });
  tinify.key = key;
  (tinify as unknown as Settable).Client.API_ENDPOINT = app.baseUrl;
  // The package supports only https, and the test server has no certificate.
  const plain = (options: http.RequestOptions, onResponse: (answer: http.IncomingMessage) => void) =>
    http.request({ ...options, protocol: "http:" }, onResponse);
  vi.spyOn(https, "request").mockImplementation(plain as typeof https.request);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const png = samplePng(120, 80);
const used = async () =>
  ((await (await person.call("/api/user-info")).json()) as { service_count: number }).service_count;
const facts = async (bytes: Uint8Array) => {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
};
const basic = () => ({ authorization: `Basic ${Buffer.from(`api:${key}`).toString("base64")}` });
const shrink = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(`${app.baseUrl}/shrink`, {
    method: "POST",
    headers: { ...basic(), ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });

test("the package compresses a picture for one credit, and the output can be fetched more than once", async () => {
  const source = tinify.fromBuffer(png);
  const first = await source.toBuffer();
  expect(await facts(first)).toEqual({ format: "png", width: 120, height: 80 });
  expect(first.length).toBeLessThanOrEqual(png.length);
  const again = source.result();
  expect(Buffer.from(await again.toBuffer()).equals(Buffer.from(first))).toBe(true);
  expect([await again.width(), await again.height(), await again.mediaType(), await again.size()]).toEqual([
    ...[120, 80, "image/png"],
    first.length,
  ]);
  expect(await used()).toBe(1);
  expect(tinify.compressionCount).toBe(1);
});

test("an output answers HEAD with the headers of GET, and Range with a part", async () => {
  const path = (await shrink(png)).headers.get("location") ?? "";
  const ask = (method: string, headers: Record<string, string> = {}) =>
    fetch(app.baseUrl + path, { method, headers: { ...basic(), ...headers } });
  const head = await ask("HEAD");
  const answer = await ask("GET");
  const bytes = Buffer.from(await answer.arrayBuffer());
  for (const name of ["content-type", "content-length", "image-width", "image-height", "accept-ranges"])
    expect([name, head.headers.get(name)]).toEqual([name, answer.headers.get(name)]);
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  const part = await ask("GET", { range: "bytes=4-" });
  expect([part.status, part.headers.get("content-range")]).toEqual([
    ...[206, `bytes 4-${bytes.length - 1}/${bytes.length}`],
  ]);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(4))).toBe(true);
  const beyond = await ask("GET", { range: `bytes=${bytes.length}-` });
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${bytes.length}`]);
  expect((await fetch(app.baseUrl + path, { method: "HEAD" })).status).toBe(401);
  expect(await used()).toBe(1);
});

test.each([
  [{ method: "scale", width: 60 }, [60, 40]],
  [{ method: "fit", width: 60, height: 60 }, [60, 40]],
  [{ method: "cover", width: 50, height: 50 }, [50, 50]],
  [{ method: "thumb", width: 50, height: 50 }, [50, 50]],
  [{ method: "fit", width: 600, height: 600 }, [120, 80]],
  [{ method: "cover", width: 600, height: 600 }, [80, 80]],
])("%j gives %j, and never more pixels than there were", async (options, [width, height]) => {
  const bytes = await tinify.fromBuffer(png).resize(options).toBuffer();
  expect(await facts(bytes)).toEqual({ format: "png", width, height });
  expect(await used()).toBe(2);
});

test("convert takes a type, several or any, and transform puts a colour behind", async () => {
  const clear = await sharp({ create: { width: 40, height: 30, channels: 4, background: "#00000000" } })
    .png()
    .toBuffer();
  const source = tinify.fromBuffer(clear);
  for (const [type, format] of [
    ["image/webp", "webp"],
    [["image/png", "image/jpeg"], "jpeg"],
    ["*/*", "heif"],
  ] as const) {
    const made = source.convert({ type } as Parameters<typeof source.convert>[0]).transform({ background: "#ff0000" });
    const bytes = await made.toBuffer();
    expect((await facts(bytes)).format).toBe(format);
    const [red = 0, green = 255] = await sharp(bytes).toColourspace("srgb").raw().toBuffer();
    expect(red - green).toBeGreaterThan(240);
  }
});

test("preserve keeps the copyright, and without it nothing stays", async () => {
  const named = await sharp(png)
    .withExif({ IFD0: { Copyright: "Ann Lee" } })
    .jpeg()
    .toBuffer();
  const source = tinify.fromBuffer(named);
  expect((await sharp(await source.toBuffer()).metadata()).exif).toBeUndefined();
  const kept = await sharp(await source.preserve("copyright", "creation").toBuffer()).metadata();
  expect(kept.exif?.includes("Ann Lee")).toBe(true);
});

test("a wrong key, an empty body, a body that is no picture and wrong options have Tinify's errors", async () => {
  await expect(tinify.fromBuffer(Buffer.from("no picture")).toBuffer()).rejects.toMatchObject({
    status: 415,
    constructor: tinify.ClientError,
  });
  await expect(
    tinify.fromBuffer(png).resize({ method: "scale", width: 9, height: 9 }).toBuffer(),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining("one of the two") });
  await expect(tinify.fromBuffer(png).preserve("location").toBuffer()).rejects.toMatchObject({ status: 400 });
  await tinify.validate();
  const empty = await shrink("");
  expect([empty.status, ((await empty.json()) as { error: string }).error]).toEqual([400, "InputMissing"]);
  tinify.key = "wrong";
  await expect(tinify.fromBuffer(png).toBuffer()).rejects.toMatchObject({
    status: 401,
    message: expect.stringContaining("Send an API key of this server (tt_live_…)"),
  });
});

test("a picture by its address is refused with the field's sentence where the server fetches none", async () => {
  const answer = await shrink(JSON.stringify({ source: { url: "https://pictures.example/a.png" } }), {
    "content-type": "application/json",
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: "BadRequest",
    message: "This server does not fetch images. Send the image itself in the field files.",
  });
});

test("the answer names input and output, and another account does not reach them", async () => {
  const answer = await shrink(png);
  expect(answer.status).toBe(201);
  expect(answer.headers.get("location")).toMatch(/^\/output\/job_/);
  expect(answer.headers.get("compression-count")).toBe("1");
  expect(await answer.json()).toMatchObject({
    input: { size: png.length, type: "image/png" },
    output: { type: "image/png", width: 120, height: 80, ratio: expect.any(Number), url: expect.any(String) },
  });
  const other = await app.person();
  const made = await other.call("/api/keys", { json: { name: "Other", scopes: ["process"] } });
  const { key: otherKey } = (await made.json()) as { key: string };
  const authorization = `Basic ${Buffer.from(`api:${otherKey}`).toString("base64")}`;
  const path = answer.headers.get("location") ?? "";
  expect((await fetch(app.baseUrl + path, { headers: { authorization } })).status).toBe(404);
  expect((await fetch(app.baseUrl + path)).status).toBe(401);
});

test("results of other calls are not reached here, where neither their delivery nor the key's scope is checked", async () => {
  const body = new FormData();
  body.append("files", new Blob([new Uint8Array(png)]), "a.png");
  body.append("target_format", "webp");
  const accepted = await person.call("/api/convert/", { form: body, headers: { prefer: "respond-async" } });
  const at = accepted.headers.get("location")?.replace("/api/jobs/", "/output/") ?? "";
  expect(at).toMatch(/^\/output\/job_/);
  await expect
    .poll(async () => ((await (await person.call(at.replace("/output/", "/api/jobs/"))).json()) as Job).state)
    .toBe("done");
  for (const method of ["GET", "POST"])
    expect((await fetch(app.baseUrl + at, { method, headers: basic() })).status).toBe(404);
});
