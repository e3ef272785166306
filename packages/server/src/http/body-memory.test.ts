import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Endpoint, endpoints } from "@tintype/contract/schemas";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "../platform/clock.ts";
import { createMemoryRateLimits } from "../platform/rate-limits/memory.ts";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { createApp } from "./app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const waitLimit = { timeout: 60_000, interval: 20 };

/** A connection of its own, and what came back on it so far. */
async function open(port: number, text: string, host = "127.0.0.1") {
  const socket = connect(port, host);
  await once(socket, "connect");
  const talk = { socket, said: "" };
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    talk.said += String(bytes);
  });
  socket.write(text);
  return talk;
}
const requestOf = (path: string, lines: readonly string[], method = "POST") =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;

const personRows = (Object.values(endpoints) as Endpoint[]).filter(
  ({ access, body, form }) => access === "person" && (body || form),
);
const closed = [
  ...personRows.map(({ method, path, form }) => ({
    method,
    path: `/api${path.replace(/\{\w+\}/g, "none")}`,
    type: form ? "multipart/form-data; boundary=x" : "application/json",
  })),
  ...["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"].map((type) => ({
    method: "POST",
    path: "/api/remove.bg/v1.0/removebg",
    type,
  })),
  ...["application/json", "image/png"].flatMap((type) =>
    ["/shrink", "/output/none"].map((path) => ({ method: "POST", path, type })),
  ),
  { method: "POST", path: "/api/webhooks/razorpay", type: "application/json" },
  { method: "POST", path: "/api/admin/people/none/block", type: "application/json" },
];

test.each(closed)("$method $path with $type refuses a stranger before the body", async ({ method, path, type }) => {
  const lines = [`content-type: ${type}`, "content-length: 900000", "expect: 100-continue"];
  const talk = await open(Number(new URL(app.baseUrl).port), requestOf(path, lines, method));
  await vi.waitFor(() => expect(talk.said).toContain("HTTP/1.1 "), waitLimit);
  expect(talk.said).toMatch(/^HTTP\/1.1 (401|403|404) /);
  talk.socket.destroy();
});

test("a client that waits is asked for its body once it is known who it is", async () => {
  const { token } = await app.person();
  const body = JSON.stringify({ name: "A", scopes: ["process"] });
  const lines = [
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    "expect: 100-continue",
  ];
  const talk = await open(Number(new URL(app.baseUrl).port), requestOf("/api/keys", lines));
  await vi.waitFor(() => expect(talk.said).toMatch(/^HTTP\/1.1 100 /), waitLimit);
  talk.socket.write(body);
  await vi.waitFor(() => expect(talk.said).toMatch(/HTTP\/1.1 201 /), waitLimit);
  talk.socket.destroy();
});

type Talk = Awaited<ReturnType<typeof open>>;
const bodyBytes = 40_000;
async function startBare(bodyMemory: { allBytes: number; networkBytes: number }) {
  const bare = await createApp({
    logger: pino({ level: "silent" }),
    cookieKeys: ["a secret of thirty-two letters or more"],
    trustedProxies: ["127.0.0.1"],
    origin: "http://localhost",
    requestsPerMinute: 100_000,
    rateLimits: createMemoryRateLimits({ clock: systemClock }),
    networkOf: (address) => `network:${address}`,
    bodyMemory,
  });
  // Parsed by our JSON parser, and as raw bytes by one of a scope.
  bare.post("/json", async (request) => ({ bytes: JSON.stringify(request.body).length }));
  await bare.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post("/raw", async (request) => ({ bytes: (request.body as Buffer).length }));
  });
  await bare.listen({ port: 0, host: "127.0.0.1" });
  return { bare, port: (bare.server.address() as { port: number }).port };
}

/** All but the last byte of a body of JSON. */
const unfinished = (path: string, address: string) =>
  `${requestOf(path, ["content-type: application/json", `content-length: ${bodyBytes}`, `x-forwarded-for: ${address}`])}"${"x".repeat(bodyBytes - 2)}`;

test("the bodies of many connections stay within the budget, and it is free again after them", async () => {
  const { bare, port } = await startBare({ allBytes: 20 * bodyBytes, networkBytes: 6 * bodyBytes });
  const sockets: Socket[] = [];
  const ask = async (path: string, address: string) => {
    const talk = await open(port, unfinished(path, address));
    sockets.push(talk.socket);
    return talk;
  };
  const statusOf = ({ said }: { said: string }) => Number(/^HTTP\/1.1 (\d+) /.exec(said)?.[1] ?? 0);
  try {
    const talks: Talk[] = [];
    for (let i = 0; i < 60; i++) talks.push(await ask(i % 2 === 0 ? "/json" : "/raw", "203.0.113.1"));
    // Those that are beyond the budget are refused while the others still wait for their last byte.
    await vi.waitFor(() => expect(talks.filter((talk) => statusOf(talk) === 429)).toHaveLength(54), waitLimit);
    expect(talks.filter((talk) => statusOf(talk) === 0)).toHaveLength(6);
    expect(talks.find((talk) => statusOf(talk) === 429)?.said).toMatch(/retry-after: \d+/i);
    // Other networks have the rest.
    const others: Talk[] = [];
    for (let i = 0; i < 40; i++) others.push(await ask("/json", `203.0.113.${10 + i}`));
    await vi.waitFor(() => expect(others.filter((talk) => statusOf(talk) === 503)).toHaveLength(26), waitLimit);
    expect(others.find((talk) => statusOf(talk) === 503)?.said).toMatch(/retry-after: \d+/i);
    for (const { socket, said } of [...talks, ...others]) if (said === "") socket.write('"');
    const waiting = [...talks, ...others];
    await vi.waitFor(() => expect(waiting.filter((talk) => statusOf(talk) === 200)).toHaveLength(20), waitLimit);
    for (const socket of sockets) socket.destroy();
    const again = await ask("/json", "203.0.113.1");
    again.socket.write('"');
    await vi.waitFor(() => expect(again.said).toContain(`{"bytes":${bodyBytes}}`), waitLimit);
  } finally {
    for (const socket of sockets) socket.destroy();
    await bare.close();
  }
});

test("connections that are cut off give their part of the budget back", async () => {
  const { bare, port } = await startBare({ allBytes: 2 * bodyBytes, networkBytes: 2 * bodyBytes });
  try {
    for (let round = 0; round < 5; round++) {
      const talk = await open(port, unfinished("/json", "203.0.113.1"));
      talk.socket.destroy();
    }
    await vi.waitFor(async () => {
      const talk = await open(port, `${unfinished("/json", "203.0.113.1")}"`);
      await vi.waitFor(() => expect(talk.said).toMatch(/^HTTP\/1.1 \d+ /), waitLimit);
      talk.socket.destroy();
      expect(talk.said).toMatch(/^HTTP\/1.1 200 /);
    }, waitLimit);
  } finally {
    await bare.close();
  }
});
