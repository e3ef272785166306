import { openApiDocument } from "@tintype/contract/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

const shop = "https://shop.example.com";
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { TINTYPE_CORS_ORIGINS: `${shop}, https://other.example.com` } });
});
afterAll(() => app.close());

const preflight = (origin: string, path = "/api/compress") =>
  app.caller().call(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,idempotency-key,prefer",
    },
  });

test("a page of a named origin may call with a key and read what the answer says, and never with cookies", async () => {
  const asked = await preflight(shop);
  expect(asked.status).toBe(204);
  expect(asked.headers.get("access-control-allow-origin")).toBe(shop);
  expect(asked.headers.get("access-control-allow-headers")).toMatch(/authorization.*idempotency-key.*prefer/i);
  const answer = await app
    .caller()
    .run("compress", [{ name: "a.png", bytes: samplePng(20, 20) }], { quality: "60" }, { origin: shop });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe(shop);
  expect(answer.headers.get("access-control-expose-headers")).toContain("X-Credits-Remaining");
  for (const one of [asked, answer]) expect(one.headers.has("access-control-allow-credentials")).toBe(false);
});

test("each header that the document names for an answer can be read by the page", async () => {
  type Answer = { headers?: Record<string, unknown> };
  const { paths } = openApiDocument({ origin: app.baseUrl, version: "1" }) as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, Answer> }>>;
  }; // the parts of the document that are looked at here
  const named = Object.values(paths)
    .flatMap((calls) => Object.values(calls))
    .flatMap(({ responses }) => Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)));
  const answer = await app.caller().call("/api/config", { headers: { origin: shop } });
  const exposed = (answer.headers.get("access-control-expose-headers") ?? "").split(", ");
  expect([...new Set(named)].filter((name) => !exposed.includes(name))).toEqual([]);
});

test("an OPTIONS that is no preflight is answered as on a server without CORS", async () => {
  for (const headers of [{}, { origin: shop }, { "access-control-request-method": "POST" }]) {
    const answer = await app.caller().call("/api/compress", { method: "OPTIONS", headers });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await answer.json()).toMatchObject({ code: "method-not-allowed" });
    expect((await app.caller().call("/api/nothing", { method: "OPTIONS", headers })).status).toBe(404);
  }
});

test("a refusal can be read by the page too", async () => {
  const answer = await app.caller().call("/api/jobs/job_none", { headers: { origin: shop } });
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([404, shop]);
});

test("other origins, and addresses outside the API, are let in by no header", async () => {
  for (const answer of [
    await preflight("https://evil.example.com"),
    await preflight("null"),
    await preflight(shop, "/idp/sign-in/email"),
    await app.caller().call("/api/config", { headers: { origin: `${shop}.evil.com` } }),
  ])
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
});

test("the setting takes origins and nothing else", () => {
  const read = (value: string) => readConfig({ TINTYPE_CORS_ORIGINS: value }).TINTYPE_CORS_ORIGINS;
  expect(read("*")).toEqual(["*"]);
  for (const wrong of ["shop.example.com", "https://shop.example.com/", "https://shop.example.com/a", "null"])
    expect(() => read(wrong), wrong).toThrow("TINTYPE_CORS_ORIGINS");
});
