/** How long after a sign-in a person may pay, make keys, add passkeys and delete the account, seconds. */
export const freshSignInSeconds = 30 * 60;

/** Whether a sign-in is recent enough for what cannot be undone. */
export const isFreshSignIn = (signedInAt: Date, now: Date): boolean =>
  now.getTime() - signedInAt.getTime() < freshSignInSeconds * 1000;
