/** How long after a sign-in a person may pay, create keys, add passkeys and delete the account, in seconds. */
export const freshSignInSeconds = 30 * 60;

/** Whether a sign-in is recent enough for irreversible actions. */
export const isFreshSignIn = (signedInAt: Date, now: Date): boolean =>
  now.getTime() - signedInAt.getTime() < freshSignInSeconds * 1000;
