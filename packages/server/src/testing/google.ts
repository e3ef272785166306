import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export type TestGoogle = {
  /** For `GOOGLE_CLIENT_ID` and so on. */
  environment: Record<string, string>;
  /** The person who signs in next. */
  profile: { sub: string; email: string; email_verified: boolean; name: string; picture?: string };
  /** Signs in at a service as a browser does that follows each redirect. Answers the session, if it came to one. */
  signIn(baseUrl: string, origin: string): Promise<{ location: string; session: string }>;
  close(): Promise<void>;
};

/** An OpenID provider on loopback that says yes to every person. */
export async function startGoogle(): Promise<TestGoogle> {
  const google: { profile: TestGoogle["profile"] } = {
    profile: { sub: "1", email: "ann@example.com", email_verified: true, name: "Ann Google" },
  };
  let visits = 0;
  /** Of the visit under way. */
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
  return Object.assign(google, {
    environment: {
      GOOGLE_CLIENT_ID: "tintype",
      GOOGLE_CLIENT_SECRET: "secret",
      GOOGLE_DISCOVERY_URL: `${url}/.well-known/openid-configuration`,
    },
    async signIn(baseUrl: string, origin: string) {
      const begun = await fetch(`${baseUrl}/idp/sign-in/social`, {
        method: "POST",
        // From elsewhere each time, for a service behind a trusted proxy: the provider slows sign-ins down by address.
        headers: { origin, "content-type": "application/json", "x-forwarded-for": `10.1.0.${++visits}` },
        body: JSON.stringify({ provider: "google", callbackURL: "/", errorCallbackURL: "/failed" }),
      });
      const asked = new URL(((await begun.json()) as { url: string }).url);
      nonce = asked.searchParams.get("nonce") ?? "";
      const cookie = begun.headers
        .getSetCookie()
        .map((line) => line.split(";")[0])
        .join("; ");
      const back = new URL("/idp/callback/google", baseUrl);
      back.search = String(new URLSearchParams({ code: "c", state: asked.searchParams.get("state") ?? "" }));
      const answer = await fetch(back, { headers: { cookie }, redirect: "manual" });
      return { location: answer.headers.get("location") ?? "", session: answer.headers.get("set-auth-token") ?? "" };
    },
    close: () => new Promise<void>((done) => server.close(() => done())),
  });
}
