import { ConnectionLost } from "@tintype/contract/api";
import { isReturning, markRedirect } from "../hint.ts";
import { IdentityProblem } from "../identity-problem.ts";
import type { Identity, Person } from "../port.ts";
import { createFactors } from "./factors.ts";
import { googleProblem, openGoogleWindow } from "./google-window.ts";
import { createProvider, listOf, providersIn, refusal, textIn, valueIn } from "./provider.ts";
import { createTokenCache } from "./token-cache.ts";

/** The page that the password reset link opens. */
const setPasswordPath = "/account/set-password";

/** Our own provider at `base` (`/idp`): a session in an HttpOnly cookie, which yields ID tokens. */
export function createBuiltInIdentity(
  base: string,
  { google, second_factor: hasFactors }: { google: boolean; second_factor: boolean },
): Identity {
  const { send, request } = createProvider(base);
  let notify: (person: Person | undefined) => void = () => undefined;

  const tokens = createTokenCache({
    now: () => performance.now(),
    async fetchToken() {
      const { status, body } = await send("/token");
      if (status === 401) return undefined;
      const token = textIn(body, "token");
      if (!token) throw new ConnectionLost(body);
      return token;
    },
  });

  async function check(): Promise<Person | undefined> {
    const session = await request("/get-session");
    return personIn(session);
  }
  async function enter() {
    tokens.clear();
    const person = await check();
    notify(person);
    return person;
  }

  return {
    check() {
      tokens.clear();
      return check();
    },
    onChange(listener) {
      notify = listener;
    },
    token: (refused) => tokens.get(refused),
    async signIn({ email, password }) {
      const response = await request("/sign-in/email", { email, password });
      if (valueIn(response, "twoFactorRedirect") === true) return "code-needed";
      await enter();
      return "signed-in";
    },
    async verifyCode({ code, kind }) {
      const path = kind === "app" ? "/two-factor/verify-totp" : "/two-factor/verify-backup-code";
      await request(path, { code: code.replaceAll(/\s/g, "") });
      await enter();
    },
    async signInWithPasskey() {
      const { signInWithPasskey } = await import("./passkeys.ts");
      await signInWithPasskey(request);
      await enter();
    },
    factors: hasFactors ? createFactors({ request, google, onNewSession: tokens.clear }) : undefined,
    async signUp({ name, email, password }) {
      await request("/sign-up/email", { name, email, password });
      await enter();
    },
    async signInWithGoogle() {
      if (!google) {
        await send("/sign-in/social", { provider: "google", callbackURL: "/" }); // puts it in the operator's log
        throw new IdentityProblem("google-unavailable");
      }
      const visit = openGoogleWindow(base);
      if (!visit) {
        const here = window.location.origin + window.location.pathname;
        const response = await request("/sign-in/social", {
          provider: "google",
          callbackURL: here,
          errorCallbackURL: here,
        });
        markRedirect();
        window.location.assign(textIn(response, "url"));
        return "redirected";
      }
      await visit;
      if (!(await enter())) throw new IdentityProblem("google-cancelled");
      return "signed-in";
    },
    async finishRedirect() {
      if (!isReturning()) return;
      const { pathname, search, hash } = window.location;
      const error = new URLSearchParams(search).get("error");
      if (error !== null) window.history.replaceState(window.history.state, "", pathname + hash);
      if (await check()) return;
      throw new IdentityProblem(error === null ? "google-cancelled" : googleProblem(error), error);
    },
    async requestPasswordReset(email) {
      await request("/request-password-reset", { email, redirectTo: setPasswordPath });
    },
    async resetPassword({ token, password }) {
      await request("/reset-password", { token, newPassword: password });
    },
    async changePassword({ current, next }) {
      // Ends every other session; this browser gets a new session with the response.
      await request("/change-password", { currentPassword: current, newPassword: next, revokeOtherSessions: true });
      tokens.clear();
    },
    async verifyAddress(link) {
      const response = await request(`/verify-email?${new URLSearchParams({ token: link })}`);
      // Without the account's session, the provider leads to the page for others instead.
      if (valueIn(response, "status") !== true) throw new IdentityProblem("other-account", response);
    },
    async sendVerification() {
      const email = (await check())?.email;
      const { status, body } = await send("/send-verification-email", { email });
      // Verified in another window meanwhile: there is nothing left to send.
      if (status >= 400 && textIn(body, "code") !== "EMAIL_ALREADY_VERIFIED") throw refusal(status, body);
    },
    async methods() {
      const providers = providersIn(await request("/list-accounts"));
      const passkeys = hasFactors ? listOf(await request("/passkey/list-user-passkeys")) : [];
      return {
        password: providers.includes("credential"),
        google: providers.includes("google"),
        passkey: passkeys.length > 0,
      };
    },
    // Our own server deletes the account with all personal data.
    assertDeletable: async () => undefined,
    deleteAccount: async () => undefined,
    async signOut() {
      await request("/sign-out", {});
      tokens.clear();
      notify(undefined);
    },
  };
}

function personIn(session: unknown): Person | undefined {
  const user = valueIn(session, "user");
  const id = textIn(user, "id");
  if (!id) return undefined;
  return { id, name: textIn(user, "name"), email: textIn(user, "email"), picture: textIn(user, "image") || null };
}
