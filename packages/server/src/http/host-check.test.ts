import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

let app: TestApp;
const logged: string[] = [];
beforeAll(async () => {
  app = await startTestApp({
    onLogLine: (line) => logged.push(line),
    environment: {
      TINTYPE_ORIGIN: "https://pictures.example",
      TINTYPE_HOSTS: "www.pictures.example",
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_CORS_ORIGINS: "*",
      PAYMENTS: "sandbox",
    },
  });
});
afterAll(() => app.close());

/** `fetch` always sends the address's own host, whatever the caller sets. */
const statusFor = (headers: Record<string, string>, path = "/api/config") =>
  new Promise<number | undefined>((done, fail) => {
    request(`${app.baseUrl}${path}`, { headers }, (answer) => done(answer.resume().statusCode))
      .on("error", fail)
      .end();
  });

test("a page whose name was made to point here reads nothing: its host is not ours", async () => {
  for (const host of ["evil.example", "pictures.example.evil.example", "127.0.0.1.evil.example:3000"])
    expect(await statusFor({ host }), host).toBe(400);
  expect(await statusFor({ host: "127.0.0.1", "x-forwarded-host": "evil.example" })).toBe(400);
  expect(await statusFor({ host: "evil.example" }, "/metrics")).toBe(400);
});

/** The status of a request with these lines. */
async function statusOfLines(...lines: string[]): Promise<number> {
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(`${[...lines, "connection: close"].join("\r\n")}\r\n\r\n`);
  return Number(/^HTTP\/1.1 (\d+) /.exec(await text(socket))?.[1]);
}

test("two Host headers are refused, and the host of an absolute target counts", async () => {
  const ours = "host: pictures.example";
  expect(await statusOfLines("GET /api/config HTTP/1.1", ours)).toBe(200);
  expect(await statusOfLines("GET /api/config HTTP/1.1", ours, "host: evil.example")).toBe(400);
  expect(await statusOfLines("GET /api/config HTTP/1.1", ours, "Host: pictures.example")).toBe(400);
  for (const scheme of ["http", "https", "HTTP"]) {
    expect(await statusOfLines(`GET ${scheme}://evil.example/api/config HTTP/1.1`, ours), scheme).toBe(400);
    expect(await statusOfLines(`GET ${scheme}://pictures.example@evil.example/api/config HTTP/1.1`, ours)).toBe(400);
  }
  expect(await statusOfLines("GET http://evil.example/healthz HTTP/1.1", ours)).toBe(400);
  expect(await statusOfLines("GET http://pictures.example/api/config HTTP/1.1", ours)).toBe(200);
  expect(await statusOfLines("GET http://pictures.example/api/config HTTP/1.1", "host: evil.example")).toBe(400);
});

const warnings = () => logged.filter((line) => line.includes("share the credits"));
test("a proxy without X-Forwarded-For is warned of once, and a caller on a trusted proxy's machine is not", async () => {
  await statusFor({ host: "pictures.example", "x-forwarded-for": "127.0.0.1" });
  await statusFor({ host: "pictures.example", "x-forwarded-for": "203.0.113.1" });
  await statusFor({ host: "pictures.example" });
  expect(warnings()).toEqual([]);
  for (let i = 0; i < 3; i++) await statusFor({ host: "127.0.0.1:3000", "sec-fetch-mode": "navigate" });
  expect(warnings()).toHaveLength(1);
  expect(warnings()[0]).toContain("a proxy sends no X-Forwarded-For");
});

test("our own names, addresses, names of private networks and probes are answered", async () => {
  const hosts = ["pictures.example", "PICTURES.example:443", "www.pictures.example", "localhost:3000", "api-1:3000"];
  const private_ = ["10.0.0.7", "[fd00::1]:3000", "tintype.apps.svc.cluster.local", "nas.home.arpa", "box.lan"];
  for (const host of [...hosts, ...private_]) expect(await statusFor({ host }), host).toBe(200);
  expect(await statusFor({ host: "10-0-0-7.pod.example" }, "/healthz")).toBe(200);
  expect(await statusFor({ host: "internal.example", "x-forwarded-host": "pictures.example" })).toBe(200);
});

test("a page of another site uses up no guest credits of its visitor's network, and may call with a token", async () => {
  const picture = { name: "a.png", bytes: samplePng(30, 20) };
  const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", origin: "https://evil.example" };
  const guest = app.caller();
  const refused = await guest.run("compress", [picture], { quality: "60" }, headers);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ code: "unauthorized", detail: expect.stringContaining("other sites") });
  expect(refused.headers.getSetCookie()).toEqual([]);
  const form = { ...headers, "sec-fetch-mode": "navigate" };
  expect((await guest.run("compress", [picture], { quality: "60" }, form)).status).toBe(401);
  const person = await app.person();
  expect((await person.run("compress", [picture], { quality: "60" }, headers)).status).toBe(200);
});

test("our own pages, and a link that a person follows, are answered", async () => {
  const status = (site: string, mode: string) =>
    statusFor({ host: "pictures.example", "sec-fetch-site": site, "sec-fetch-mode": mode });
  expect(await status("same-origin", "cors")).toBe(200);
  expect(await status("none", "navigate")).toBe(200);
  expect(await status("cross-site", "navigate")).toBe(200);
  expect(await status("cross-site", "cors")).toBe(401);
});
