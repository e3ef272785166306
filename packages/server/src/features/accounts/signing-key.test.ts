import { expect, test } from "vitest";
import { createDatabase } from "../../testing/backends.ts";
import { builtInOf, testPassword } from "../../testing/built-in.ts";
import { startTestApp } from "../../testing/harness.ts";

test("with another TINTYPE_SECRET sessions begin from zero, and people sign in as before", async () => {
  const origin = "http://localhost:54335";
  const postgres = await createDatabase();
  const start = (secret: string) =>
    startTestApp({
      environment: {
        OIDC_ISSUER: "",
        TINTYPE_ORIGIN: origin,
        TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
        DATABASE_URL: postgres.url,
        TINTYPE_SECRET: secret,
      },
    });
  const nameOf = async (idp: ReturnType<typeof builtInOf>, session: string) =>
    ((await (await (await idp.caller(session)).call("/api/user-info")).json()) as { name?: string }).name;
  let app = await start("the secret before, 32 characters long");
  const before = builtInOf(app, origin);
  const { session } = await before.signUp("ann@example.com");
  expect(await nameOf(before, session)).toBe("Ann Lee");
  await app.close();
  app = await start("the secret after, 32 characters long");
  const after = builtInOf(app, origin);
  expect(await nameOf(after, session)).toBeUndefined();
  expect(await nameOf(after, (await after.signIn("ann@example.com", testPassword)).session)).toBe("Ann Lee");
  await app.close();
  await postgres.close();
});
