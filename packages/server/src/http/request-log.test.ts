import { once } from "node:events";
import { connect } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../platform/db/database.ts";
import { builtInOf } from "../testing/built-in.ts";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

type Line = {
  level: number;
  code?: string;
  msg: string;
  reqId?: string;
  route?: string;
  job?: string;
  account?: string;
  state?: string;
};
const lines: Line[] = [];
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ onLogLine: (line) => lines.push(JSON.parse(line) as Line) });
});
afterAll(() => app.close());

const requests = () => lines.filter(({ msg }) => msg === "request");
const idFor = async (headers: Record<string, string>) =>
  (await app.caller().call("/api/config", { headers })).headers.get("x-request-id");

test("a request keeps the id that a proxy gave it, or the trace's, and anything odd gets one of ours", async () => {
  expect(await idFor({ "x-request-id": "edge-7f3a9c.42" })).toBe("edge-7f3a9c.42");
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  expect(await idFor({ traceparent: `00-${trace}-00f067aa0ba902b7-01` })).toBe(trace);
  for (const odd of [
    { "x-request-id": "a" },
    { "x-request-id": 'x"} {"level":60' },
    { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` },
  ])
    expect(await idFor(odd)).toMatch(/^req_/);
});

test.each([
  ["/api/contact", "application/json"],
  ["/api/compress", "multipart/form-data; boundary=x"],
  ["/shrink", "image/png"],
  ["/api/remove.bg/v1.0/removebg", "application/json"],
])("a caller who cuts off the body of %s raises no alert", async (path, type) => {
  const person = await app.person();
  const made = await person.call("/api/keys", { json: { name: "A", scopes: ["process"] } });
  const { key } = (await made.json()) as { key: string };
  const id = `cut-off${path.replace(/\W/g, "-")}`;
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const before = lines.length;
  const credentials = [
    `authorization: Basic ${Buffer.from(`api:${key}`).toString("base64")}`,
    `x-api-key: ${key}`,
  ].filter(() => path !== "/api/compress");
  const head = [`POST ${path} HTTP/1.1`, `host: ${hostname}`, `content-type: ${type}`, "content-length: 90000"];
  socket.write(`${[...head, ...credentials, `x-request-id: ${id}`, "expect: 100-continue"].join("\r\n")}\r\n\r\n`);
  // Asked for, so it is being read.
  await once(socket, "data");
  socket.end('{"name":');
  socket.destroy();
  const own = () => lines.slice(before).filter(({ reqId }) => reqId === id);
  const isRefused = () => own().some(({ code }) => code === "upload-cut-off" || code === "invalid-request");
  await expect.poll(isRefused, { timeout: 60_000 }).toBe(true);
  const errorLevel = 50;
  expect(own().filter(({ level }) => level >= errorLevel)).toEqual([]);
});

test("one picture can be followed: the lines of the request and of the worker name the request and the job", async () => {
  const person = await app.person();
  const headers = { "x-request-id": "follow-me-0001" };
  const answer = await person.run(
    "compress",
    [{ name: "a.png", bytes: samplePng(30, 20) }],
    { quality: "60" },
    headers,
  );
  expect(answer.status).toBe(200);
  await expect.poll(() => requests().find(({ reqId }) => reqId === "follow-me-0001")).toBeDefined();
  const line = requests().find(({ reqId }) => reqId === "follow-me-0001");
  expect(line).toMatchObject({
    route: "/api/compress",
    account: expect.stringMatching(/^acc_/),
    job: expect.stringMatching(/^job_/),
  });
  const worked = () => lines.find(({ msg, job }) => msg === "picture" && job === line?.job);
  await expect.poll(worked).toMatchObject({
    reqId: "follow-me-0001",
    file: 0,
    operation: "compress",
    state: "done",
    ms: expect.any(Number),
    engineMs: expect.any(Number),
  });
  const [row] = await rowsOf<object>(app.db.execute(sql`select request_id from jobs where id = ${line?.job}`));
  expect(row).toEqual({ request_id: "follow-me-0001" });
  expect(JSON.stringify(lines)).not.toContain("a.png");
});

test("a picture that fails is logged under its request, with its error's code", async () => {
  const headers = { "x-request-id": "follow-me-0002", prefer: "respond-async" };
  const broken = samplePng(30, 20).subarray(0, 60);
  const answer = await app.caller().run("compress", [{ name: "b.png", bytes: broken }], { quality: "60" }, headers);
  expect(answer.status).toBe(202);
  const worked = () => lines.find(({ msg, reqId }) => msg === "picture" && reqId === "follow-me-0002");
  await expect.poll(worked).toMatchObject({ state: "failed", code: expect.any(String), ms: expect.any(Number) });
});

test("a mail is logged under the request that it tells of, without the address", async () => {
  const mailLines: (Line & { kind?: string })[] = [];
  const origin = "http://localhost:54339";
  const withMail = await startTestApp({
    environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin, TINTYPE_TRUSTED_PROXIES: "127.0.0.1", MAIL: "log" },
    onLogLine: (line) => mailLines.push(JSON.parse(line) as Line),
  });
  try {
    const idp = builtInOf(withMail, origin);
    const [ann, ben] = ["ann@example.com", "ben@example.com"];
    for (const email of [ann, ben]) expect((await idp.signUp(email)).status).toBe(200);
    const askReset = (email: string, headers = {}) => idp.ask("/request-password-reset", { json: { email }, headers });
    await Promise.all([askReset(ann, { "x-request-id": "follow-me-0003" }), askReset(ben)]);
    const sent = () => mailLines.filter(({ msg }) => msg === "a mail was sent").map(({ kind, reqId }) => [kind, reqId]);
    await expect.poll(() => sent().length).toBe(2);
    expect(sent().toSorted()).toEqual([
      ["reset", "follow-me-0003"],
      ["reset", expect.stringMatching(/^req_/)],
    ]);
    const own = mailLines.filter(({ msg }) => msg === "a mail was sent" || msg === "request");
    expect(JSON.stringify(own)).not.toMatch(/ann@|ben@/);
  } finally {
    await withMail.close();
  }
});

test("probes that succeed have no line", async () => {
  await app.caller().call("/readyz");
  await app.caller().call("/healthz");
  await app.caller().call("/api/config");
  expect(requests().map(({ route }) => route)).not.toContain("/readyz");
  expect(requests().map(({ route }) => route)).not.toContain("/healthz");
});
