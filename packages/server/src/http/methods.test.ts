import { once } from "node:events";
import { connect } from "node:net";
import { type Endpoint, endpoints } from "@tintype/contract/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const rows = Object.values(endpoints) as Endpoint[];
const paths = [...new Set(rows.map(({ path }) => path))];
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

test.each(paths)("every wrong method at %s is answered with 405 and the right ones", async (path) => {
  const right = new Set<string>(rows.filter((row) => row.path === path).map(({ method }) => method));
  const url = `/api${path.replace(/\{\w+\}/g, "none")}`;
  for (const method of methods.filter((one) => !right.has(one))) {
    const answer = await app.caller().call(url, { method });
    if (method === "HEAD" && right.has("GET") && answer.status !== 405) continue;
    expect(answer.status, method).toBe(405);
    const allowed = (answer.headers.get("allow") ?? "").split(", ");
    for (const one of right) expect(allowed).toContain(one);
    expect(allowed).not.toContain(method);
  }
});

test("routes outside the contract answer so too", async () => {
  expect((await app.caller().call("/api/webhooks/razorpay")).headers.get("allow")).toBe("POST");
  expect((await app.caller().call("/api/openapi.json", { method: "DELETE" })).headers.get("allow")).toBe("GET, HEAD");
  expect((await app.caller().call("/api/nothing", { method: "DELETE" })).status).toBe(404);
});

test("HEAD of a stream of events is refused, and that of a result takes nothing away", async () => {
  const person = await app.person();
  const begun = await person.run(
    "compress",
    [{ name: "a.png", bytes: samplePng(30, 20) }],
    { quality: "60" },
    {
      prefer: "respond-async",
    },
  );
  const place = begun.headers.get("location") ?? "";
  const ended = await person.call(`${place}/events`);
  await ended.text(); // the stream ends with the job
  expect((await person.call(`${place}/events`, { method: "HEAD" })).status).toBe(405);
  for (const path of [`${place}/result`, `${place}/files/0`])
    expect((await person.call(path, { method: "HEAD" })).status).toBe(200);
  expect((await person.call(`${place}/result`)).status).toBe(200);
});

test("a refusal without a token names the scheme", async () => {
  for (const headers of [{}, { authorization: "Bearer wrong" }]) {
    const answer = await app.caller().call("/api/user-info", { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  }
});

test("pages of lists begin only where an earlier page ended", async () => {
  const person = await app.person();
  const ask = async (path: string) => (await person.call(path)).status;
  for (const before of ["abc", "-1", "1.5", "1e3", "99999999999999999999", ""])
    expect(await ask(`/api/credits/history?before=${before}`), before).toBe(400);
  expect(await ask("/api/credits/history?before=12")).toBe(200);
  for (const before of ["999999999999999.a", "abc", "253402300800000.a"])
    expect(await ask(`/api/transactions?before=${before}`), before).toBe(400);
  expect(await ask("/api/transactions?before=1.a")).toBe(200);
});

test("JSON nested 400,000 deep is the caller's error", async () => {
  const deep = (open: string, close: string) =>
    `${open.repeat(400_000 / open.length)}1${close.repeat(400_000 / open.length)}`;
  const person = await app.person();
  const statusOf = async (path: string, body: string) =>
    (await person.call(path, { method: "POST", text: body, headers: { "content-type": "application/json" } })).status;
  for (const path of ["/api/contact", "/api/service-use-multiple", "/api/upgrade-plan", "/api/delete-account"])
    for (const body of [deep("[", "]"), `{"name":${deep("[", "]")}}`, `${deep('{"a":', "}")}`])
      expect(await statusOf(path, body), path).toBe(400);
});

test("a pipelined request behind a refused method is answered", async () => {
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const line = (method: string) => `${method} /api/config HTTP/1.1\r\nhost: x\r\n`;
  socket.write(`${line("PUT")}content-length: 4\r\n\r\nabcd${line("GET")}connection: close\r\n\r\n`);
  let said = "";
  for await (const text of socket) said += String(text);
  expect(said.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 405", "HTTP/1.1 200"]);
});
