import { DomainError } from "@tintype/contract";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { Person } from "../../http/caller.ts";
import { cleanName } from "./person-name.ts";

/** Asymmetric algorithms only: with HS256 the public key would serve as the shared secret. */
export const allowedAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];

export type TokenRules = {
  issuer: string;
  audience: string;
  algorithms: readonly string[];
  clockSkewSeconds: number;
  claims: { subject: string; email: string; verified: string; name: string; picture: string };
  /** Whose tokens are accepted; by default everybody's. */
  allow?: AllowedClaims | undefined;
};
/** A claim, or a path to it with dots, of which a token must have one of the values. */
export type AllowedClaims = { claim: string; values: readonly string[] };
export type Identity = Pick<Person, "issuer" | "subject" | "email" | "emailVerified" | "name" | "picture"> & {
  /** When the token was issued, if it says so. */
  issuedAt: Date | null;
  /** When the person signed in, if known. */
  signedInAt?: Date;
};
/**
 * @throws unauthorized unless the token is this issuer's, for this audience, validly signed and unexpired; not-admitted if its claims
 * are not among those allowed
 */
export type VerifyToken = (token: string) => Promise<Identity>;

/** The last check of a token that verifies. @throws unauthorized if it was revoked */
export type ConfirmIdentity = (identity: Identity, payload: JWTPayload) => Promise<Identity>;

type TokenVerifierOptions = { rules: TokenRules; keys: JWTVerifyGetKey; confirm?: ConfirmIdentity | undefined };

/** No genuine token is longer. A longer one is refused before it costs anything. */
const maxTokenLength = 8192;

export function createTokenVerifier({ rules, keys, confirm }: TokenVerifierOptions): VerifyToken {
  return async (token) => {
    if (token.length > maxTokenLength) throw new DomainError("unauthorized");
    const payload = await jwtVerify(token, keys, {
      issuer: rules.issuer,
      audience: rules.audience,
      algorithms: [...rules.algorithms],
      clockTolerance: rules.clockSkewSeconds,
      requiredClaims: ["exp", rules.claims.subject],
    }).then(
      (verified) => verified.payload,
      (cause: unknown) => {
        // Failing to fetch the keys is a server problem: with 503 the caller keeps their session.
        const isOurs =
          cause instanceof errors.JWKSTimeout || (cause instanceof TypeError && /fetch/.test(cause.message));
        throw new DomainError(isOurs ? "unavailable" : "unauthorized", { cause });
      },
    );
    if (rules.allow && !isAllowed(payload, rules.allow))
      throw new DomainError("not-admitted", {
        detail: "Your account is not among those that may use this service. Please ask the people who run it.",
      });
    const claim = (name: string) => (typeof payload[name] === "string" ? payload[name].slice(0, 1000) : "");
    const subject = claim(rules.claims.subject);
    if (!subject || subject.length > 255) throw new DomainError("unauthorized");
    const email = claim(rules.claims.email);
    const identity = {
      issuer: rules.issuer,
      subject,
      email,
      emailVerified: isVerified(payload[rules.claims.verified], rules.issuer),
      name: cleanName(claim(rules.claims.name)) || email,
      picture: claim(rules.claims.picture) || null,
      issuedAt: payload.iat === undefined ? null : new Date(payload.iat * 1000),
    };
    return confirm ? confirm(identity, payload) : identity;
  };
}

/** Text or a list of texts, at the top of the payload or, as Keycloak's `realm_access.roles`, inside it. */
function isAllowed(payload: JWTPayload, { claim, values }: AllowedClaims): boolean {
  const inside = (value: unknown, name: string) =>
    typeof value === "object" && value !== null && Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : undefined;
  const found = inside(payload, claim) ?? claim.split(".").reduce<unknown>(inside, payload);
  return (Array.isArray(found) ? found : [found]).some((one) => typeof one === "string" && values.includes(one));
}

/** Apple documents its claim as a boolean or the text "true". From any other issuer, text proves nothing. */
const isVerified = (claim: unknown, issuer: string): boolean =>
  claim === true || (issuer === "https://appleid.apple.com" && claim === "true");

/** The issuer's keys, fetched on first use and cached. For an unknown key they are fetched again at most every 30 s. */
export function remoteKeys(url: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), { timeoutDuration: 5000, cooldownDuration: 30_000, cacheMaxAge: 600_000 });
}
