import { ConnectionLost } from "@tintype/contract/api";
import { FirebaseError } from "firebase/app";
import { IdentityProblem, type IdentityProblemCode } from "../identity-problem.ts";

const codes: Record<string, IdentityProblemCode> = {
  "invalid-credential": "wrong-credentials",
  "invalid-login-credentials": "wrong-credentials",
  "wrong-password": "wrong-credentials",
  "user-not-found": "wrong-credentials",
  "user-mismatch": "wrong-credentials",
  "email-already-in-use": "email-taken",
  "invalid-email": "invalid-email",
  "missing-email": "invalid-email",
  "weak-password": "password-too-short",
  "password-does-not-meet-requirements": "password-too-short",
  "too-many-requests": "too-many-attempts",
  "quota-exceeded": "too-many-attempts",
  "user-disabled": "account-disabled",
  "account-exists-with-different-credential": "other-method",
  "credential-already-in-use": "other-method",
  "popup-closed-by-user": "google-cancelled",
  "cancelled-popup-request": "google-cancelled",
  "user-cancelled": "google-declined",
  "expired-action-code": "reset-link-spent",
  "invalid-action-code": "reset-link-spent",
  "requires-recent-login": "recent-login-needed",
  "user-token-expired": "recent-login-needed",
};

const unreachable = ["network-request-failed", "timeout"];

/**
 * Maps Firebase's errors to our problems. `wrong` is our problem for invalid credentials.
 * @throws IdentityProblem, ConnectionLost
 */
export async function translate<T>(
  promise: Promise<T>,
  { wrong = "wrong-credentials" }: { wrong?: IdentityProblemCode } = {},
): Promise<T> {
  try {
    return await promise;
  } catch (problem) {
    if (isFirebaseCode(problem, ...unreachable)) throw new ConnectionLost(problem);
    const code = codes[codeOf(problem)] ?? "unknown";
    throw new IdentityProblem(code === "wrong-credentials" ? wrong : code, problem);
  }
}

/** Whether it is one of these Firebase errors: `isFirebaseCode(problem, "popup-blocked")`. */
export const isFirebaseCode = (problem: unknown, ...some: string[]): boolean => some.includes(codeOf(problem));

const codeOf = (problem: unknown): string =>
  problem instanceof FirebaseError ? problem.code.replace(/^auth\//, "") : "";
