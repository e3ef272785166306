import type { webcrypto } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export type TestIssuer = {
  url: string;
  audience: string;
  privateKey: webcrypto.CryptoKey;
  /** A token for a subject. `claims` override the valid defaults and can make it invalid. */
  token(subject: string, claims?: JWTPayload, header?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
};

/** The environment of a service without a site, on one engine, that accepts the issuer's tokens. */
export const testEnvironment = ({ url, audience }: Pick<TestIssuer, "url" | "audience">): Record<string, string> => ({
  TINTYPE_ENGINES: "1",
  TINTYPE_SPARE_ENGINES: "0",
  TINTYPE_SITE: "false",
  OIDC_ISSUER: url,
  OIDC_AUDIENCE: audience,
  OIDC_JWKS_URL: `${url}/jwks`,
});

/** An OpenID Connect issuer on loopback with a key that the tests hold. */
export async function startIssuer(): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "test", alg: "RS256", use: "sig" };
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has one
  const audience = "test-audience";
  return {
    url,
    audience,
    privateKey,
    token(subject, claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        iss: url,
        aud: audience,
        sub: subject,
        iat: now,
        exp: now + 3600,
        email: `${subject}@example.com`,
        email_verified: true,
        name: `Person ${subject.slice(0, 4)}`,
        ...claims,
      };
      return new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "test", ...header }).sign(privateKey);
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
}
