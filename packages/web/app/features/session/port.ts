/** The person signed in, as the identity provider knows them. */
export type Person = {
  /** The provider's id of them: another id is another person. */
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

/** Passkeys, the authenticator app and sessions: of our own provider. Others have pages of their own for them. */
export type Factors = {
  read(): Promise<{
    hasPassword: boolean;
    hasGoogle: boolean;
    hasApp: boolean;
    passkeys: Passkey[];
    sessions: SignedIn[];
  }>;
  /** Leaves the page for Google, which leads back to it. Undefined where the operator has set up no Google. */
  linkGoogle: (() => Promise<void>) | undefined;
  /** The browser asks for a fingerprint, a face, a PIN or a security key. @throws IdentityProblem recent-login-needed */
  addPasskey(name: string): Promise<void>;
  removePasskey(id: string): Promise<void>;
  /** A secret for the app, as an `otpauth:` address, and recovery codes. Nothing counts before `finishApp`. */
  beginApp(password: string): Promise<{ uri: string; recoveryCodes: string[] }>;
  finishApp(code: string): Promise<void>;
  removeApp(password: string): Promise<void>;
  /** The ones before count no more. */
  renewRecoveryCodes(password: string): Promise<string[]>;
  endSession(id: string): Promise<void>;
};

/**
 * The provider of accounts, for the web app. Each method that asks the provider throws IdentityProblem where the
 * provider says no, with a code of ours, never the provider's own, and ConnectionLost where it cannot be reached.
 */
export type Identity = {
  /** The person signed in; asks the provider again, as after another tab signed in or out. */
  check(): Promise<Person | undefined>;
  /** Calls back when somebody signs in or out by these methods or elsewhere in this browser. */
  onChange(listener: (person: Person | undefined) => void): void;
  /**
   * An ID token that has a while to live; a new one where `refused` names one the API does not accept. Undefined once
   * no person is signed in.
   */
  token(refused?: string): Promise<string | undefined>;
  /** "code-needed": the password was right, and the account wants a second factor, by `verifyCode`. */
  signIn(credentials: { email: string; password: string }): Promise<"signed-in" | "code-needed">;
  verifyCode(code: Code): Promise<void>;
  /** The browser offers the passkeys that it and the person's devices have for this site. */
  signInWithPasskey(): Promise<void>;
  /** Undefined where the provider has them elsewhere. */
  factors: Factors | undefined;
  /** Makes the account, with its display name, and signs in. */
  signUp(account: { name: string; email: string; password: string }): Promise<void>;
  /**
   * In a window of its own. If the browser blocks it, the page itself goes to Google: then it answers
   * "redirected", and the page is about to be left. To be called from a click, before anything is awaited.
   */
  signInWithGoogle(): Promise<"signed-in" | "redirected">;
  /** Once after a page came back from Google. @throws IdentityProblem with what it ended with, if not with a person */
  finishRedirect(): Promise<void>;
  /** Sends a mail with a link, if there is such an account; does not tell whether there is. */
  requestPasswordReset(email: string): Promise<void>;
  /** With what the mail's link brought along. */
  resetPassword(reset: { token: string; password: string }): Promise<void>;
  changePassword(passwords: { current: string; next: string }): Promise<void>;
  /** Mails the link that verifies the address of the signed-in person once more. */
  sendVerification(): Promise<void>;
  methods(): Promise<Methods>;
  /** @throws IdentityProblem recent-login-needed where the provider would refuse to delete the account now */
  assertDeletable(): Promise<void>;
  /** Deletes the account where that is the browser's business; elsewhere our server has done it. */
  deleteAccount(): Promise<void>;
  signOut(): Promise<void>;
};
