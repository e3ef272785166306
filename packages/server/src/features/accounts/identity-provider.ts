import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError } from "better-auth/api";
import { genericOAuth, jwt, oauthPopup, twoFactor } from "better-auth/plugins";
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import { freshSignInSeconds } from "../../http/caller.ts";
import type { SignInMethod } from "../../http/metrics.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { networkKey } from "../../platform/network.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
import type { TakeOver } from "./accounts.ts";
import type { Admission } from "./admission.ts";
import { builtInAudience, builtInIssuer, clientAddressHeader } from "./built-in-issuer.ts";
import { hideSessionTokens } from "./hide-session-tokens.ts";
import { providerHooks } from "./provider-hooks.ts";
import { createProviderLog, type ProviderLogTarget } from "./provider-log.ts";
import type { ProviderMails, ProviderUser } from "./provider-mails.ts";
import { withRenewedCookies } from "./renewed-cookies.ts";
import { sessionList } from "./session-list.ts";
import { keepSigningKey, signingAlgorithm } from "./signing-key.ts";
import { idpAccount, idpJwks, idpPasskey, idpSession, idpTwoFactor, idpUser, idpVerification } from "./tables.ts";

export type IdentityProviderOptions = {
  /** The product's name, as devices and authenticator apps show it. */
  name: string;
  origin: string;
  secret: string;
  /** Cookies signed with it are still accepted. */
  previousSecret: string | undefined;
  db: Database;
  clock: Clock;
  log: ProviderLogTarget;
  mails: ProviderMails;
  rateLimits: RateLimits;
  /** Whether a new account is mailed a link to verify its address. */
  verifiesAddresses: boolean;
  passwordMinLength: number;
  google?: { clientId: string; clientSecret: string; discoveryUrl: string };
  takeOver: TakeOver;
  admission: Admission;
  /** A sign-in was refused or rate-limited. */
  onSignInFailed(way: SignInMethod): void;
};

/** The calls at which a sign-in can fail, with paths relative to the provider. */
const signInCalls: Record<string, SignInMethod> = {
  "/sign-in/email": "password",
  "/two-factor/verify-totp": "second-factor",
  "/two-factor/verify-backup-code": "second-factor",
  "/passkey/verify-authentication": "passkey",
};

const daySeconds = 86_400;

/** What the server needs from the provider: a handler for requests below `/idp`, and its public keys. */
export type IdentityProvider = {
  handler(request: Request): Promise<Response>;
  getJwks(): ReturnType<ReturnType<typeof configure>["api"]["getJwks"]>;
};

/** An unreachable Google is retried at most this often. */
const googleRetryMs = 2_000;
/** The hint on how to offer Google is logged at most this often. */
const hintIntervalMs = 3_600_000;

/**
 * The built-in identity provider (better-auth), mounted at `/idp`, in the product's own database. It fetches Google's
 * endpoints once, when created. If that fails, Google is omitted and the provider is created again later.
 */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  let current = { auth: configure(options), madeAt: performance.now() };
  const lacksGoogle = async () => {
    const { socialProviders } = await current.auth.$context;
    return options.google !== undefined && !socialProviders.some(({ id }) => id === "google");
  };
  let hintedAt = Number.NEGATIVE_INFINITY;
  const logGoogleHint = (request: Request) => {
    const { pathname } = new URL(request.url);
    const isAsked = pathname.startsWith("/idp/sign-in/social") || pathname.startsWith("/idp/oauth-popup/");
    if (!isAsked || options.google || performance.now() - hintedAt < hintIntervalMs) return;
    hintedAt = performance.now();
    options.log.warn(
      {},
      "a sign-in with Google was requested; set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET to enable it (docs/configuration.md)",
    );
  };
  return {
    async handler(sent) {
      const request = withRenewedCookies(sent, options);
      if ((await lacksGoogle()) && performance.now() - current.madeAt > googleRetryMs)
        current = { auth: configure(options), madeAt: performance.now() };
      logGoogleHint(request);
      const { pathname } = new URL(request.url);
      const response = await refusalOf(await current.auth.handler(request));
      const way = signInCalls[pathname.replace(/^\/idp/, "")];
      if (way && response.status >= 400 && response.status < 500) options.onSignInFailed(way);
      return hideSessionTokens(pathname, response);
    },
    getJwks: () => current.auth.api.getJwks(),
  };
}

/**
 * better-auth endpoints that none of our pages use: changing an account's address, provider tokens, codes by mail.
 * `session-list.ts` replaces the endpoints that identify sessions by their tokens.
 */
const unusedPaths = [
  "/change-email",
  "/delete-user",
  "/delete-user/callback",
  "/unlink-account",
  "/get-access-token",
  "/refresh-token",
  "/account-info",
  "/update-session",
  "/list-sessions",
  "/revoke-session",
  "/revoke-sessions",
  "/revoke-other-sessions",
  "/two-factor/send-otp",
  "/two-factor/verify-otp",
];

/** The passkey plugin responds 500 to an invalid registration, which is the caller's fault. */
async function refusalOf(response: Response): Promise<Response> {
  if (response.status !== 500) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const code: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "code") : undefined;
  return code === "FAILED_TO_VERIFY_REGISTRATION" ? Response.json(body, { status: 400 }) : response;
}

function assertUserVerified(isVerified: boolean | undefined): void {
  if (!isVerified)
    throw new APIError("BAD_REQUEST", {
      code: "USER_VERIFICATION_NEEDED",
      message: "The passkey must be confirmed with a PIN, fingerprint or face.",
    });
}

function configure(options: IdentityProviderOptions) {
  const { name, origin, secret, db, log, mails, verifiesAddresses, passwordMinLength, google } = options;
  const providerLog = createProviderLog(log);
  return betterAuth({
    appName: name,
    baseURL: origin,
    basePath: "/idp",
    secret,
    trustedOrigins: [origin, ...sameMachine(origin)],
    disabledPaths: unusedPaths,
    telemetry: { enabled: false },
    logger: providerLog.logger,
    // By default the library shows a page of its own outside production.
    onAPIError: { ...providerLog.onAPIError, errorURL: `${origin}/` },
    ...providerHooks(options),
    database: databaseOf(db),
    advanced: {
      // Explicit, because the library disables the check under a test runner.
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      useSecureCookies: origin.startsWith("https:"),
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordMinLength,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 3600,
      sendResetPassword: ({ user, url }) => mails.sendReset(user, url),
      onPasswordReset: ({ user }) => providerHooks(options).onPasswordReset(user),
    },
    ...(verifiesAddresses
      ? {
          emailVerification: {
            sendOnSignUp: true,
            expiresIn: daySeconds,
            sendVerificationEmail: ({ user, token }: { user: ProviderUser; token: string }) =>
              mails.sendVerification(user, token),
          },
        }
      : {}),
    account: {
      // A provider sign-in opens an existing account with the same address only if both sides have verified it. Anyone may
      // have registered the address here; its owner gets in by the account's password or by a mailed link
      // (provider-hooks.ts).
      accountLinking: { enabled: true, requireLocalEmailVerified: true, updateUserInfoOnLink: true },
    },
    session: { freshAge: freshSignInSeconds },
    user: { deleteUser: { enabled: false } },
    rateLimit: rateLimitOf(options),
    plugins: [
      passkey({
        rpName: name,
        origin: [origin, ...sameMachine(origin)],
        // A passkey skips the second factor, so it must prove both the device and its user.
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        registration: {
          afterVerification: ({ verification }) => assertUserVerified(verification.registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: ({ verification }) => assertUserVerified(verification.authenticationInfo.userVerified),
        },
      }),
      sessionList(),
      // Its lock counts after the check, and whoever knows the password could hold it: guess-hooks.ts counts instead.
      twoFactor({ issuer: name, accountLockout: { enabled: false } }),
      jwt({
        // Each key signs for 30 days. Its successor is published while tokens of the old one are still valid.
        jwks: {
          keyPairConfig: { alg: signingAlgorithm },
          rotationInterval: 30 * daySeconds,
          gracePeriod: 2 * daySeconds,
        },
        adapter: {
          async createJwk(key) {
            const { id, publicKey, privateKey, createdAt, expiresAt } = await keepSigningKey(db, key);
            return { id, publicKey, privateKey, createdAt, alg: signingAlgorithm, ...(expiresAt ? { expiresAt } : {}) };
          },
        },
        jwt: {
          issuer: builtInIssuer(origin),
          audience: builtInAudience,
          expirationTime: "1h",
          // `sid`: a token is valid only while its session exists (sessions.ts).
          definePayload: ({ user, session }) => ({
            sid: session.id,
            email: user.email,
            email_verified: user.emailVerified,
            name: user.name,
            picture: user.image,
          }),
        },
      }),
      ...(google
        ? [
            genericOAuth({
              config: [
                {
                  providerId: "google",
                  scopes: ["openid", "email", "profile"],
                  pkce: true,
                  ...google,
                  // better-auth also accepts the text "true", which OpenID Connect (Core 1.0, 5.1) does not define.
                  mapProfileToUser: (profile) => ({ emailVerified: profile["email_verified"] === true }),
                },
              ],
            }),
          ]
        : []),
      oauthPopup(),
    ],
  });
}

const databaseOf = (db: Database) =>
  drizzleAdapter(db, {
    provider: "pg",
    schema: {
      user: idpUser,
      session: idpSession,
      account: idpAccount,
      verification: idpVerification,
      jwks: idpJwks,
      passkey: idpPasskey,
      twoFactor: idpTwoFactor,
    },
  });

const rateLimitOf = ({ secret, rateLimits }: IdentityProviderOptions): BetterAuthOptions["rateLimit"] => ({
  enabled: true,
  customStorage: {
    async consume(key, { window, max }) {
      // Its keys are the caller's address and the path. As a network's key, the networks around it are counted too.
      const [address = "", path = ""] = key.split("|");
      const network = networkKey(address, `rate limit ${secret}`);
      const rule = { limit: max, windowMs: window * 1000 };
      const { isAllowed, retryAfterSeconds } = await rateLimits.take(`identity:${path}:${network}`, rule);
      return { allowed: isAllowed, retryAfter: isAllowed ? null : retryAfterSeconds };
    },
  },
  window: 10,
  max: 200,
  customRules: {
    "/sign-in/email": { window: 60, max: 10 },
    "/sign-up/email": { window: 60, max: 20 },
    "/request-password-reset": { window: 300, max: 5 },
    "/send-verification-email": { window: 300, max: 5 },
    "/change-password": { window: 60, max: 10 },
    "/verify-password": { window: 60, max: 5 },
    "/passkey/verify-authentication": { window: 60, max: 20 },
    "/two-factor/*": { window: 60, max: 20 },
  },
});

/** On a development machine, localhost and 127.0.0.1 are the same server. */
function sameMachine(origin: string): string[] {
  const url = new URL(origin);
  if (url.hostname !== "localhost") return [];
  return ["127.0.0.1", "[::1]"].map((host) => `${url.protocol}//${host}${url.port ? `:${url.port}` : ""}`);
}

/** The provider looks up unknown keys at most this often: made-up key ids must cost nothing. */
const keyRefreshIntervalMs = 5_000;

/** The provider's public keys, read from its own tables. A request to ourselves could be blocked by a proxy. */
export function builtInKeys(provider: IdentityProvider): JWTVerifyGetKey {
  let known: { find: JWTVerifyGetKey; readAt: number } | undefined;
  const read = async () => {
    known = { find: createLocalJWKSet(await provider.getJwks()), readAt: performance.now() };
    return known;
  };
  return async (header, token) => {
    const current = known ?? (await read());
    try {
      return await current.find(header, token);
    } catch (problem) {
      if (!(problem instanceof errors.JWKSNoMatchingKey) || performance.now() - current.readAt < keyRefreshIntervalMs)
        throw problem;
      return (await read()).find(header, token);
    }
  };
}
