import type { Factors } from "../port.ts";
import { listOf, type Provider, providersIn, textIn, valueIn } from "./provider.ts";

type FactorsOptions = {
  request: Provider["request"];
  /** Whether sign-in with Google is available. */
  google: boolean;
  /** A new session has replaced this browser's: tokens of the previous one are no longer valid. */
  onNewSession(): void;
};

/** Passkeys, the authenticator app and sessions of the built-in provider. */
export function createFactors({ request, google, onNewSession }: FactorsOptions): Factors {
  return {
    async read() {
      const [session, accounts, passkeys, sessions] = await Promise.all([
        request("/get-session"),
        request("/list-accounts"),
        request("/passkey/list-user-passkeys"),
        request("/sessions"),
      ]);
      const providers = providersIn(accounts);
      return {
        hasPassword: providers.includes("credential"),
        hasGoogle: providers.includes("google"),
        hasApp: valueIn(valueIn(session, "user"), "twoFactorEnabled") === true,
        passkeys: listOf(passkeys).map((passkey) => ({
          id: textIn(passkey, "id"),
          name: textIn(passkey, "name") || "Passkey",
          createdAt: textIn(passkey, "createdAt"),
        })),
        sessions: listOf(sessions)
          .map((one) => ({
            id: textIn(one, "id"),
            userAgent: textIn(one, "userAgent"),
            createdAt: textIn(one, "createdAt"),
            lastSeenAt: textIn(one, "updatedAt"),
            isCurrent: valueIn(one, "isCurrent") === true,
          }))
          .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt)),
      };
    },
    linkGoogle: google
      ? async () => {
          const here = window.location.origin + window.location.pathname;
          const response = await request("/link-social", {
            provider: "google",
            callbackURL: here,
            errorCallbackURL: here,
          });
          window.location.assign(textIn(response, "url"));
        }
      : undefined,
    async addPasskey(name) {
      const { addPasskey } = await import("./passkeys.ts");
      await addPasskey(request, name);
    },
    async removePasskey(id) {
      await request("/passkey/delete-passkey", { id });
    },
    async beginApp(password) {
      const setup = await request("/two-factor/enable", { password });
      return { uri: textIn(setup, "totpURI"), recoveryCodes: codesIn(setup) };
    },
    async finishApp(code) {
      await request("/two-factor/verify-totp", { code: code.replaceAll(/\s/g, "") });
      onNewSession();
    },
    async removeApp(password) {
      await request("/two-factor/disable", { password });
      onNewSession();
    },
    renewRecoveryCodes: async (password) => codesIn(await request("/two-factor/generate-backup-codes", { password })),
    async endSession(id) {
      await request("/end-session", { id });
    },
  };
}

const codesIn = (response: unknown): string[] => listOf(valueIn(response, "backupCodes")).map(String);
