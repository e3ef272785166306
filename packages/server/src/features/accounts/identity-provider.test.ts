import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cookiesOf } from "../../testing/built-in.ts";
import { startTestApp, type TestApp } from "../../testing/harness.ts";

let app: TestApp;
const lines: string[] = [];
const origin = "http://localhost:54321";
beforeAll(async () => {
  app = await startTestApp({
    environment: { OIDC_ISSUER: "", TINTYPE_ORIGIN: origin },
    onLogLine: (line) => lines.push(line),
  });
});
afterAll(() => app.close());

const call = async (path: string, { json, token, method }: { json?: object; token?: string; method?: string } = {}) => {
  const answer = await fetch(`${app.baseUrl}/idp${path}`, {
    method: method ?? (json ? "POST" : "GET"),
    headers: {
      origin,
      ...(json ? { "content-type": "application/json" } : {}),
      ...(token ? { cookie: token } : {}),
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  });
  return {
    status: answer.status,
    body: (await answer.json().catch(() => null)) as Record<string, unknown> | null,
    session: cookiesOf(answer),
  };
};
const signUp = (email: string, password = "secret-123") =>
  call("/sign-up/email", { json: { name: "Ann", email, password } });
const idToken = async (session: string) => String((await call("/token", { token: session })).body?.["token"]);
const userInfo = (token: string) =>
  fetch(`${app.baseUrl}/api/user-info`, { headers: { authorization: `Bearer ${token}` } });

test("sign up, get an ID token, use the API with it", async () => {
  const { status, session } = await signUp("ann@example.com");
  expect(status).toBe(200);
  const token = await idToken(session);
  const [header, payload] = token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  expect(header.alg).toBe("RS256");
  expect(payload).toMatchObject({ iss: `${origin}/idp`, aud: "tintype", email: "ann@example.com", name: "Ann" });
  expect(payload.exp - payload.iat).toBe(3600);
  expect(await (await userInfo(token)).json()).toMatchObject({ email: "ann@example.com", plan: "hobby" });
});

test("only the public halves of the keys are published", async () => {
  const { body } = await call("/jwks");
  const keys = body?.["keys"] as Record<string, unknown>[];
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(Object.keys(key)).not.toEqual(expect.arrayContaining(["d"]));
});

test("the provider's cookie or session alone opens nothing of the API", async () => {
  const { session } = await signUp("session@example.com");
  expect((await userInfo(session)).status).toBe(401);
});

test("a password has a shortest length, and a wrong one says no more than an unknown address", async () => {
  expect((await signUp("short@example.com", "short")).status).toBe(400);
  await signUp("wrong@example.com");
  const known = await call("/sign-in/email", { json: { email: "wrong@example.com", password: "not-this-one" } });
  const unknown = await call("/sign-in/email", { json: { email: "nobody@example.com", password: "not-this-one" } });
  expect(known.status).toBe(401);
  expect(known).toEqual(unknown);
});

test("changing the password asks for the present one", async () => {
  const { session } = await signUp("change@example.com");
  const change = (currentPassword: string) =>
    call("/change-password", {
      json: { currentPassword, newPassword: "another-456", revokeOtherSessions: true },
      token: session,
    });
  expect((await change("not-this-one")).status).toBe(400);
  expect((await change("secret-123")).status).toBe(200);
  expect(
    (await call("/sign-in/email", { json: { email: "change@example.com", password: "another-456" } })).status,
  ).toBe(200);
});

test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
  "a redirect to %s is refused wherever the provider takes one",
  async (target) => {
    const refused = [
      await call("/sign-up/email", {
        json: { name: "Ann", email: `to-${Math.random()}@example.com`, password: "secret-123", callbackURL: target },
      }),
      await call("/request-password-reset", { json: { email: "ann@example.com", redirectTo: target } }),
      await call(`/verify-email?${new URLSearchParams({ token: "x", callbackURL: target })}`),
      await call(`/reset-password/x?${new URLSearchParams({ callbackURL: target })}`),
    ];
    for (const { status } of refused) expect(status).toBeGreaterThanOrEqual(400);
  },
);

test.each(["/.//evil.example", "/a/..//evil.example"])("a path like %j leads to no other site", async (path) => {
  for (const call of ["verify-email?token=none", "reset-password/none?"]) {
    const place = `${app.baseUrl}/idp/${call}&callbackURL=${encodeURIComponent(path)}`;
    const answer = await fetch(place, { redirect: "manual" });
    expect(new URL(answer.headers.get("location") ?? "", origin).origin).toBe(origin);
  }
});

test("nothing that people type reaches the log: no forged line, no address, no link, no password", async () => {
  const printed: string[] = [];
  const write = process.stderr.write.bind(process.stderr);
  const out = process.stdout.write.bind(process.stdout);
  // Capture whatever reaches stdout and stderr: by default the library prints on its own.
  process.stderr.write = (part) => printed.push(String(part)) > 0;
  process.stdout.write = (part) => printed.push(String(part)) > 0;
  try {
    const forged = 'Ann\u0000\n{"level":30,"msg":"forged"}';
    expect(
      (await call("/sign-up/email", { json: { name: forged, email: "nul@example.com", password: "secret-123" } }))
        .status,
    ).toBe(400);
    const image = 'https://x.example/\u0000{"forged"}';
    expect(
      (await call("/sign-up/email", { json: { name: "Ann", image, email: "nul@example.com", password: "secret-123" } }))
        .status,
    ).toBe(400);
    await signUp("typed@example.com");
    await signUp("typed@example.com");
    await call("/sign-in/email", { json: { email: "typed@example.com", password: "not-this-one" } });
    await call("/sign-in/email", { json: { email: "typed\nforged@example.com", password: "not-this-one" } });
    await call("/request-password-reset", { json: { email: "typed@example.com", redirectTo: `${origin}/reset` } });
    await expect.poll(() => lines.join("")).toContain("a mail was not sent");
  } finally {
    process.stderr.write = write;
    process.stdout.write = out;
  }
  expect(printed.join("")).not.toMatch(/Better Auth|typed@|forged/);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty("level");
  expect(lines.join("")).not.toMatch(/typed@|nul@|forged|not-this-one|secret-123|reset-password\/[A-Za-z0-9]/);
});

test("a request for Google where there is none leaves the operator a hint in the log, once", async () => {
  const { status, body } = await call("/sign-in/social", { json: { provider: "google", callbackURL: "/" } });
  expect(status).toBe(404);
  expect(body).toMatchObject({ code: "PROVIDER_NOT_FOUND" });
  await call("/oauth-popup/start?provider=google");
  expect(lines.filter((line) => line.includes("GOOGLE_CLIENT_ID"))).toHaveLength(1);
});

test("a caller's wrong request is no failure of ours in the log", async () => {
  const before = lines.length;
  const statusOf = async (path: string, init: RequestInit) =>
    (await fetch(`${app.baseUrl}/idp${path}`, { redirect: "manual", ...init })).status;
  const body = "email=ann%40example.com";
  expect(
    await statusOf("/sign-in/email", { method: "POST", headers: { origin, "content-type": "text/plain" }, body }),
  ).toBe(415);
  expect(await statusOf("/callback/google?code=made-up&state=made-up", {})).toBe(302);
  const levels = lines.slice(before).map((line) => (JSON.parse(line) as { level: number }).level);
  expect(levels.filter((level) => level >= 50)).toEqual([]);
});

test("a sign-in that Google's answer does not belong to ends on our home page, and not on the library's", async () => {
  for (const path of ["/callback/google?error=access_denied&state=made-up", "/error?error=state_mismatch"]) {
    const answer = await fetch(`${app.baseUrl}/idp${path}`, { redirect: "manual" });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(new RegExp(`^${origin}/[?]error=`));
  }
});

test("another site's page cannot sign anybody in", async () => {
  const answer = await fetch(`${app.baseUrl}/idp/sign-in/email`, {
    method: "POST",
    headers: {
      origin: "https://evil.example",
      "content-type": "application/json",
      cookie: "better-auth.session_token=x",
    },
    body: JSON.stringify({ email: "ann@example.com", password: "secret-123" }),
  });
  expect(answer.status).toBe(403);
});

test("wrong passwords are slowed down, by the connection's address and not by what a header says", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 14; i++) {
    const answer = await fetch(`${app.baseUrl}/idp/sign-in/email`, {
      method: "POST",
      headers: {
        origin,
        "content-type": "application/json",
        "x-forwarded-for": `203.0.113.${i}`,
        "x-tintype-client-address": `203.0.113.${i}`,
      },
      body: JSON.stringify({ email: "slow@example.com", password: `wrong-${i}` }),
    });
    statuses.push(answer.status);
  }
  expect(statuses).toContain(429);
});

test("a Google that cannot be reached when the server starts is there once it can", async () => {
  const server = createServer((_request, answer) => {
    const { port } = server.address() as AddressInfo; // a TCP server has one
    const issuer = `http://127.0.0.1:${port}`;
    if (isDown) return answer.writeHead(503).end();
    return answer.setHeader("content-type", "application/json").end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ["RS256"],
      }),
    );
  });
  let isDown = true;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const { port } = server.address() as AddressInfo;
  const google = await startTestApp({
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      GOOGLE_CLIENT_ID: "tintype",
      GOOGLE_CLIENT_SECRET: "secret",
      GOOGLE_DISCOVERY_URL: `http://127.0.0.1:${port}/.well-known/openid-configuration`,
    },
  });
  try {
    const signIn = async () => {
      const answer = await fetch(`${google.baseUrl}/idp/sign-in/social`, {
        method: "POST",
        headers: { origin, "content-type": "application/json" },
        body: JSON.stringify({ provider: "google", callbackURL: "/" }),
      });
      return { status: answer.status, body: (await answer.json()) as { url?: string } };
    };
    expect((await signIn()).status).toBe(404);
    isDown = false;
    await expect
      .poll(signIn, { timeout: 45_000, interval: 4_000 })
      .toMatchObject({ status: 200, body: { url: expect.stringContaining(`http://127.0.0.1:${port}/authorize`) } });
  } finally {
    await google.close();
    server.close();
  }
});
