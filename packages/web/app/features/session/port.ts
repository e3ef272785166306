/** The signed-in person, as the identity provider knows them. */
export type Person = {
  /** The provider's id: another id is another person. */
  id: string;
  name: string;
  email: string;
  picture: string | null;
};

/** How a person can sign in. */
export type Methods = { password: boolean; google: boolean; passkey: boolean };

/** A code of the authenticator app, or one of the recovery codes. */
export type Code = { code: string; kind: "app" | "recovery" };

export type Passkey = { id: string; name: string; createdAt: string };
export type SignedIn = { id: string; userAgent: string; createdAt: string; lastSeenAt: string; isCurrent: boolean };

/** Passkeys, the authenticator app and sessions of the built-in provider. Other providers have their own pages for them. */
export type Factors = {
  read(): Promise<{
    hasPassword: boolean;
    hasGoogle: boolean;
    hasApp: boolean;
    passkeys: Passkey[];
    sessions: SignedIn[];
  }>;
  /** Redirects to Google, which redirects back. Undefined if the operator has not set up Google. */
  linkGoogle: (() => Promise<void>) | undefined;
  /** The browser asks for a fingerprint, a face, a PIN or a security key. @throws IdentityProblem recent-login-needed */
  addPasskey(name: string): Promise<void>;
  removePasskey(id: string): Promise<void>;
  /** A secret for the app, as an `otpauth:` URI, and recovery codes. Takes effect only with `finishApp`. */
  beginApp(password: string): Promise<{ uri: string; recoveryCodes: string[] }>;
  finishApp(code: string): Promise<void>;
  removeApp(password: string): Promise<void>;
  /** Invalidates the previous ones. */
  renewRecoveryCodes(password: string): Promise<string[]>;
  endSession(id: string): Promise<void>;
};

/**
 * The account provider, for the web app. Each method that calls the provider throws IdentityProblem when it refuses,
 * with our own code and never the provider's, and ConnectionLost when it cannot be reached.
 */
export type Identity = {
  /** The signed-in person. Asks the provider again, for example after another tab signed in or out. */
  check(): Promise<Person | undefined>;
  /** Calls back when somebody signs in or out, by these methods or elsewhere in this browser. */
  onChange(listener: (person: Person | undefined) => void): void;
  /** An ID token that is valid for a while; a new one if `refused` is one that the API rejected. Undefined once no one is signed in. */
  token(refused?: string): Promise<string | undefined>;
  /** "code-needed": the password was correct, and the account requires a second factor, by `verifyCode`. */
  signIn(credentials: { email: string; password: string }): Promise<"signed-in" | "code-needed">;
  verifyCode(code: Code): Promise<void>;
  /** The browser offers the passkeys for this site. */
  signInWithPasskey(): Promise<void>;
  /** Undefined if the provider manages them elsewhere. */
  factors: Factors | undefined;
  /** Creates the account, with its display name, and signs in. */
  signUp(account: { name: string; email: string; password: string }): Promise<void>;
  /**
   * Opens a popup. If the browser blocks it, redirects the page to Google instead and resolves to "redirected". Call
   * it from a click handler, before any await.
   */
  signInWithGoogle(): Promise<"signed-in" | "redirected">;
  /** Call once after a page came back from Google. @throws IdentityProblem if the sign-in failed */
  finishRedirect(): Promise<void>;
  /** Sends a mail with a link if there is such an account; does not reveal whether there is. */
  requestPasswordReset(email: string): Promise<void>;
  /** `token` is from the mail's link. */
  resetPassword(reset: { token: string; password: string }): Promise<void>;
  changePassword(passwords: { current: string; next: string }): Promise<void>;
  /**
   * Proves the address of the signed-in person by the mail's `link`. Undefined if the provider has a page of its own.
   * @throws IdentityProblem verification-link-spent, or other-account if the link is another account's
   */
  verifyAddress: ((link: string) => Promise<void>) | undefined;
  /** Mails the verification link again. */
  sendVerification(): Promise<void>;
  methods(): Promise<Methods>;
  /** @throws IdentityProblem recent-login-needed if the provider would refuse to delete the account now */
  assertDeletable(): Promise<void>;
  /** Deletes the account if the browser must do it; otherwise our server has done it. */
  deleteAccount(): Promise<void>;
  signOut(): Promise<void>;
};
