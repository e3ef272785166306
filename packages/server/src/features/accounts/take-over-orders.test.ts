import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltIn, builtInOf, testPassword } from "../../testing/built-in.ts";
import { startGoogle, type TestGoogle } from "../../testing/google.ts";
import { startTestApp, type TestApp } from "../../testing/harness.ts";
import { type Mailbox, startMailbox } from "../../testing/mailbox.ts";
import { idpPasskey, idpTwoFactor, idpUser } from "./tables.ts";

const origin = "http://localhost:54334";
let google: TestGoogle;
let mailbox: Mailbox;
let app: TestApp;
let idp: BuiltIn;
beforeAll(async () => {
  google = await startGoogle();
  mailbox = await startMailbox();
  app = await startTestApp({
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_URL_INPUT: "on",
      RATE_LIMIT_PER_MINUTE: "100000",
      ...google.environment,
      ...mailbox.environment,
    },
  });
  idp = builtInOf(app, origin);
});
afterAll(async () => {
  await app.close();
  await google.close();
  await mailbox.close();
});

const ownersPassword = "the owner's own 1";
const credentials = ["key", "webhook", "recipe", "passkey", "app"] as const;
type Credential = (typeof credentials)[number];
const userOf = async (email: string) => (await app.db.select().from(idpUser).where(eq(idpUser.email, email)))[0];

/** What is in the account, by who made it. The name of each thing begins with its maker. */
async function madeIn(email: string, session: string): Promise<string[]> {
  const caller = await idp.caller(session);
  const list = async (path: string) => (await (await caller.call(path)).json()) as Record<string, never[]>;
  const { keys = [] } = await list("/api/keys");
  const { webhooks = [] } = await list("/api/webhooks");
  const { recipes = [] } = await list("/api/recipes");
  const userId = (await userOf(email))?.id ?? "";
  const passkeys = await app.db.select().from(idpPasskey).where(eq(idpPasskey.userId, userId));
  const apps = await app.db.select().from(idpTwoFactor).where(eq(idpTwoFactor.userId, userId));
  return [
    ...(keys as { name: string }[]).map(({ name }) => name),
    ...(webhooks as { url: string }[]).map(({ url }) => url.split("/").at(-1) ?? ""),
    ...(recipes as { name: string; preset: boolean }[]).filter(({ preset }) => !preset).map(({ name }) => name),
    ...passkeys.map(({ name }) => name ?? ""),
    ...apps.map(({ secret }) => secret),
  ].toSorted();
}

async function add(kind: Credential, name: string, { email, session }: { email: string; session: string }) {
  const caller = await idp.caller(session);
  const userId = (await userOf(email))?.id ?? "";
  const calls = {
    key: () => caller.call("/api/keys", { json: { name, scopes: ["process"] } }),
    webhook: () => caller.call("/api/webhooks", { json: { url: `https://example.com/${name}` } }),
    recipe: () => caller.call("/api/recipes", { json: { name, steps: [{ compress: { quality: 70 } }] } }),
  };
  if (kind === "passkey")
    await app.db.insert(idpPasskey).values({
      id: randomUUID(),
      name,
      userId,
      publicKey: "k",
      credentialID: randomUUID(),
      counter: 0,
      deviceType: "singleDevice",
      backedUp: false,
    });
  else if (kind === "app")
    await app.db
      .insert(idpTwoFactor)
      .values({ id: randomUUID(), userId, secret: name, backupCodes: "c" })
      .onConflictDoNothing();
  else expect((await calls[kind]()).status).toBe(201);
}

/** The newest mail's link, as its path. */
async function mailedLink(email: string, pattern: RegExp): Promise<string> {
  const found = () => mailbox.to(email).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);
  await expect.poll(() => found().length).toBeGreaterThan(0);
  return found().at(-1) ?? "";
}
const verificationLink = (email: string) => mailedLink(email, /\/idp(\/verify-email\S+)/);

/** Follows the link of the verification mail. Returns where it leads. */
async function follow(email: string, session = ""): Promise<URL> {
  const answer = await fetch(`${app.baseUrl}/idp${await verificationLink(email)}`, {
    redirect: "manual",
    headers: { cookie: session },
  });
  expect(cookiesSet(answer)).toEqual([]);
  return new URL(answer.headers.get("location") ?? "", origin);
}
const cookiesSet = (answer: Response) => answer.headers.getSetCookie().filter((line) => /session_token/.test(line));
const setPassword = async (token: string | null) =>
  (await idp.ask("/reset-password", { json: { token, newPassword: ownersPassword } })).status;

/** The ways of an address's owner into the account. Each returns their session, if it opened one. */
const ownersWays = {
  async link(email: string) {
    const page = await follow(email);
    if (page.pathname !== "/account/verify") return "";
    expect(await setPassword(page.searchParams.get("token"))).toBe(200);
    return (await idp.signIn(email, ownersPassword)).session;
  },
  async reset(email: string) {
    await idp.ask("/request-password-reset", { json: { email, redirectTo: `${origin}/account/set-password` } });
    expect(await setPassword(await mailedLink(email, /reset-password\/([A-Za-z0-9]+)/))).toBe(200);
    return (await idp.signIn(email, ownersPassword)).session;
  },
  async google(email: string) {
    google.profile = { sub: `google of ${email}`, email, email_verified: true, name: "The Owner" };
    return (await google.signIn(app.baseUrl, origin)).session;
  },
};

// product: proof-ends-the-rest
test("in whatever order an address is proved, nothing that another person made before the proof is left, and all that the prover made is", {
  timeout: 600_000,
}, async () => {
  const adding = fc.record({ kind: fc.constant("add" as const), what: fc.constantFrom(...credentials) });
  const merelyFollow = fc.constant({ kind: "merely-follow" as const });
  const proving = fc.constantFrom(
    ...(["link", "reset", "google"] as const).map((way) => ({ kind: "owner" as const, way })),
    { kind: "maker" as const },
  );
  const steps = fc.array(fc.oneof({ arbitrary: adding, weight: 4 }, merelyFollow, proving), {
    minLength: 3,
    maxLength: 7,
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (order) => {
      const email = `order-${++runs}@example.com`;
      const maker = (await idp.signUp(email)).session;
      const makersToken = await idp.token(maker);
      let owner = "";
      let prover: "nobody" | "maker" | "owner" = "nobody";
      const expected = { maker: [] as string[], owner: [] as string[] };
      let apps = 0;
      let hasReset = false;
      for (const [index, step] of order.entries()) {
        if (step.kind === "merely-follow") {
          await follow(email);
          continue;
        }
        if (step.kind === "maker") {
          await follow(email, maker);
          if (prover === "nobody") prover = "maker";
          continue;
        }
        if (step.kind === "owner") {
          if (prover === "maker") continue; // the maker is the owner
          if (step.way === "reset" && hasReset) continue; // one mail a minute
          hasReset ||= step.way === "reset";
          const session = await ownersWays[step.way](email);
          if (session && prover === "nobody") apps = 0;
          if (session) prover = "owner";
          // A new password ends the sessions before it.
          owner = session || owner;
          continue;
        }
        const who = prover === "owner" ? "owner" : "maker";
        if (step.what === "app" && apps++ > 0) continue;
        const name = `${who}-${index}`;
        await add(step.what, name, { email, session: who === "owner" ? owner : maker });
        expected[who].push(name);
      }
      if (prover !== "owner") {
        expect(await madeIn(email, maker)).toEqual(expected.maker.toSorted());
        return;
      }
      expect(await madeIn(email, owner)).toEqual(expected.owner.toSorted());
      expect((await app.caller(makersToken).call("/api/user-info")).status).toBe(401);
      expect((await idp.ask("/token", { session: maker })).status).toBe(401);
      expect((await idp.signIn(email, testPassword)).status).toBe(401);
    }),
    { numRuns: Number(process.env["TAKE_OVER_RUNS"] ?? 8), seed: 47 },
  );
});
