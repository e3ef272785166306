import { gzipSync } from "node:zlib";
import { type Endpoint, endpoints } from "@tintype/contract/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp, type TestCaller } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

let app: TestApp;
let person: TestCaller;
beforeAll(async () => {
  app = await startTestApp();
  person = await app.person();
});
afterAll(() => app.close());

type Sent = { type?: string | undefined; text?: string; headers?: Record<string, string> };
async function send(path: string, { type, text, headers = {} }: Sent, method = "POST") {
  const answer = await person.call(path, {
    method,
    ...(text === undefined ? {} : { text }),
    headers: { ...(type === undefined ? {} : { "content-type": type }), ...headers },
  });
  const said = await answer.text();
  return { status: answer.status, ...(JSON.parse(said || "{}") as { code?: string; detail?: string; field?: string }) };
}

const rows = Object.values(endpoints) as Endpoint[];
const jsonRows = rows.filter(({ body }) => body);
const formRows = rows.filter(({ form }) => form);
const pathOf = ({ path }: Endpoint) => `/api${path.replace(/\{\w+\}/g, "none")}`;
const quote = '{"operation":"crop","files":[{"width":9,"height":9,"size_bytes":99,"format":"png"}]}';

test.each(jsonRows.map((row) => [row.path, row] as const))("%s wants JSON, and says so", async (_, row) => {
  for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/xml", "multipart/form-data"]) {
    const said = await send(pathOf(row), { type, text: "{}" }, row.method);
    expect(said, type).toMatchObject({ status: 415, code: "unsupported-media-type" });
    expect(said.detail, type).toContain("Content-Type: application/json");
  }
  expect(row.errors).toEqual(expect.arrayContaining(["unsupported-media-type", "too-large"]));
});

test.each(formRows.map((row) => [row.path, row] as const))("%s wants a form, and says so", async (_, row) => {
  for (const type of ["application/json", "image/png", "application/x-www-form-urlencoded"]) {
    const said = await send(pathOf(row), { type, text: "x".repeat(2_000_000) }, row.method);
    expect(said, type).toMatchObject({ status: 415, code: "unsupported-media-type" });
    expect(said.detail, type).toContain("multipart/form-data");
  }
});

test("an empty body is none, whatever type a client names for it", async () => {
  for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain"]) {
    expect(await send("/api/service-use", { type, text: "" }), type).toMatchObject({ status: 200 });
    expect(await send("/api/recipes/none", { type }, "DELETE"), type).toMatchObject({ status: 404 });
    expect(await send("/api/keys/none/rotate", { type, text: "" }), type).toMatchObject({ status: 404 });
  }
});

test("a body that is no JSON, or too large, is refused with its own sentence", async () => {
  const type = "application/json";
  expect(await send("/api/quote", { type, text: '{"operation":' })).toMatchObject({
    status: 400,
    code: "invalid-request",
    detail: "The body is not valid JSON.",
  });
  expect(await send("/api/quote", { type, text: quote })).toMatchObject({ status: 200 });
  expect(await send("/api/quote", { type: "Application/JSON; charset=utf-8", text: quote })).toMatchObject({
    status: 200,
  });
  const tooLarge = await send("/api/quote", { type, text: `{"a":"${"x".repeat(2_000_000)}"}` });
  expect(tooLarge).toMatchObject({ status: 413, code: "too-large" });
  expect(tooLarge.detail).not.toContain("plan");
});

test("a compressed body is refused with a sentence that names the header", async () => {
  const packed = async (path: string, type: string, body: Buffer) =>
    fetch(app.baseUrl + path, {
      method: "POST",
      headers: { "content-type": type, "content-encoding": "gzip" },
      body: new Uint8Array(gzipSync(body)),
    });
  for (const answer of [
    await packed("/api/quote", "application/json", Buffer.from(quote)),
    await packed("/api/compress", "multipart/form-data; boundary=x", Buffer.from("--x--\r\n")),
  ]) {
    const problem = (await answer.json()) as { code: string; detail: string };
    expect([answer.status, problem.code]).toEqual([415, "unsupported-media-type"]);
    expect(problem.detail).toContain("Content-Encoding");
  }
});

test("a form without its boundary is the client's fault, and sending it again is no help", async () => {
  const picture = '--b\r\ncontent-disposition: form-data; name="quality"\r\n\r\n75\r\n--b--\r\n';
  for (const [path, type] of [
    ["/api/compress", "multipart/form-data"],
    ["/api/compress", "multipart/form-data; boundary=another"],
    ["/api/convert/detect-source-format", "multipart/form-data"],
    ["/api/convert/detect-source-format", "multipart/form-data; boundary=another"],
  ] as const) {
    const said = await send(path, { type, text: picture });
    expect(said, type).toMatchObject({ status: 400, code: "invalid-request", field: "Content-Type" });
    expect(said.detail).toContain("boundary");
  }
});

test("a part without a name is refused like a field that there is not", async () => {
  const text = "--b\r\ncontent-disposition: form-data\r\n\r\n75\r\n--b--\r\n";
  expect(await send("/api/compress", { type: "multipart/form-data; boundary=b", text })).toMatchObject({
    status: 400,
    code: "invalid-request",
    detail: expect.stringContaining('There is no field ""'),
  });
});

test("a field that is sent as JSON is read as the text that it is", async () => {
  const part = (name: string, type: string) => `--b\r\ncontent-disposition: form-data; name="${name}"${type}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part("recipe", "\r\ncontent-type: application/json")}{"steps":[{"resize":{"width":20}}]}\r\n`),
    Buffer.from(part("files", '; filename="a.png"')),
    samplePng(40, 30),
    Buffer.from("\r\n--b--\r\n"),
  ]);
  const answer = await fetch(`${app.baseUrl}/api/recipes/run`, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: new Uint8Array(body),
  });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.headers.get("x-report") ?? "")).toMatchObject({ width: 20 });
});

test("a form beyond its limits is refused with what was wrong first", async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `${i}.png`, bytes: samplePng(4, 4) }));
  const problemOf = async (answer: Response) =>
    (await answer.json()) as { code: string; field?: string; detail: string };
  for (const count of [21, 60])
    expect(await problemOf(await person.run("compress", many(count), { quality: "60" })), `${count}`).toMatchObject({
      code: "too-many-files",
      detail: "Your plan allows up to 20 files per batch.",
    });
  const odd = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`field${i}`, "1"]));
  expect(await problemOf(await person.run("compress", many(1), odd))).toMatchObject({
    code: "invalid-request",
    field: "field0",
  });
});

test("a text that is longer than a field may be is refused, and never cut", async () => {
  const steps = `{"steps":[{"resize":{"width":20}}]${" ".repeat(12_000)}}`;
  const answer = await person.run("recipes/run", [{ name: "a.png", bytes: samplePng(9, 9) }], { recipe: steps });
  expect(await answer.json()).toMatchObject({
    code: "invalid-request",
    field: "recipe",
    detail: "The field recipe must have at most 10000 bytes.",
  });
});

test("a field with a NUL is the caller's error", async () => {
  for (const field of ["output_url", "webhook_url", "quality"]) {
    const answer = await person.run(
      "compress",
      [{ name: "a.png", bytes: samplePng(9, 9) }],
      { quality: "60", [field]: "https://shop.example/\0" },
      { prefer: "respond-async" },
    );
    expect([answer.status, ((await answer.json()) as { field: string }).field], field).toEqual([400, field]);
  }
});
