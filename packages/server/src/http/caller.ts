import type { KeyMode, PlanName, Scope } from "@tintype/contract";
import type { Access } from "@tintype/contract/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";

/** What all kinds of callers have in common. */
type Principal = {
  /** The holder of credits and jobs, `guest:...` or `person:...`. */
  key: string;
  /** The credential: a guest's cookie, a session's token, an API key. */
  by: "cookie" | "session" | "key";
  /** Their permissions, which `http/endpoint.ts` compares with the scope that a call requires. */
  scopes: readonly Scope[];
  /** `test` for test keys: everything is checked, nothing is charged, and results are small and watermarked. */
  mode: KeyMode;
};
export type Guest = Principal & { kind: "guest"; tier: "guest"; network: string };
export type Person = Principal & {
  kind: "person";
  /** The current plan. */
  tier: PlanName;
  /** The plan that the subscription pays for. `tier` is higher while an operator's grant lasts. */
  paidPlan: PlanName;
  /** How long an operator grants `tier`; null if it is not granted. */
  grantedUntil: Date | null;
  accountId: string;
  issuer: string;
  subject: string;
  email: string;
  name: string;
  picture: string | null;
  /** Whether the address is verified as theirs. */
  emailVerified: boolean;
  network: string;
  /** When they signed in, if the identity provider reports it. */
  signedInAt?: Date | undefined;
  /** The API key, if the call was made with one. */
  keyId?: string | undefined;
  /** The most files that the key may process on a day (UTC), if it has a limit of its own. */
  keyDailyFiles?: number | undefined;
  /** The guest that this browser was before signing in, whose signed cookie it still sends. */
  guestKey?: string | undefined;
};
export type Caller = Guest | Person;

/** The holders whose jobs the caller may see: their own, and those they started as a guest just before signing in. */
export const ownersOf = (caller: Caller): readonly string[] =>
  caller.kind === "person" && caller.guestKey ? [caller.key, caller.guestKey] : [caller.key];

export type CallerFor<A extends Access> = A extends "person" ? Person : A extends "anybody" ? undefined : Caller;

/**
 * Identifies the caller, as far as the access requires it. A guest gets a cookie with the response.
 * @throws unauthorized when a token or key is invalid, or missing and required; account-blocked; too-many-requests for a key
 */
export type Authenticate = <A extends Access>(
  request: FastifyRequest,
  reply: FastifyReply,
  access: A,
) => Promise<CallerFor<A>>;

/** How long after a sign-in a person may pay, create keys, add passkeys and delete the account, in seconds. */
export const freshSignInSeconds = 30 * 60;

/** Whether a sign-in is recent enough for irreversible actions. */
export const isFreshSignIn = (signedInAt: Date, now: Date): boolean =>
  now.getTime() - signedInAt.getTime() < freshSignInSeconds * 1000;
