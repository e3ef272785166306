import type { KeyMode, PlanName, Scope } from "@tintype/contract";
import type { Access } from "@tintype/contract/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The part that all kinds of callers share. */
type Principal = {
  /** The holder of credits and jobs, `guest:...` or `person:...`. */
  key: string;
  /** Their proof: a guest's cookie, a token of a session, an API key. */
  by: "cookie" | "session" | "key";
  /** Their permissions; `http/endpoint.ts` compares them with the scope that the call needs. */
  scopes: readonly Scope[];
  /** `test` for test keys: everything is checked, nothing is charged, and results are marked and small. */
  mode: KeyMode;
};
export type Guest = Principal & { kind: "guest"; tier: "guest"; network: string };
export type Person = Principal & {
  kind: "person";
  /** The plan that they have now. */
  tier: PlanName;
  /** What their subscription gives; `tier` is better while an operator's grant lasts. */
  paidPlan: PlanName;
  /** Until when `tier` was granted by an operator; null where it was not. */
  grantedUntil: Date | null;
  accountId: string;
  issuer: string;
  subject: string;
  email: string;
  name: string;
  picture: string | null;
  /** Whether the address is known to be theirs. */
  emailVerified: boolean;
  network: string;
  /** When they signed in, where the identity provider says so. */
  signedInAt?: Date | undefined;
  /** The API key of a call that was made with one. */
  keyId?: string | undefined;
  /** The guest this browser was before it signed in, and whose signed cookie it still sends. */
  guestKey?: string | undefined;
};
export type Caller = Guest | Person;

/** The holders whose jobs the caller may see: their own, and those they began as a guest a moment before they signed in. */
export const ownersOf = (caller: Caller): readonly string[] =>
  caller.kind === "person" && caller.guestKey ? [caller.key, caller.guestKey] : [caller.key];

export type CallerFor<A extends Access> = A extends "person" ? Person : A extends "anybody" ? undefined : Caller;

/**
 * Finds the caller, as far as the access needs it. A guest gets a cookie on the way out.
 * @throws unauthorized where a token or key is wrong, or missing and needed; account-blocked; too-many-requests for a key
 */
export type Authenticate = <A extends Access>(
  request: FastifyRequest,
  reply: FastifyReply,
  access: A,
) => Promise<CallerFor<A>>;
