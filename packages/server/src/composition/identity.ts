import type { PublicConfig } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import type { JWTVerifyGetKey } from "jose";
import type { Config } from "../config.ts";
import type { TakeOver } from "../features/accounts/accounts.ts";
import { builtInAudience, builtInIssuer } from "../features/accounts/built-in-issuer.ts";
import type { IdentityProvider } from "../features/accounts/identity-provider.ts";
import { confirmBySession } from "../features/accounts/sessions.ts";
import { allowedAlgorithms, type ConfirmIdentity, remoteKeys, type TokenRules } from "../features/accounts/token.ts";
import type { Metrics } from "../http/metrics.ts";
import type { SiteOptions } from "../http/site.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import type { MailOutbox } from "../platform/mail-outbox.ts";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";

export type IdentityChoice = {
  rules: TokenRules;
  keys: JWTVerifyGetKey;
  confirm?: ConfirmIdentity;
  /** Set if the built-in provider is used. */
  provider?: IdentityProvider;
  settings: PublicConfig["identity"];
  /** Origins that the site's pages must reach for it. */
  allowed: SiteOptions["allowed"];
};

/** The origins of Google accounts' profile pictures. */
const googlePictures = "https://*.googleusercontent.com";
const nothing = { scripts: [], connections: [], frames: [], images: [] };

type IdentityDependencies = {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  outbox: MailOutbox;
  rateLimits: RateLimits;
  verifiesAddresses: boolean;
  takeOver: TakeOver;
  meter: Pick<Metrics, "countSignInFailed">;
};

/** The issuer whose tokens are accepted: Firebase or another OpenID Connect issuer if configured, otherwise our own provider. */
export async function chooseIdentity(config: Config, dependencies: IdentityDependencies): Promise<IdentityChoice> {
  const { db, clock, outbox } = dependencies;
  const claims = {
    subject: config.OIDC_CLAIM_SUBJECT,
    email: config.OIDC_CLAIM_EMAIL,
    verified: config.OIDC_CLAIM_VERIFIED,
    name: config.OIDC_CLAIM_NAME,
    picture: config.OIDC_CLAIM_PICTURE,
  };
  const algorithms = config.OIDC_ALGORITHMS ?? allowedAlgorithms;
  const wrong = algorithms.find((one) => !allowedAlgorithms.includes(one));
  if (wrong) throw new Error(`OIDC_ALGORITHMS: ${wrong} is not an asymmetric algorithm.`);
  const allow = config.OIDC_ALLOW;
  if (allow && !config.OIDC_ISSUER && !config.FIREBASE_PROJECT_ID)
    throw new Error("OIDC_ALLOW needs OIDC_ISSUER or FIREBASE_PROJECT_ID: the built-in provider has no such claims.");
  const common = { algorithms, clockSkewSeconds: config.OIDC_CLOCK_SKEW_S, claims, allow };
  const google = googleOf(config);

  if (config.FIREBASE_PROJECT_ID) {
    const projectId = config.FIREBASE_PROJECT_ID;
    const authDomain = config.FIREBASE_AUTH_DOMAIN ?? `${projectId}.firebaseapp.com`;
    const emulator = config.FIREBASE_EMULATOR_URL ? [new URL(config.FIREBASE_EMULATOR_URL).origin] : [];
    return {
      rules: {
        ...common,
        issuer: `https://securetoken.google.com/${projectId}`,
        audience: projectId,
        algorithms: ["RS256"],
      },
      keys: remoteKeys(
        config.OIDC_JWKS_URL ??
          "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
      ),
      settings: {
        provider: "firebase",
        google: true,
        options: {
          apiKey: config.FIREBASE_API_KEY ?? "",
          authDomain,
          projectId,
          ...(config.FIREBASE_APP_ID ? { appId: config.FIREBASE_APP_ID } : {}),
        },
        ...(config.FIREBASE_EMULATOR_URL ? { emulator_url: config.FIREBASE_EMULATOR_URL } : {}),
      },
      // Origins that Firebase's SDK needs: its calls, and for Google the frame's loader and the frame itself.
      allowed: {
        scripts: ["https://apis.google.com"],
        connections: ["https://identitytoolkit.googleapis.com", "https://securetoken.googleapis.com", ...emulator],
        frames: [`https://${authDomain}`, ...emulator],
        images: [googlePictures],
      },
    };
  }
  const settings = {
    provider: "built-in",
    google: google !== undefined,
    password_min_length: config.PASSWORD_MIN_LENGTH,
    second_factor: config.OIDC_ISSUER === undefined,
  } as const;
  if (config.OIDC_ISSUER) {
    if (!config.OIDC_AUDIENCE || !config.OIDC_JWKS_URL)
      throw new Error("OIDC_ISSUER requires OIDC_AUDIENCE and OIDC_JWKS_URL.");
    return {
      rules: { ...common, issuer: config.OIDC_ISSUER, audience: config.OIDC_AUDIENCE },
      keys: remoteKeys(config.OIDC_JWKS_URL),
      settings,
      allowed: nothing,
    };
  }
  // better-auth is a third of the server's code: a server with another provider starts faster without it.
  const { builtInKeys, createIdentityProvider } = await import("../features/accounts/identity-provider.ts");
  const { createProviderMails } = await import("../features/accounts/provider-mails.ts");
  const { reencryptSecrets, retireUnreadableKeys } = await import("../features/accounts/signing-key.ts");
  if (config.access.sign_up === "domain" && !dependencies.verifiesAddresses)
    throw new Error(
      "SIGN_UP=domain:... admits whoever types such an address, unless mail verifies it: set SMTP_URL and MAIL_FROM.",
    );
  const secret = config.keys.identityProvider;
  const previousSecret = config.previousKeys?.identityProvider;
  if (previousSecret !== undefined) await reencryptSecrets(db, { secret, previousSecret });
  await retireUnreadableKeys({ db, secret, log: dependencies.log });
  const provider = createIdentityProvider({
    name: config.brand.name,
    origin: config.origin,
    secret,
    previousSecret,
    db,
    clock,
    log: dependencies.log,
    mails: createProviderMails({ db, clock, outbox, origin: config.origin }),
    rateLimits: dependencies.rateLimits,
    verifiesAddresses: dependencies.verifiesAddresses,
    takeOver: dependencies.takeOver,
    admission: config.access,
    onSignInFailed: dependencies.meter.countSignInFailed,
    passwordMinLength: config.PASSWORD_MIN_LENGTH,
    ...(google ? { google } : {}),
  });
  return {
    rules: { ...common, issuer: builtInIssuer(config.origin), audience: builtInAudience },
    keys: builtInKeys(provider),
    confirm: confirmBySession(db),
    provider,
    settings,
    allowed: google ? { ...nothing, images: [googlePictures] } : nothing,
  };
}

function googleOf(config: Config) {
  if (!config.GOOGLE_CLIENT_ID || !config.GOOGLE_CLIENT_SECRET) return undefined;
  return {
    clientId: config.GOOGLE_CLIENT_ID,
    clientSecret: config.GOOGLE_CLIENT_SECRET,
    discoveryUrl: config.GOOGLE_DISCOVERY_URL,
  };
}
