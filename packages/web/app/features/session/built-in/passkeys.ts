import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { IdentityProblem } from "../identity-problem.ts";
import type { Provider } from "./ask-provider.ts";

type Ask = Provider["ask"];

/** @throws IdentityProblem */
export async function signInWithPasskey(ask: Ask): Promise<void> {
  const options = await ask("/passkey/generate-authenticate-options");
  // The server's plugin generates them with the server half of this library.
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]["optionsJSON"];
  const response = await withOwnProblems(startAuthentication({ optionsJSON }));
  await ask("/passkey/verify-authentication", { response });
}

/** @throws IdentityProblem */
export async function addPasskey(ask: Ask, name: string): Promise<void> {
  const options = await ask("/passkey/generate-register-options");
  const optionsJSON = options as Parameters<typeof startRegistration>[0]["optionsJSON"]; // as above
  const response = await withOwnProblems(startRegistration({ optionsJSON }));
  await ask("/passkey/verify-registration", { response, name });
}

/** Maps the browser's errors (WebAuthn Level 3, 5.1) to ours. */
async function withOwnProblems<Made>(made: Promise<Made>): Promise<Made> {
  try {
    return await made;
  } catch (problem) {
    const name = problem instanceof Error ? problem.name : "";
    const isKnown = problem instanceof WebAuthnError && problem.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
    if (isKnown || name === "InvalidStateError") throw new IdentityProblem("passkey-known", problem);
    if (name === "NotAllowedError" || name === "AbortError") throw new IdentityProblem("passkey-cancelled", problem);
    if (name === "ConstraintError") throw new IdentityProblem("passkey-without-lock", problem);
    throw new IdentityProblem("passkey-unavailable", problem);
  }
}
