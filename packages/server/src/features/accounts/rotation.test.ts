import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInOf, testPassword, totpOf } from "../../testing/built-in.ts";
import { createCaller, startTestApp } from "../../testing/harness.ts";
import { signingSecrets } from "../webhooks/secrets.ts";

const origin = "http://localhost:54337";
const [first, second, third] = ["first", "second", "third"].map(
  (name) => `${name}: a secret of the rotation's test 0123`,
);

test("while two secrets are accepted a delivery carries a signature of each", () => {
  const row = { id: "wh_1", secretVersion: 2, previousUntil: new Date(1_000) };
  const of = (masterSecrets: string[], at: number) => signingSecrets(row, { masterSecrets, now: new Date(at) });
  const [fresh, old] = [of(["new"], 2_000), of(["old"], 2_000)];
  expect(of(["new", "old"], 2_000)).toEqual([...fresh, ...old]);
  expect(new Set(of(["new", "old"], 500)).size).toBe(4);
});

type Kids = { keys: { kid: string }[] };

// docs/operations.md, "Rotating the secret".
test("with TINTYPE_SECRET_PREVIOUS guests, sessions, authenticator apps and receipts outlive a new secret, one after the other", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "tintype-rotation-"));
  const start = async (secret = "", previous = "") => {
    const app = await startTestApp({
      dataFolder,
      keepsDatabase: true,
      environment: {
        OIDC_ISSUER: "",
        TINTYPE_ORIGIN: origin,
        TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
        TINTYPE_SECRET: secret,
        ...(previous ? { TINTYPE_SECRET_PREVIOUS: previous } : {}),
      },
    });
    return { app, idp: builtInOf(app, origin) };
  };
  const kidsOf = async (baseUrl: string) =>
    ((await (await fetch(`${baseUrl}/api/receipt-keys`)).json()) as Kids).keys.map(({ kid }) => kid);
  try {
    let { app, idp } = await start(first);
    const email = "turn@example.com";
    const { session } = await idp.signUp(email);
    const begun = await idp.ask("/two-factor/enable", { json: { password: testPassword }, session });
    const { totpURI, backupCodes } = begun.body as { totpURI: string; backupCodes: string[] };
    const enabled = await idp.ask("/two-factor/verify-totp", { json: { code: totpOf(totpURI) }, session });
    expect(enabled.status).toBe(200);
    let cookie = enabled.session;
    const guest = await createCaller(app.baseUrl).call("/api/config");
    let guestCookie = guest.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    let kids = await kidsOf(app.baseUrl);
    expect(kids).toHaveLength(1);
    await app.close();

    for (const [secret, previous] of [
      [second, first],
      [third, second],
    ]) {
      ({ app, idp } = await start(secret, previous));
      expect((await idp.ask("/token", { session: cookie })).status).toBe(200);
      const half = await idp.signIn(email, testPassword);
      const whole = await idp.ask("/two-factor/verify-totp", {
        json: { code: totpOf(totpURI) },
        session: half.session,
      });
      expect((await idp.ask("/token", { session: whole.session })).status).toBe(200);
      cookie = whole.session;
      // The same guest, signed with the new key.
      const again = await createCaller(app.baseUrl).call("/api/config", { headers: { cookie: guestCookie } });
      const renewed = again.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      expect(renewed).not.toBe(guestCookie);
      expect(renewed.split(".")[0]).toBe(guestCookie.split(".")[0]);
      guestCookie = renewed;
      const now = await kidsOf(app.baseUrl);
      expect(now).toEqual([expect.any(String), kids[0]]);
      kids = now;
      await app.close();
    }

    // Without the previous secret, its cookies are invalid. The secrets in the database were re-encrypted and can be read.
    ({ app, idp } = await start(third));
    expect((await idp.ask("/token", { session })).status).toBe(401);
    expect((await idp.ask("/token", { session: cookie })).status).toBe(200);
    const half = await idp.signIn(email, testPassword);
    const recovered = await idp.ask("/two-factor/verify-backup-code", {
      json: { code: backupCodes[0] },
      session: half.session,
    });
    expect((await idp.ask("/token", { session: recovered.session })).status).toBe(200);
    await app.close();
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
