import { createHmac, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { exportJWK, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/harness.ts";
import { startIssuer, type TestIssuer } from "../../testing/issuer.ts";
import { samplePng } from "../../testing/pictures.ts";
import { accounts } from "./tables.ts";

let issuer: TestIssuer;
let app: TestApp;
beforeAll(async () => {
  issuer = await startIssuer();
  app = await startTestApp({
    environment: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience, OIDC_JWKS_URL: `${issuer.url}/jwks` },
  });
});
/** Key sets of other providers, which tokens name but the server must never fetch. */
const foreignKeySets: { url: string; asked: number; close(): Promise<void> }[] = [];
async function startKeySet(jwk: object) {
  const set = { url: "", asked: 0, close: () => new Promise<void>((done) => server.close(() => done())) };
  const server = createServer((_request, response) => {
    set.asked += 1;
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  set.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`; // a TCP server has one
  return set;
}
afterAll(async () => {
  for (const set of foreignKeySets) {
    expect(set.asked).toBe(0);
    await set.close();
  }
  await app.close();
  await issuer.close();
});

const ask = (authorization: string | undefined, path = "/api/user-info") =>
  app.caller().call(path, { headers: authorization === undefined ? {} : { authorization } });
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = () => Math.floor(Date.now() / 1000);

// product: any-issuer
test("a valid token passes, and the scheme may be written in any case", async () => {
  for (const scheme of ["Bearer", "bearer", "BEARER"]) {
    const answer = await ask(
      `${scheme} ${await issuer.token("ann", { name: "Ann", picture: "https://x.example/p.png" })}`,
    );
    expect(await answer.json()).toMatchObject({
      plan: "hobby",
      limit: 100,
      service_count: 0,
      email: "ann@example.com",
      name: "Ann",
    });
  }
});

test("people are keyed by issuer and subject, never by e-mail", async () => {
  const token = (subject: string) => issuer.token(subject, { email: "same@example.com" });
  const [one, other] = [app.caller(await token("one")), app.caller(await token("other"))];
  await one.call("/api/service-use", { method: "POST" });
  expect(await (await one.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
  expect(await (await other.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
});

test("a changed name or e-mail at the issuer is taken over", async () => {
  await ask(`Bearer ${await issuer.token("moves", { email: "old@example.com" })}`);
  const answer = await ask(`Bearer ${await issuer.token("moves", { email: "new@example.com", name: "New" })}`);
  expect(await answer.json()).toMatchObject({ email: "new@example.com", name: "New" });
});

const wrongTokens: Record<string, () => Promise<string> | string> = {
  "expired beyond the clock's tolerance": () => issuer.token("x", { iat: now() - 7200, exp: now() - 60 }),
  "for another audience": () => issuer.token("x", { aud: "someone-else" }),
  "of another issuer": () => issuer.token("x", { iss: "https://accounts.google.com" }),
  "of an issuer with a tail": () => issuer.token("x", { iss: `${issuer.url}.evil.example` }),
  "not yet valid": () => issuer.token("x", { nbf: now() + 3600 }),
  "without an end": () => issuer.token("x", { exp: undefined as never }),
  "without a subject": () => issuer.token("x", { sub: undefined as never }),
  "with an empty subject": () => issuer.token("", { sub: "" }),
  "with an odd key id": () => issuer.token("x", {}, { kid: "../../../dev/null" }),
  "unsigned (alg none)": async () =>
    `${base64({ alg: "none", typ: "JWT" })}.${(await issuer.token("x")).split(".")[1]}.`,
  "signed HS256 with the public key": async () => {
    const jwks = (await (await fetch(`${issuer.url}/jwks`)).json()) as { keys: object[] };
    const text = `${base64({ alg: "HS256", kid: "test" })}.${(await issuer.token("x")).split(".")[1]}`;
    return `${text}.${createHmac("sha256", JSON.stringify(jwks.keys[0])).update(text).digest("base64url")}`;
  },
  "signed by another key under the same id": async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return new SignJWT({ iss: issuer.url, aud: issuer.audience, sub: "x", exp: now() + 600 })
      .setProtectedHeader({ alg: "RS256", kid: "test" })
      .sign(privateKey);
  },
  "bringing its own key along": async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const jwk = await exportJWK(publicKey);
    return new SignJWT({ iss: issuer.url, aud: issuer.audience, sub: "x", exp: now() + 600 })
      .setProtectedHeader({ alg: "RS256", jwk })
      .sign(privateKey);
  },
  "with its own key set by address": async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const own = await startKeySet({ ...(await exportJWK(publicKey)), kid: "own", alg: "RS256" });
    const token = await new SignJWT({ iss: issuer.url, aud: issuer.audience, sub: "x", exp: now() + 600 })
      .setProtectedHeader({ alg: "RS256", kid: "own", jku: own.url, x5u: own.url })
      .sign(privateKey);
    foreignKeySets.push(own);
    return token;
  },
  "whose claims were changed after it was signed": async () => {
    const [head, payload = "", signature] = (await issuer.token("x")).split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    return `${head}.${base64({ ...claims, sub: "somebody-else" })}.${signature}`;
  },
  "whose signature was cut": async () => (await issuer.token("x")).slice(0, -8),
  "far too long": () => "A".repeat(9000),
};
// product: wrong-token-refused
test.each(Object.entries(wrongTokens))("a token %s is 401, and never taken for a guest", async (_name, make) => {
  const token = await make();
  for (const path of ["/api/user-info", "/api/config"]) {
    const answer = await ask(`Bearer ${token}`, path);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ detail: "Please sign in again." });
  }
});

test("a token in the address opens nothing", async () => {
  const token = await issuer.token("address");
  const answer = await ask(undefined, `/api/user-info?access_token=${token}`);
  expect(answer.status).toBe(401);
});

test.each([undefined, "", "Bearer ", "Bearer a b", "Basic YTpi", "garbage"])(
  "authorization %j opens nothing",
  async (header) => {
    const answer = await ask(header);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("`Authorization: Bearer`") });
  },
);

test("an issuer whose keys cannot be fetched is our trouble, not the caller's", async () => {
  const gone = await startIssuer();
  const token = await gone.token("x");
  const other = await startTestApp({
    environment: { OIDC_ISSUER: gone.url, OIDC_AUDIENCE: gone.audience, OIDC_JWKS_URL: `${gone.url}/jwks` },
  });
  await gone.close();
  try {
    const answer = await other.caller(token).call("/api/user-info");
    expect(answer.status).toBe(503);
    expect(answer.headers.has("retry-after")).toBe(true);
  } finally {
    await other.close();
  }
});

test.each(["false", "true", 1, "yes"])("an address is verified by the claim true alone, not by %j", async (claim) => {
  const claims = { email_verified: claim, email: `claim-${claim}@example.com` };
  await ask(`Bearer ${await issuer.token(`claim-${claim}`, claims)}`);
  const [row] = await app.db
    .select()
    .from(accounts)
    .where(eq(accounts.email, `claim-${claim}@example.com`));
  expect(row).toMatchObject({ emailVerified: false });
});

test("Apple's own text is believed from Apple alone", async () => {
  const keys = await startIssuer();
  const apple = await startTestApp({
    environment: {
      OIDC_ISSUER: "https://appleid.apple.com",
      OIDC_AUDIENCE: keys.audience,
      OIDC_JWKS_URL: `${keys.url}/jwks`,
    },
  });
  try {
    for (const [claim, isVerified] of [
      ["true", true],
      ["false", false],
    ] as const) {
      const token = await keys.token(`apple-${claim}`, { iss: "https://appleid.apple.com", email_verified: claim });
      await apple.caller(token).call("/api/user-info");
      const [row] = await apple.db
        .select()
        .from(accounts)
        .where(eq(accounts.subject, `apple-${claim}`));
      expect(row).toMatchObject({ emailVerified: isVerified });
    }
  } finally {
    await apple.close();
    await keys.close();
  }
});

test("Firebase's tokens count by configuration alone", async () => {
  const google = await startIssuer();
  const firebase = await startTestApp({
    environment: {
      OIDC_ISSUER: "",
      FIREBASE_PROJECT_ID: "demo",
      FIREBASE_API_KEY: "k",
      OIDC_JWKS_URL: `${google.url}/jwks`,
    },
  });
  try {
    const claims = {
      iss: "https://securetoken.google.com/demo",
      aud: "demo",
      user_id: "u1",
      firebase: { sign_in_provider: "password" },
    };
    const caller = firebase.caller(await google.token("u1", claims));
    expect(await (await caller.call("/api/user-info")).json()).toMatchObject({ plan: "hobby" });
    const foreign = firebase.caller(await google.token("u1", { ...claims, aud: "another-project" }));
    expect((await foreign.call("/api/user-info")).status).toBe(401);
    expect(await (await firebase.caller().call("/api/config")).json()).toMatchObject({
      identity: {
        provider: "firebase",
        options: { projectId: "demo", authDomain: "demo.firebaseapp.com", apiKey: "k" },
      },
    });
  } finally {
    await firebase.close();
    await google.close();
  }
});

test("a guest is a signed cookie; a changed one is a new guest, not an error", async () => {
  const answer = await fetch(`${app.baseUrl}/api/config`);
  const cookie = answer.headers.getSetCookie()[0] ?? "";
  expect(cookie).toMatch(/^tintype_guest=/);
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Lax/);
  const value = cookie.split(";")[0] ?? "";
  const kept = await fetch(`${app.baseUrl}/api/config`, { headers: { cookie: value } });
  expect(kept.headers.getSetCookie()).toEqual([]);
  const changed = await fetch(`${app.baseUrl}/api/config`, { headers: { cookie: `${value.slice(0, -3)}xyz` } });
  expect(changed.status).toBe(200);
  expect(changed.headers.getSetCookie()).toHaveLength(1);
});

test("under https no other host can set the guest's cookie, and a guest of before keeps the credits used", async () => {
  const secure = await startTestApp({
    environment: { TINTYPE_ORIGIN: "https://images.example.com", PAYMENTS: "sandbox", TINTYPE_SECRET: guestsSecret },
  });
  const plain = await startTestApp({ environment: { TINTYPE_SECRET: guestsSecret } });
  try {
    const cookiesFrom = async (service: TestApp, cookie = "") =>
      (await fetch(`${service.baseUrl}/api/config`, { headers: { cookie } })).headers.getSetCookie();
    const [old = ""] = await cookiesFrom(plain);
    const [gone, renewed = ""] = await cookiesFrom(secure, old.split(";")[0]);
    expect(gone).toMatch(/^tintype_guest=;/);
    expect(renewed).toMatch(/^__Host-tintype_guest=.*; Path=\/.*; Secure/);
    expect(renewed).not.toMatch(/Domain/);
    expect(renewed.split(";")[0]).toBe(`__Host-${old.split(";")[0]}`);
    expect(await cookiesFrom(secure, renewed.split(";")[0])).toEqual([]);
  } finally {
    await Promise.all([secure.close(), plain.close()]);
  }
});
const guestsSecret = "a secret of two servers that have the same guests";

test("a forwarding header counts only behind a trusted proxy", async () => {
  const spend = async (service: TestApp, address: string) => {
    const answer = await service
      .caller()
      .call("/api/service-use-multiple", { json: { file_count: 5 }, headers: { "x-forwarded-for": address } });
    return answer.status;
  };
  const open = Array.from({ length: 7 }, (_, i) => spend(app, `203.0.113.${i}`));
  expect((await Promise.all(open)).filter((status) => status === 200)).toHaveLength(6);
  const proxied = await startTestApp({ environment: { TINTYPE_TRUSTED_PROXIES: "127.0.0.1" } });
  try {
    const trusted = Array.from({ length: 7 }, (_, i) => spend(proxied, `203.0.113.${i}`));
    expect((await Promise.all(trusted)).filter((status) => status === 200)).toHaveLength(7);
  } finally {
    await proxied.close();
  }
});

test("a guest's jobs stay in reach of this browser once it signs in, and of no other caller", async () => {
  const browser = app.caller();
  const picture = { name: "a.png", bytes: samplePng(24, 16) };
  const begun = await browser.run("upload", [picture], {}, { prefer: "respond-async" }); // costs no guest credit
  expect(begun.status).toBe(202);
  const job = begun.headers.get("location") ?? "";
  const headers = { authorization: `Bearer ${await issuer.token("was-a-guest")}` };
  const jobState = async () => ((await (await browser.call(job, { headers })).json()) as { state?: string }).state;
  await expect.poll(jobState).toBe("done");
  expect((await browser.call(`${job}/files/0`, { headers })).status).toBe(200);
  expect((await app.caller().call(job, { headers })).status).toBe(404);
  const forged = { ...headers, cookie: "tintype_guest=made-up.signature" };
  expect((await app.caller().call(job, { headers: forged })).status).toBe(404);
});
