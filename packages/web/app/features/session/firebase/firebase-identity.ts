import type { PublicConfig } from "@tintype/contract";
import { initializeApp } from "firebase/app";
import {
  browserLocalPersistence,
  browserPopupRedirectResolver,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  GoogleAuthProvider,
  getRedirectResult,
  initializeAuth,
  onAuthStateChanged,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithPopup,
  signInWithRedirect,
  signOut,
  type User,
  updatePassword,
  updateProfile,
} from "firebase/auth";
import { hintedPersonId, isReturning, markRedirect } from "../hint.ts";
import { IdentityProblem } from "../identity-problem.ts";
import type { Identity, Person } from "../port.ts";
import { isFirebaseCode, translate } from "./firebase-problem.ts";

type Settings = Extract<PublicConfig["identity"], { provider: "firebase" }>;

/** Firebase refuses to delete an account whose last sign-in is older than five minutes. */
const recentLoginMs = 4 * 60_000;
/** How long the SDK may take to notice what another tab did. */
const otherTabTimeoutMs = 2000;

/** Firebase Authentication. Loaded only when the server names it: the SDK is as large as the rest of a page. */
export function createFirebaseIdentity({ options, emulator_url: emulatorUrl }: Settings): Identity {
  const { appId, ...needed } = options;
  const auth = initializeAuth(initializeApp({ ...needed, ...(appId && { appId }) }), {
    persistence: browserLocalPersistence,
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  if (emulatorUrl) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true });

  let notify: (person: Person | undefined) => void = () => undefined;
  /** While true, listeners wait until the new account has its name. */
  let isSigningUp = false;
  onAuthStateChanged(auth, (user) => {
    if (!isSigningUp) notify(personOf(user));
  });

  return {
    async check() {
      await auth.authStateReady();
      // The hint announces another tab's sign-in a moment before the SDK reads it from the browser's storage.
      await waitUntil(() => (auth.currentUser?.uid ?? null) === hintedPersonId(), {
        changes: (onChange) => onAuthStateChanged(auth, onChange),
        timeoutMs: isReturning() ? 0 : otherTabTimeoutMs,
      });
      await renewOnceVerified(auth.currentUser);
      return personOf(auth.currentUser);
    },
    onChange(listener) {
      notify = listener;
    },
    async token(refused) {
      const { currentUser } = auth;
      if (!currentUser) return undefined;
      try {
        const token = await translate(currentUser.getIdToken());
        return token === refused ? await translate(currentUser.getIdToken(true)) : token;
      } catch (problem) {
        if (problem instanceof IdentityProblem) return undefined; // the account is deleted, disabled, or signed out elsewhere
        throw problem;
      }
    },
    async signIn({ email, password }) {
      await translate(signInWithEmailAndPassword(auth, email, password));
      return "signed-in";
    },
    verifyCode: elsewhere,
    signInWithPasskey: elsewhere,
    factors: undefined,
    async signUp({ name, email, password }) {
      isSigningUp = true;
      try {
        const { user } = await translate(createUserWithEmailAndPassword(auth, email, password));
        // The account exists now: failing to set its name must not look like a failed sign-up.
        await updateProfile(user, { displayName: name })
          .then(() => user.getIdToken(true)) // our server reads the name from the token
          .catch((problem: unknown) => reportError(problem));
        // Nor must failing to send the mail: it can be sent again.
        await sendEmailVerification(user, verifiedPage()).catch((problem: unknown) => reportError(problem));
        notify(personOf(user));
      } finally {
        isSigningUp = false;
      }
    },
    async signInWithGoogle() {
      const google = new GoogleAuthProvider();
      try {
        await signInWithPopup(auth, google);
        return "signed-in";
      } catch (problem) {
        if (!isFirebaseCode(problem, "popup-blocked", "operation-not-supported-in-this-environment"))
          return translate(Promise.reject(problem));
      }
      markRedirect();
      await translate(signInWithRedirect(auth, google));
      return "redirected";
    },
    async finishRedirect() {
      if (!isReturning()) return;
      const result = await translate(getRedirectResult(auth));
      if (!result && !auth.currentUser) throw new IdentityProblem("google-cancelled");
    },
    async requestPasswordReset(email) {
      // The response must not reveal whether the account exists.
      const isUnknown = (problem: unknown) => isFirebaseCode(problem, "user-not-found");
      await translate(
        sendPasswordResetEmail(auth, email).catch((problem: unknown) => {
          if (!isUnknown(problem)) throw problem;
        }),
      );
    },
    async resetPassword({ token, password }) {
      await translate(confirmPasswordReset(auth, token, password));
    },
    async changePassword({ current, next }) {
      const user = signedIn(auth.currentUser);
      const proof = EmailAuthProvider.credential(user.email ?? "", current);
      await translate(reauthenticateWithCredential(user, proof), { wrong: "wrong-password" });
      await translate(updatePassword(user, next));
    },
    verifyAddress: undefined,
    async sendVerification() {
      await translate(sendEmailVerification(signedIn(auth.currentUser), verifiedPage()));
    },
    async methods() {
      const providers = signedIn(auth.currentUser).providerData.map(({ providerId }) => providerId);
      return { password: providers.includes("password"), google: providers.includes("google.com"), passkey: false };
    },
    async assertDeletable() {
      const { authTime } = await translate(signedIn(auth.currentUser).getIdTokenResult());
      if (Date.now() - Date.parse(authTime) > recentLoginMs) throw new IdentityProblem("recent-login-needed");
    },
    async deleteAccount() {
      await translate(deleteUser(signedIn(auth.currentUser)));
    },
    async signOut() {
      await translate(signOut(auth));
    },
  };
}

/** Firebase handles second factors itself; we have no page for them. */
const elsewhere = (): Promise<never> => Promise.reject(new IdentityProblem("unknown"));

/** The page that Firebase links to after verification. */
const verifiedPage = () => ({ url: `${window.location.origin}/account?verified=1` });

/** The cached token states what was true when it was issued; an email verified since then needs a new one. */
async function renewOnceVerified(user: User | null): Promise<void> {
  if (!user || user.emailVerified) return;
  // Offline, or the account is gone: the next call with the token reports it.
  await user.reload().catch((problem: unknown) => reportError(problem));
  if (user.emailVerified) await user.getIdToken(true).catch((problem: unknown) => reportError(problem));
}

function personOf(user: User | null): Person | undefined {
  if (!user) return undefined;
  return { id: user.uid, name: user.displayName ?? "", email: user.email ?? "", picture: user.photoURL };
}

function signedIn(user: User | null): User {
  if (!user) throw new IdentityProblem("recent-login-needed");
  return user;
}

type WaitOptions = {
  /** Calls `onChange` on each change until the returned function is called. */
  changes(onChange: () => void): () => void;
  timeoutMs: number;
};

/** Waits for a condition, checking it on each change, for at most `timeoutMs`. */
function waitUntil(holds: () => boolean, { changes, timeoutMs }: WaitOptions): Promise<void> {
  return new Promise((resolve) => {
    if (holds() || timeoutMs === 0) return resolve();
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, timeoutMs);
    const stop = changes(() => holds() && end());
  });
}
