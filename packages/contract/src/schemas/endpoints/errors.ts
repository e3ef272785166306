import type { ErrorCode } from "../../facts/error.ts";

// Errors shared by many calls.

export const anyCall = [
  "invalid-request",
  "method-not-allowed",
  "too-many-requests",
  "internal",
] as const satisfies readonly ErrorCode[];
/** Errors of every call with a JSON body. */
export const bodyErrors = [
  "unsupported-media-type",
  "too-large",
  "upload-cut-off",
  "full",
] as const satisfies readonly ErrorCode[];
/** Errors of every call that needs a scope or rejects blocked accounts. */
export const callerErrors = [
  "unauthorized",
  "account-blocked",
  "not-admitted",
  "scope-missing",
] as const satisfies readonly ErrorCode[];
/** Errors of calls with `needsFreshSignIn`. */
export const freshSignInErrors = ["fresh-sign-in-required"] as const satisfies readonly ErrorCode[];
/** Errors that a single picture of a job can end with. */
export const pictureErrors = [
  "too-large",
  "not-an-image",
  "broken-image",
  "too-many-pixels",
  "cannot-process",
  "size-unreachable",
  "would-lose",
  "took-too-long",
  "url-refused",
  "url-unavailable",
  "engine-failed",
  "cancelled",
  "discarded",
  "interrupted",
  "not-installed",
  "unavailable",
] as const satisfies readonly ErrorCode[];
export const operationErrors = [
  ...anyCall,
  "no-files",
  "upload-cut-off",
  ...callerErrors,
  "out-of-credits",
  "network-allowance",
  "key-limit",
  "network-blocked",
  "conflict",
  "idempotency-in-progress",
  "idempotency-mismatch",
  "too-many-files",
  "unsupported-media-type",
  ...pictureErrors,
  "nothing-succeeded",
  "full",
] as const satisfies readonly ErrorCode[];
export const jobErrors = [...anyCall, ...callerErrors, "not-found"] as const satisfies readonly ErrorCode[];
export const personErrors = [...anyCall, ...callerErrors] as const satisfies readonly ErrorCode[];
