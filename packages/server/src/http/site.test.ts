import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBrand } from "../platform/brand/brand.ts";
import { systemClock } from "../platform/clock.ts";
import { createMemoryRateLimits } from "../platform/rate-limits/memory.ts";
import { createApp } from "./app.ts";
import { originPlaceholder, serveSite } from "./site.ts";

const script = "document.documentElement.dataset.light = 'paper'";
const html = (title: string) =>
  `<html><head><title>${title}</title><link rel="canonical" href="${originPlaceholder}/x"><script>${script}</script></head></html>`;
const built: Record<string, string> = {
  "index.html": html("Home"),
  "_.data": "[]",
  "faqs/index.html": html("FAQs"),
  "faqs.data": `["${originPlaceholder}"]`,
  "api/docs/index.html": html("API reference"),
  "404/index.html": html("Page not found"),
  "blog/404/index.html": html("Blog not found"),
  "blog/404.data": "[]",
  "__spa-fallback.html": html("Shell"),
  "sitemap.xml": `<loc>${originPlaceholder}/faqs</loc>`,
  "feed.xml": `<feed>${originPlaceholder}</feed>`,
  "robots.txt": `Sitemap: ${originPlaceholder}/sitemap.xml`,
  "llms.txt": "# Tintype",
  "assets/app-abcdefgh.js": "export {};",
  "assets/app-abcdefgh.js.br": "as brotli",
  "favicon.svg": "<svg/>",
  "sw.js": "self.addEventListener('fetch', () => {});",
};

let folder: string;
let app: FastifyInstance;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tintype-site-"));
  for (const [name, content] of Object.entries(built)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  app = await startSite({ origin: "http://localhost" });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startSite({ origin }: { origin: string }): Promise<FastifyInstance> {
  const started = await createApp({
    logger: pino({ level: "silent" }),
    cookieKeys: ["a secret of thirty-two letters or more"],
    trustedProxies: undefined,
    origin,
    requestsPerMinute: 10_000,
    rateLimits: createMemoryRateLimits({ clock: systemClock }),
    networkOf: (address) => address,
  });
  await serveSite(started, {
    folder,
    origin: "https://tintype.example",
    allowed: { scripts: ["https://checkout.example"], connections: [], frames: [], images: [] },
    brand: readBrand({ content: "name: Tintype", file: undefined, dataFolder: folder }),
    nearestPath: (path) => (path === "/compress" ? "/api/compress" : undefined),
  });
  return started;
}
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("a page is found with and without a slash at its end, and names the server's own origin", async () => {
  for (const url of ["/faqs", "/faqs/", "/faqs?from=mail"]) {
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toContain("https://tintype.example/x");
    expect(answer.body).not.toContain(originPlaceholder);
  }
});

test("the API's reference is a page, and anything else under /api is the API's", async () => {
  expect((await get("/api/docs")).body).toContain("API reference");
  for (const url of ["/api", "/api/nothing", "/idp/nothing", "/assets/none.js", "/blog/none.data"]) {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
  }
  expect((await app.inject({ method: "POST", url: "/api/docs" })).statusCode).toBe(404);
});

test("a program that leaves out /api is told so, and a browser gets a page", async () => {
  const answer = await get("/compress", { accept: "*/*" });
  expect([answer.statusCode, answer.json().detail]).toEqual([
    404,
    expect.stringContaining("Did you mean /api/compress?"),
  ]);
  const page = await get("/compress", { accept: "text/html,*/*;q=0.8" });
  expect([page.statusCode, page.body.includes("Page not found")]).toEqual([404, true]);
});

test("an unknown address is a true 404 with a page that says so", async () => {
  for (const url of ["/nothing", "/pricing/x", "/404", "/404/"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.body.includes("Page not found")]).toEqual([404, true]);
  }
  for (const url of ["/blog/what-is-nothing", "/blog/404", "/blog/a/b"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.body.includes("Blog not found")]).toEqual([404, true]);
  }
  expect((await get("/%E0%A4%A")).statusCode).toBe(400);
});

// product: routes
test("/admin answers byte for byte as an address that there is not", async () => {
  const seen = async (url: string, method: "GET" | "HEAD" | "POST", sent: Record<string, string>) => {
    const { statusCode, headers, rawPayload } = await app.inject({ url, method, headers: sent });
    const { date: _date, "x-request-id": requestId, ...rest } = headers;
    return { statusCode, headers: rest, body: rawPayload.toString("latin1").replaceAll(String(requestId), "") };
  };
  for (const method of ["GET", "HEAD", "POST"] as const)
    for (const headers of [
      {},
      { "accept-encoding": "br" },
      { "if-none-match": String((await get("/nothing")).headers.etag) },
    ])
      for (const [own, unknown] of [
        ["/admin", "/nothing"],
        ["/admin/", "/nothing/"],
        ["/admin?claim=abc", "/nothing?claim=abc"],
        ["/admin/jobs", "/nothing/jobs"],
        ["/admin.data", "/nothing.data"],
      ] as const)
        expect(await seen(own, method, headers), `${method} ${own}`).toEqual(await seen(unknown, method, headers));
  expect((await get("/admin")).body).toContain("<title>Page not found</title>");
});

test("/blogs and /convert-image have moved for good, and /account is the app's own", async () => {
  for (const [url, to] of [
    ["/blogs", "/blog"],
    ["/blogs/", "/blog"],
    ["/convert-image", "/convert"],
  ] as const) {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers.location]).toEqual([301, to]);
  }
  for (const url of ["/account", "/account/transactions"]) {
    const answer = await get(url);
    expect([answer.statusCode, answer.body.includes("Shell")]).toEqual([200, true]);
    expect(answer.headers["x-robots-tag"]).toBe("noindex");
  }
});

test("texts for programs have types of their own, and data of pages names the origin too", async () => {
  const types = {
    "/sitemap.xml": "application/xml; charset=utf-8",
    "/feed.xml": "application/atom+xml; charset=utf-8",
    "/robots.txt": "text/plain; charset=utf-8",
    "/llms.txt": "text/plain; charset=utf-8",
    "/faqs.data": "text/x-script; charset=utf-8",
  };
  for (const [url, type] of Object.entries(types)) {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, type]);
    expect(answer.body).not.toContain(originPlaceholder);
  }
});

test("pages come packed as the browser asks, and not again when it has them", async () => {
  const plain = await get("/faqs");
  const brotli = await get("/faqs", { "accept-encoding": "gzip, deflate, br" });
  expect(brotli.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
  const gzip = await get("/faqs", { "accept-encoding": "gzip" });
  expect(gzip.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
  const again = await get("/faqs", { "if-none-match": String(plain.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("hashed assets are kept for good and sent as the build packed them; pages are asked for each time", async () => {
  const asset = await get("/assets/app-abcdefgh.js", { "accept-encoding": "br" });
  expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect([asset.headers["content-encoding"], asset.body]).toEqual(["br", "as brotli"]);
  expect((await get("/favicon.svg")).headers["cache-control"]).toBe("public, max-age=3600");
  const worker = await get("/sw.js");
  expect(worker.headers["cache-control"]).toBe("no-cache");
  // Otherwise the API's policy would forbid the worker all requests.
  expect(worker.headers["content-security-policy"]).toContain("connect-src 'self'");
  expect((await get("/")).headers["cache-control"]).toBe("no-cache");
});

test("a page's policy lets its own inline script through by hash, and none other", async () => {
  const policy = String((await get("/")).headers["content-security-policy"]);
  const hash = createHash("sha256").update(script).digest("base64");
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}' https://checkout.example;`);
  expect(policy).toContain("object-src 'none'");
  expect(policy).not.toMatch(/script-src[^;]*'unsafe/);
  expect((await get("/nothing")).headers["content-security-policy"]).toBe(policy);
});

test("browsers are held to https only where the service is reached by it", async () => {
  expect((await get("/")).headers).not.toHaveProperty("strict-transport-security");
  const secure = await startSite({ origin: "https://studio.example" });
  const { headers } = await secure.inject({ url: "/" });
  expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  await secure.close();
});

test("the opener policy is sent where browsers honour it: with TLS or on this machine, not on a plain http name", async () => {
  const name = "cross-origin-opener-policy";
  expect((await get("/")).headers[name]).toBe("same-origin-allow-popups");
  const plain = await startSite({ origin: "http://studio.lan:3000" });
  expect((await plain.inject({ url: "/" })).headers).not.toHaveProperty(name);
  await plain.close();
});
