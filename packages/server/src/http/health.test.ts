import Fastify from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { releaseVersion } from "../platform/release.ts";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";
import { mountHealth } from "./health.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    hasEngineProcesses: true,
    environment: { TINTYPE_METRICS_TOKEN: "metrics-token-1234" },
  });
});
afterAll(() => app.close());

test("alive and ready are told without a token", async () => {
  expect(await (await app.caller().call("/healthz")).json()).toEqual({ status: "ok" });
  expect(await (await app.caller().call("/readyz")).json()).toEqual({ status: "ready", version: releaseVersion });
});

test("metrics count requests, jobs by operation and outcome, bytes, queue and engines; and no id becomes a label", async () => {
  const person = await app.person();
  const answer = await person.run("compress", [{ name: "a.png", bytes: samplePng(30, 20) }], { quality: "60" });
  await answer.bytes();
  await person.call("/api/jobs/job_secret");
  const metrics = await (await app.caller("metrics-token-1234").call("/metrics")).text();
  expect(metrics).toMatch(/tintype_requests_total\{method="POST",route="\/api\/compress",status="200"\} 1/);
  expect(metrics).toMatch(/tintype_jobs_total\{operation="compress",outcome="done"\} 1/);
  expect(metrics).toMatch(/tintype_bytes_total\{direction="in"\} [1-9]/);
  expect(metrics).toMatch(/tintype_bytes_total\{direction="out"\} [1-9]/);
  expect(metrics).toMatch(/tintype_queue_depth 0/);
  expect(metrics).toMatch(/tintype_engine_processes 1/);
  expect(metrics).not.toContain("job_secret");
});

test("with a token set, metrics are for who has it", async () => {
  expect((await app.caller().call("/metrics")).status).toBe(401);
  expect((await app.caller("metrics-token-9999").call("/metrics")).status).toBe(401);
});

test("without a token, metrics are for callers on this machine that no proxy stands before", async () => {
  const open = await startTestApp({ environment: { CONTACT_EMAIL: "us@example.com" } });
  try {
    const statusOf = async (headers: Record<string, string>) =>
      (await open.caller().call("/metrics", { headers })).status;
    expect(await statusOf({})).toBe(200);
    for (const name of ["x-forwarded-for", "forwarded", "via", "x-real-ip"])
      expect(await statusOf({ [name]: "127.0.0.1" }), name).toBe(401);
    for (const remoteAddress of ["192.0.2.7", "10.0.0.1", "2001:db8::1", "::ffff:192.0.2.7"])
      expect((await open.app.inject({ url: "/metrics", remoteAddress })).statusCode, remoteAddress).toBe(401);
    for (const remoteAddress of ["::1", "::ffff:127.0.0.1", "127.9.9.9"])
      expect((await open.app.inject({ url: "/metrics", remoteAddress })).statusCode, remoteAddress).toBe(200);
    const contact = await open.caller().call("/.well-known/security.txt");
    expect(contact.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await contact.text()).toBe(
      [
        "Contact: mailto:us@example.com",
        "Expires: 2026-09-06T00:00:00.000Z",
        "Preferred-Languages: en",
        "Canonical: http://localhost:3000/.well-known/security.txt",
        "",
      ].join("\n"),
    );
  } finally {
    await open.close();
  }
});

test("without a token, a service that is public has no metrics: a proxy on this machine may look like this machine", async () => {
  const open = await startTestApp({ environment: { TINTYPE_ORIGIN: "https://pictures.example", PAYMENTS: "sandbox" } });
  try {
    expect((await open.caller().call("/metrics")).status).toBe(401);
  } finally {
    await open.close();
  }
});

test("without a contact there is no security.txt", async () => {
  expect((await app.caller().call("/.well-known/security.txt")).status).toBe(404);
});

test("many who ask whether the server is ready cost one question a second", async () => {
  const bare = Fastify();
  let asked = 0;
  let isBroken = false;
  mountHealth(bare, {
    registry: new Registry(),
    metricsToken: undefined,
    isPublic: false,
    isStopping: () => false,
    async checkReady() {
      asked++;
      if (isBroken) throw new Error("gone");
    },
  });
  const beganAt = performance.now();
  const maxAsked = () => 1 + Math.floor((performance.now() - beganAt) / 1000);
  const statuses = () => Promise.all(Array.from({ length: 20 }, async () => (await bare.inject("/readyz")).statusCode));
  expect(new Set(await statuses())).toEqual(new Set([200]));
  expect(asked).toBeLessThanOrEqual(maxAsked());
  isBroken = true;
  await expect.poll(async () => new Set(await statuses())).toEqual(new Set([500]));
  expect(asked).toBeLessThanOrEqual(maxAsked());
});

test("every answer has a request id and is not to be sniffed, framed or cached", async () => {
  const answer = await app.caller().call("/api/config");
  expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.has("strict-transport-security")).toBe(false);
});

test("a NUL in what is sent is refused, since no database holds it", async () => {
  const json = { name: "A\u0000", email: "a@example.com", message: "x" };
  expect((await app.caller().call("/api/contact", { json })).status).toBe(400);
});

test.each(["/api/%", "/%zz", "/api/jobs/%00"])(
  "an address that cannot be read (%s) is no error of ours",
  async (path) => {
    const answer = await fetch(app.baseUrl + path);
    expect([400, 404]).toContain(answer.status);
    expect(answer.headers.get("content-type")).toMatch(/problem\+json/);
  },
);
