import { createHmac } from "node:crypto";
import { productName } from "@tintype/contract";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { bearer, genericOAuth, jwt, oauthPopup } from "better-auth/plugins";
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import type { Database } from "../../platform/db/database.ts";
import { idpAccount, idpJwks, idpSession, idpUser, idpVerification } from "../../platform/db/tables.ts";
import type { Mail } from "../../platform/mail.ts";
import { layMail } from "../../platform/mail-layout.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";

export type IdentityProviderOptions = {
  origin: string;
  secret: string;
  db: Database;
  mail: Mail;
  rateLimits: RateLimits;
  passwordMinLength: number;
  google?: { clientId: string; clientSecret: string; discoveryUrl: string };
};

/** Who the built-in provider's tokens are for. */
export const builtInAudience = "tintype";
export const builtInIssuer = (origin: string) => `${origin}/idp`;

const daySeconds = 86_400;

/** What the rest of the server asks of it: answers to what comes in below `/idp`, and its public keys. */
export type IdentityProvider = {
  handler(request: Request): Promise<Response>;
  getJwks(): ReturnType<ReturnType<typeof configure>["api"]["getJwks"]>;
};

/** A Google that could not be reached is tried again at most this often. */
const googleRetryMs = 2_000;

/**
 * The built-in identity provider (better-auth), mounted at `/idp`, in the product's own database. It asks for Google's
 * addresses once, when it is made, and leaves Google out where they cannot be had: then it is made anew.
 */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  let current = { auth: configure(options), madeAt: performance.now() };
  const lacksGoogle = async () => {
    const { socialProviders } = await current.auth.$context;
    return options.google !== undefined && !socialProviders.some(({ id }) => id === "google");
  };
  return {
    async handler(request) {
      if ((await lacksGoogle()) && performance.now() - current.madeAt > googleRetryMs)
        current = { auth: configure(options), madeAt: performance.now() };
      return current.auth.handler(request);
    },
    getJwks: () => current.auth.api.getJwks(),
  };
}

function configure(options: IdentityProviderOptions) {
  const { origin, secret, db, mail, passwordMinLength, google } = options;
  return betterAuth({
    appName: productName,
    baseURL: origin,
    basePath: "/idp",
    secret,
    trustedOrigins: [origin, ...sameMachine(origin)],
    telemetry: { enabled: false },
    database: drizzleAdapter(db, {
      provider: "pg",
      schema: { user: idpUser, session: idpSession, account: idpAccount, verification: idpVerification, jwks: idpJwks },
    }),
    advanced: {
      // Said outright: left out, the library switches the check off under a test runner.
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      useSecureCookies: origin.startsWith("https:"),
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordMinLength,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 3600,
      async sendResetPassword({ user, url }) {
        const subject = `Set a new ${productName} password`;
        const content = layMail({
          title: subject,
          name: user.name,
          paragraphs: [
            "Follow the link within an hour to set a new password.",
            "If you did not ask for it, you need do nothing: your password stays as it is.",
          ],
          link: { label: "Set a new password", url },
        });
        await mail.send({ to: user.email, subject, ...content });
      },
    },
    account: { accountLinking: { enabled: true, trustedProviders: ["google"] } },
    user: { deleteUser: { enabled: false } },
    rateLimit: {
      enabled: true,
      customStorage: {
        async consume(key, { window, max }) {
          // Its keys carry the caller's address.
          const hash = createHmac("sha256", `rate limit ${secret}`).update(key).digest("base64url").slice(0, 32);
          const rule = { limit: max, windowMs: window * 1000 };
          const { isAllowed, retryAfterSeconds } = await options.rateLimits.take(`identity:${hash}`, rule);
          return { allowed: isAllowed, retryAfter: isAllowed ? null : retryAfterSeconds };
        },
      },
      window: 10,
      max: 200,
      customRules: {
        "/sign-in/email": { window: 60, max: 10 },
        "/sign-up/email": { window: 60, max: 20 },
        "/request-password-reset": { window: 300, max: 5 },
        "/change-password": { window: 60, max: 10 },
      },
    },
    plugins: [
      bearer(),
      jwt({
        // Signed by one key for 30 days; its successor is published while tokens of the old one still live.
        jwks: { keyPairConfig: { alg: "RS256" }, rotationInterval: 30 * daySeconds, gracePeriod: 2 * daySeconds },
        jwt: {
          issuer: builtInIssuer(origin),
          audience: builtInAudience,
          expirationTime: "1h",
          definePayload: ({ user }) => ({
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
              config: [{ providerId: "google", scopes: ["openid", "email", "profile"], pkce: true, ...google }],
            }),
          ]
        : []),
      oauthPopup(),
    ],
  });
}

/** Set by us alone, from the connection or a trusted proxy; whatever a caller sends under this name is dropped. */
export const clientAddressHeader = "x-tintype-client-address";

/** A laptop is localhost and 127.0.0.1 at once. */
function sameMachine(origin: string): string[] {
  const url = new URL(origin);
  if (url.hostname !== "localhost") return [];
  return ["127.0.0.1", "[::1]"].map((host) => `${url.protocol}//${host}${url.port ? `:${url.port}` : ""}`);
}

/** A key that is not known is looked for again at most this often, so that made-up key ids cost nothing. */
const refreshMs = 5_000;

/** The provider's public keys, read from its own tables: no request to ourselves, which a proxy could be in the way of. */
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
      if (!(problem instanceof errors.JWKSNoMatchingKey) || performance.now() - current.readAt < refreshMs)
        throw problem;
      return (await read()).find(header, token);
    }
  };
}
