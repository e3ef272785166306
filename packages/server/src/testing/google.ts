import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { cookiesOf } from "./built-in.ts";

export type TestGoogle = {
  /** For `GOOGLE_CLIENT_ID` and related settings. */
  environment: Record<string, string>;
  /** The person who signs in next. */
  profile: { sub: string; email: string; email_verified: boolean | string | number; name: string; picture?: string };
  /** Signs in at a service like a browser that follows each redirect. Returns the session, if one was opened. */
  signIn(baseUrl: string, origin: string): Promise<{ location: string; session: string }>;
  /** The same in a popup. Returns the final page. */
  signInByWindow(baseUrl: string, origin: string): Promise<{ html: string; session: string }>;
  /** Links the person to the account of a session. */
  link(baseUrl: string, as: { origin: string; session: string }): Promise<void>;
  close(): Promise<void>;
};

/** An OpenID provider on loopback that approves every sign-in. */
export async function startGoogle(): Promise<TestGoogle> {
  const google: { profile: TestGoogle["profile"] } = {
    profile: { sub: "1", email: "ann@example.com", email_verified: true, name: "Ann Google" },
  };
  let visits = 0;
  /** Of the current sign-in. */
  let nonce = "";
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "google", alg: "RS256", use: "sig" };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", url);
    const idToken = () =>
      new SignJWT({ ...google.profile, nonce })
        .setProtectedHeader({ alg: "RS256", kid: "google" })
        .setIssuer(url)
        .setAudience("tintype")
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey);
    const bodies: Record<string, () => Promise<object> | object> = {
      "/.well-known/openid-configuration": () => ({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/me`,
        jwks_uri: `${url}/jwks`,
        id_token_signing_alg_values_supported: ["RS256"],
      }),
      "/token": async () => ({ access_token: "a", token_type: "Bearer", expires_in: 3600, id_token: await idToken() }),
      "/me": () => google.profile,
      "/jwks": () => ({ keys: [jwk] }),
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify((await bodies[pathname]?.()) ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has one
  /** The person has consented: return to the service with a code. */
  const comeBack = (baseUrl: string, { asked, cookie }: { asked: URL; cookie: string }) => {
    nonce = asked.searchParams.get("nonce") ?? "";
    const back = new URL("/idp/callback/google", baseUrl);
    back.search = String(new URLSearchParams({ code: "c", state: asked.searchParams.get("state") ?? "" }));
    return fetch(back, { headers: { cookie }, redirect: "manual" });
  };
  const visit = async (
    baseUrl: string,
    { origin, path, session }: { origin: string; path: string; session: string },
  ) => {
    const begun = await fetch(baseUrl + path, {
      method: "POST",
      // A new address each time, for a service behind a trusted proxy: the provider rate-limits sign-ins by address.
      headers: {
        origin,
        "content-type": "application/json",
        "x-forwarded-for": `10.1.0.${++visits}`,
        ...(session ? { cookie: session } : {}),
      },
      body: JSON.stringify({ provider: "google", callbackURL: "/", errorCallbackURL: "/failed" }),
    });
    const asked = new URL(((await begun.json()) as { url: string }).url);
    return comeBack(baseUrl, { asked, cookie: [cookiesOf(begun), session].filter(Boolean).join("; ") });
  };
  return Object.assign(google, {
    environment: {
      GOOGLE_CLIENT_ID: "tintype",
      GOOGLE_CLIENT_SECRET: "secret",
      GOOGLE_DISCOVERY_URL: `${url}/.well-known/openid-configuration`,
    },
    async signIn(baseUrl: string, origin: string) {
      const answer = await visit(baseUrl, { origin, path: "/idp/sign-in/social", session: "" });
      return { location: answer.headers.get("location") ?? "", session: cookiesOf(answer) };
    },
    async signInByWindow(baseUrl: string, origin: string) {
      const start = new URL("/idp/oauth-popup/start", baseUrl);
      start.search = String(new URLSearchParams({ provider: "google", popupOrigin: origin, popupNonce: "n" }));
      const begun = await fetch(start, {
        headers: { "x-forwarded-for": `10.1.0.${++visits}` },
        redirect: "manual",
      });
      const answer = await comeBack(baseUrl, {
        asked: new URL(begun.headers.get("location") ?? ""),
        cookie: cookiesOf(begun),
      });
      return { html: await answer.text(), session: cookiesOf(answer) };
    },
    async link(baseUrl: string, { origin, session }: { origin: string; session: string }) {
      await visit(baseUrl, { origin, path: "/idp/link-social", session });
    },
    close: () => new Promise<void>((done) => server.close(() => done())),
  });
}
