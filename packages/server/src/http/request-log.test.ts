import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

type Line = { msg: string; reqId?: string; route?: string; job?: string; account?: string; state?: string };
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

test("one picture can be followed: the request's line and the worker's name the job, and the request's the account", async () => {
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
  expect(lines.find(({ msg, job }) => msg === "picture" && job === line?.job)).toMatchObject({ state: "done" });
  expect(JSON.stringify(lines)).not.toContain("a.png");
});

test("probes that succeed have no line", async () => {
  await app.caller().call("/readyz");
  await app.caller().call("/healthz");
  await app.caller().call("/api/config");
  expect(requests().map(({ route }) => route)).not.toContain("/readyz");
  expect(requests().map(({ route }) => route)).not.toContain("/healthz");
});
