import { text } from "@tintype/contract";
import { ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { IdentityProblem, type IdentityProblemCode } from "./identity-problem.ts";

const sentences: Record<Exclude<IdentityProblemCode, "unknown">, string> = {
  "wrong-credentials": "Wrong email or password.",
  "wrong-password": "The current password is wrong.",
  "email-taken": "There is already an account with this email. Log in instead.",
  "invalid-email": text.invalidEmail,
  "password-too-short": "This password is too easy to guess. Please choose a longer one.",
  "password-too-long": "This password is too long. Please choose a shorter one.",
  "too-many-attempts": "Too many attempts. Please wait a minute, then try again.",
  "account-blocked": "This account is blocked. Please write to us through the contact form.",
  "not-admitted": "No account can be created with this email here. Please ask the people who run this service.",
  "account-disabled": "This account has been closed. Please contact us if this is a mistake.",
  "other-method":
    "There is already an account with this email. Log in with its password, or set a new one with “Forgot your password?”.",
  "google-cancelled": "The Google window was closed before you were signed in.",
  "google-declined": "You did not give Google permission, so you are not signed in.",
  "google-unavailable": "Google sign-in is not available here. Please use your email.",
  "name-refused": "Please enter your name, up to 80 characters and without a web address.",
  "verification-link-spent": "This link has been used or has expired. Log in to get a new one.",
  "other-account": "This link belongs to another account. Log in with the email that it was sent to.",
  "reset-link-spent": "This link has been used or has expired. Please request a new one.",
  "wrong-code": "Wrong code. Please check the app again.",
  "code-too-late": "That took too long or too many attempts. Please log in again from the start.",
  "passkey-unknown": "This passkey does not belong to an account here. Please sign in another way.",
  "passkey-known": "This device already has a passkey for your account.",
  "passkey-cancelled": "No passkey was used. Please try again, or sign in another way.",
  "passkey-without-lock": "A passkey needs a fingerprint, face or PIN. Please set one up on the device first.",
  "passkey-unavailable": "This browser does not support passkeys. Please sign in another way.",
  "recent-login-needed": "Please log out and back in first. This needs a recent login.",
};

export type SentenceOptions = {
  /** The message for an unknown failure. */
  fallback: string;
  /** More specific messages for this attempt. */
  instead?: Partial<Record<IdentityProblemCode, string>> | undefined;
  /** Characters, where the provider's rule is known. */
  passwordMinLength?: number | undefined;
};

/** The message for a failed attempt. Never the provider's own text. */
export function sentenceFor(problem: unknown, { fallback, instead, passwordMinLength }: SentenceOptions): string {
  if (problem instanceof ApiProblem || problem instanceof ConnectionLost) return problem.message;
  if (!(problem instanceof IdentityProblem) || problem.code === "unknown") return fallback;
  if (problem.code === "password-too-short" && passwordMinLength !== undefined)
    return `Please choose a password of at least ${passwordMinLength} characters.`;
  return instead?.[problem.code] ?? sentences[problem.code];
}

export const sessionEnded = "Your session has ended. Please log in again.";
