import { ConnectionLost } from "@tintype/contract/api";
import { IdentityProblem, type IdentityProblemCode } from "../identity-problem.ts";

type Answer = { status: number; body: unknown };

/** The built-in provider over fetch, authenticated by its session cookie. */
export type Provider = {
  /** @throws ConnectionLost */
  send(path: string, json?: object): Promise<Answer>;
  /** The provider's response when it accepts. @throws IdentityProblem, ConnectionLost */
  request(path: string, json?: object): Promise<unknown>;
};

// Our own client: better-auth's is 12.5 KB gzipped with the plugins that this needs, and we use only its endpoints.
export function createProvider(base: string): Provider {
  async function send(path: string, json?: object): Promise<Answer> {
    try {
      const response = await fetch(base + path, {
        credentials: "include",
        cache: "no-store",
        ...(json && {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(json),
        }),
      });
      const { status } = response;
      if (status >= 502 && status <= 504) throw new Error(`A proxy answered ${status}.`);
      return { status, body: parse(await response.text()) };
    } catch (problem) {
      throw new ConnectionLost(problem);
    }
  }
  return {
    send,
    async request(path, json) {
      const { status, body } = await send(path, json);
      if (status < 400) return body;
      throw refusal(status, body);
    },
  };
}

/** Maps a refusal of the provider to our problem. */
export const refusal = (status: number, body: unknown) => new IdentityProblem(codeOf(status, body), body);

const codes: Record<string, IdentityProblemCode> = {
  INVALID_EMAIL_OR_PASSWORD: "wrong-credentials",
  INVALID_PASSWORD: "wrong-password",
  INVALID_EMAIL: "invalid-email",
  USER_ALREADY_EXISTS: "email-taken",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "email-taken",
  PASSWORD_TOO_SHORT: "password-too-short",
  PASSWORD_TOO_LONG: "password-too-long",
  CREDENTIAL_ACCOUNT_NOT_FOUND: "other-method",
  INVALID_TOKEN: "reset-link-spent",
  TOKEN_EXPIRED: "verification-link-spent",
  ACCOUNT_BLOCKED: "account-blocked",
  NOT_ADMITTED: "not-admitted",
  NAME_NOT_ALLOWED: "name-refused",
  PROVIDER_NOT_FOUND: "google-unavailable",
  INVALID_CODE: "wrong-code",
  INVALID_BACKUP_CODE: "wrong-code",
  INVALID_TWO_FACTOR_COOKIE: "code-too-late",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "code-too-late",
  SESSION_NOT_FRESH: "recent-login-needed",
  PASSKEY_NOT_FOUND: "passkey-unknown",
  AUTHENTICATION_FAILED: "passkey-unknown",
  USER_VERIFICATION_NEEDED: "passkey-without-lock",
};

function codeOf(status: number, body: unknown): IdentityProblemCode {
  if (status === 429) return "too-many-attempts";
  const code = textIn(body, "code");
  // For an invalid field the provider gives only its name; of those checked here, it is the email.
  if (code === "VALIDATION_ERROR" && textIn(body, "message").includes("email")) return "invalid-email";
  return codes[code] ?? "unknown";
}

/** The property of an unknown value; undefined if it is no object. */
export const valueIn = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** The string property of an unknown value; "" if it is not a string. */
export function textIn(value: unknown, name: string): string {
  const found = valueIn(value, name);
  return typeof found === "string" ? found : "";
}

/** An unknown value as a list; empty if it is not one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The ways to sign in to an account, from the answer of `/list-accounts`: `credential` is a password. */
export const providersIn = (accounts: unknown): string[] =>
  listOf(accounts).map((account) => textIn(account, "providerId"));

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // a proxy's error page: only the status is usable
  }
}
