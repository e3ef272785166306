import type { FuzzRequest } from "./api-requests.ts";
import { mutate, pick, type Random } from "./mutate.ts";
import { bend, inAddress, odd } from "./odd-values.ts";

type IdentityCall = {
  /** Relative to `/idp`. */
  path: string;
  query?: Record<string, string>;
  /** A call with a body is a POST. */
  body?: object;
};

const email = "fuzz@example.com";
const password = "secret-123";
const elsewhere = "https://elsewhere.example/";

/** Every call of better-auth below `/idp`, including its plugins' calls. */
export const identityCalls: readonly IdentityCall[] = [
  {
    path: "/sign-up/email",
    body: { name: "Ann Lee", email, password, callbackURL: "/", image: "https://a.example/a" },
  },
  { path: "/sign-in/email", body: { email, password, rememberMe: true, callbackURL: elsewhere } },
  { path: "/sign-in/social", body: { provider: "google", callbackURL: "/", scopes: ["openid"], additionalData: {} } },
  { path: "/sign-in/social", body: { provider: "google", idToken: { token: "a.b.c", nonce: "n" } } },
  { path: "/sign-out", body: {} },
  { path: "/get-session", query: { disableCookieCache: "true" } },
  { path: "/get-session", body: {} },
  { path: "/list-sessions" },
  { path: "/revoke-session", body: { token: "token" } },
  { path: "/revoke-sessions", body: {} },
  { path: "/revoke-other-sessions", body: {} },
  { path: "/update-session", body: { userAgent: "a" } },
  { path: "/token" },
  { path: "/jwks" },
  { path: "/request-password-reset", body: { email, redirectTo: elsewhere } },
  { path: "/reset-password", query: { token: "token" }, body: { newPassword: password, token: "token" } },
  { path: "/reset-password/token", query: { callbackURL: elsewhere } },
  { path: "/verify-password", body: { password } },
  { path: "/change-password", body: { currentPassword: password, newPassword: password, revokeOtherSessions: true } },
  { path: "/change-email", body: { newEmail: "other@example.com", callbackURL: "/" } },
  { path: "/verify-email", query: { token: "a.b.c", callbackURL: elsewhere } },
  { path: "/send-verification-email", body: { email, callbackURL: elsewhere } },
  { path: "/update-user", body: { name: "Bo Lee", image: "https://a.example/b", emailVerified: true } },
  { path: "/delete-user", body: { password, token: "token", callbackURL: "/" } },
  { path: "/delete-user/callback", query: { token: "token", callbackURL: elsewhere } },
  { path: "/list-accounts" },
  { path: "/account-info", query: { accountId: "id" } },
  { path: "/link-social", body: { provider: "google", callbackURL: elsewhere } },
  { path: "/unlink-account", body: { accountId: "id", providerId: "credential" } },
  { path: "/get-access-token", body: { providerId: "google", accountId: "id", userId: "id" } },
  { path: "/refresh-token", body: { providerId: "google", accountId: "id", userId: "id" } },
  { path: "/callback/google", query: { code: "code", state: "state", error: "denied" } },
  { path: "/callback/google", body: { code: "code", state: "state" } },
  { path: "/oauth-popup/start", query: { provider: "google", popupOrigin: "http://localhost", popupNonce: "n" } },
  { path: "/error", query: { error: "state_mismatch", error_description: "<b>" } },
  { path: "/sessions" },
  { path: "/end-session", body: { id: "id" } },
  { path: "/passkey/generate-register-options", query: { authenticatorAttachment: "platform", name: "a" } },
  { path: "/passkey/verify-registration", body: { response: { id: "id", response: {} }, name: "Phone" } },
  { path: "/passkey/generate-authenticate-options" },
  { path: "/passkey/verify-authentication", body: { response: { id: "id", rawId: "id", type: "public-key" } } },
  { path: "/passkey/list-user-passkeys" },
  { path: "/passkey/delete-passkey", body: { id: "id" } },
  { path: "/passkey/update-passkey", body: { id: "id", name: "Phone" } },
  { path: "/two-factor/enable", body: { password, method: "totp", issuer: "a" } },
  { path: "/two-factor/disable", body: { password } },
  { path: "/two-factor/get-totp-uri", body: { password } },
  { path: "/two-factor/verify-totp", body: { code: "000000", trustDevice: true } },
  { path: "/two-factor/verify-backup-code", body: { code: "a", disableSession: true, trustDevice: true } },
  { path: "/two-factor/generate-backup-codes", body: { password } },
  { path: "/ok" },
  { path: "/none", body: {} },
];

/** A request to the built-in identity provider, as sent by a page or an attacker. `origin` is the service's. */
export function identityRequest({ random, origin }: { random: Random; origin: string }): FuzzRequest {
  const call = pick(random, identityCalls);
  const query = Object.entries(call.query ?? {})
    .filter(() => random() < 0.9)
    .map(([name, value]) => `${name}=${inAddress(random() < 0.4 ? pick(random, odd) : value)}`);
  const extra = random() < 0.05 ? `/${inAddress(pick(random, odd).slice(0, 100))}` : "";
  const path = `/idp${call.path}${extra}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const method = random() < 0.04 ? pick(random, ["GET", "POST", "PUT", "DELETE", "HEAD"]) : call.body ? "POST" : "GET";
  const headers: Record<string, string> = {};
  if (random() < 0.9) headers["origin"] = random() < 0.85 ? origin : pick(random, ["null", elsewhere, "x", ""]);
  if (random() < 0.1) headers["cookie"] = `better-auth.session_token=${inAddress(pick(random, odd)).slice(0, 300)}`;
  const route = `${call.body ? "POST" : "GET"} /idp${call.path}`;
  if (method === "GET" || method === "HEAD") return { route, path, init: { method, headers } };
  const sent = random() < 0.4 ? (call.body ?? {}) : bend(call.body ?? {}, random);
  if (random() < 0.1) {
    headers["content-type"] = "application/x-www-form-urlencoded";
    const fields = Object.entries(sent ?? {}).map(([name, value]) => `${name}=${inAddress(String(value))}`);
    return { route, path, init: { method, headers, body: fields.join("&") } };
  }
  headers["content-type"] =
    random() < 0.9 ? "application/json" : pick(random, ["text/plain", "multipart/form-data", "x"]);
  const json = JSON.stringify(sent);
  const bytes = new TextEncoder().encode(json);
  const body = random() < 0.2 ? new Uint8Array(mutate(bytes, random, bytes)) : json;
  return { route, path, init: { method, headers, body } };
}
