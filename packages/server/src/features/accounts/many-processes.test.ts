import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltIn, builtInOf, testPassword } from "../../testing/built-in.ts";
import { startTestApp, type TestApp } from "../../testing/harness.ts";
import { startPostgres, type TestPostgres } from "../../testing/postgres.ts";
import { idpJwks } from "./tables.ts";

// Several servers on one PostgreSQL, as behind a load balancer.
const origin = "http://localhost:54334";
const servers = 4;
let postgres: TestPostgres;
let folder: string;
let apps: TestApp[];
let providers: BuiltIn[];
beforeAll(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), "tintype-many-"));
  const environment = {
    OIDC_ISSUER: "",
    TINTYPE_ORIGIN: origin,
    TINTYPE_SECRET: "the same secret for every one of the servers",
    TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
    DATABASE_URL: postgres.url,
    TINTYPE_BLOBS: folder,
  };
  apps = await Promise.all(Array.from({ length: servers }, () => startTestApp({ environment })));
  providers = apps.map((app) => builtInOf(app, origin));
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
});
const statusOf = async (app: TestApp | undefined, token: string) =>
  (await app?.caller(token).call("/api/user-info"))?.status;

test("servers that start at once on a fresh database have one signing key, and each takes the first tokens of the others", async () => {
  expect(await apps[0]?.db.select().from(idpJwks)).toHaveLength(1);
  const tokens = await Promise.all(
    providers.map(async (idp, i) => idp.token((await idp.signUp(`first-${i}@example.com`)).session)),
  );
  expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBe(1);
  const statuses = await Promise.all(tokens.flatMap((token) => apps.map((app) => statusOf(app, token))));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await apps[0]?.db.select().from(idpJwks)).toHaveLength(1);
});

// product: sign-out-ends-tokens
test("signing out at one server ends the session's tokens at all of them, and no other session's", async () => {
  const [one, other] = [providers[0] as BuiltIn, providers[1] as BuiltIn]; // there are four
  const email = "leaves@example.com";
  const [first, second] = [await one.signUp(email), await other.signIn(email, testPassword)];
  const [token, kept] = [await one.token(first.session), await other.token(second.session)];
  for (const app of apps) expect(await statusOf(app, token)).toBe(200);
  await one.ask("/sign-out", { json: {}, session: first.session });
  for (const app of apps) expect(await statusOf(app, token)).toBe(401);
  for (const app of apps) expect(await statusOf(app, kept)).toBe(200);
});

test("a new password ends every token from before, whatever the request asks", async () => {
  const idp = providers[2] as BuiltIn; // there are four
  const email = "changes@example.com";
  const [first, second] = [await idp.signUp(email), await idp.signIn(email, testPassword)];
  const tokens = await Promise.all([idp.token(first.session), idp.token(second.session)]);
  const json = { currentPassword: testPassword, newPassword: "another-456", revokeOtherSessions: false };
  const changed = await idp.ask("/change-password", { json, session: first.session });
  expect(changed.status).toBe(200);
  for (const token of tokens) for (const app of apps) expect(await statusOf(app, token)).toBe(401);
  expect(await statusOf(apps[3], await idp.token(changed.session))).toBe(200);
});
