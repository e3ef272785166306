import { text } from "@tintype/contract";
import { ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { IdentityProblem, type IdentityProblemCode } from "./identity-problem.ts";

const sentences: Record<Exclude<IdentityProblemCode, "unknown">, string> = {
  "wrong-credentials": "The email or the password is not right.",
  "wrong-password": "The current password is not right.",
  "email-taken": "There is an account with this email already. Log in instead.",
  "invalid-email": text.invalidEmail,
  "password-too-short": "This password is too easy to guess. Please choose a longer one.",
  "password-too-long": "This password is too long. Please choose a shorter one.",
  "too-many-attempts": "Too many attempts. Please wait a minute, then try again.",
  "account-disabled": "This account has been closed. Please write to us if that is a mistake.",
  "other-method": "There is an account with this email that logs in another way. Please use that.",
  "google-cancelled": "The Google window was closed before you were logged in.",
  "google-declined": "Google did not get your permission, so you are not logged in.",
  "google-unavailable": "Google sign-in is not available here. Please use your e-mail address.",
  "name-refused": "Please enter your name, at most 80 characters and without a web address.",
  "verification-link-spent": "This link has been used or has run out. Log in and have it sent again.",
  "reset-link-spent": "This link has been used or has run out. Please ask for a new one.",
  "recent-login-needed": "Please log out and in again first: this is only done for a fresh login.",
};

type Options = {
  /** The sentence for an unknown failure. */
  fallback: string;
  /** Characters, where the provider's rule is known. */
  passwordMinLength?: number | undefined;
};

/** The failure of an attempt as a sentence for a person. Never a provider's own words. */
export function sentenceFor(problem: unknown, { fallback, passwordMinLength }: Options): string {
  if (problem instanceof ApiProblem || problem instanceof ConnectionLost) return problem.message;
  if (!(problem instanceof IdentityProblem) || problem.code === "unknown") return fallback;
  if (problem.code === "password-too-short" && passwordMinLength !== undefined)
    return `Please choose a password of at least ${passwordMinLength} characters.`;
  return sentences[problem.code];
}

export const sessionEnded = "Your session has ended. Please log in again.";
