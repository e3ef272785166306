/** Our codes for a provider's reasons to refuse an attempt. */
export type IdentityProblemCode =
  | "wrong-credentials"
  | "wrong-password"
  | "email-taken"
  | "invalid-email"
  | "password-too-short"
  | "password-too-long"
  | "too-many-attempts"
  | "account-blocked"
  | "not-admitted"
  | "account-disabled"
  | "other-method"
  | "google-cancelled"
  | "google-declined"
  | "google-unavailable"
  | "name-refused"
  | "verification-link-spent"
  | "other-account"
  | "reset-link-spent"
  | "recent-login-needed"
  | "wrong-code"
  | "code-too-late"
  | "passkey-unknown"
  | "passkey-known"
  | "passkey-cancelled"
  | "passkey-without-lock"
  | "passkey-unavailable"
  | "unknown";

/** The identity provider refused. Its own message is in `cause`, for the console and never for the page. */
export class IdentityProblem extends Error {
  override readonly name = "IdentityProblem";
  readonly code: IdentityProblemCode;
  constructor(code: IdentityProblemCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}
