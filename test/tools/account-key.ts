import { keyScopes } from "../../packages/contract/src/index.ts";
import type { TestApp } from "../../packages/server/src/testing/harness.ts";

export type SignedUp = { key: string; call(path: string, json?: unknown): Promise<Response> };

/**
 * Signs a person up at the server's built-in identity provider and creates a key with the calls of the page `/account/keys`.
 * The server needs `{ OIDC_ISSUER: "", TINTYPE_ORIGIN: origin }`.
 */
export async function keyFromAccountPage({ baseUrl }: TestApp, origin: string): Promise<SignedUp> {
  const headers = { origin, "content-type": "application/json" };
  const person = { name: "Ann Lee", email: `ann-${Date.now()}@example.com`, password: "correct horse 1" };
  const signedUp = await fetch(`${baseUrl}/idp/sign-up/email`, {
    method: "POST",
    headers,
    body: JSON.stringify(person),
  });
  const cookie = signedUp.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const { token } = (await (await fetch(`${baseUrl}/idp/token`, { headers: { origin, cookie } })).json()) as {
    token: string;
  };
  const call: SignedUp["call"] = (path, json) =>
    fetch(`${baseUrl}/api${path}`, {
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(json === undefined ? {} : { method: "POST", body: JSON.stringify(json) }),
    });
  const made = await call("/keys", { name: "Laptop", mode: "live", scopes: keyScopes, expires_at: null });
  return { key: ((await made.json()) as { key: string }).key, call };
}
