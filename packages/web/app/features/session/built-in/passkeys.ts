import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { IdentityProblem } from "../identity-problem.ts";
import type { Provider } from "./provider.ts";

type ProviderRequest = Provider["request"];

/** @throws IdentityProblem */
export async function signInWithPasskey(request: ProviderRequest): Promise<void> {
  const options = await request("/passkey/generate-authenticate-options");
  // The server's plugin generates them with the server half of this library.
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]["optionsJSON"];
  const response = await translateProblems(startAuthentication({ optionsJSON }));
  await request("/passkey/verify-authentication", { response });
}

/** @throws IdentityProblem */
export async function addPasskey(request: ProviderRequest, name: string): Promise<void> {
  const options = await request("/passkey/generate-register-options");
  const optionsJSON = options as Parameters<typeof startRegistration>[0]["optionsJSON"]; // as above
  const response = await translateProblems(startRegistration({ optionsJSON }));
  await request("/passkey/verify-registration", { response, name });
}

/** Maps the browser's errors (WebAuthn Level 3, 5.1) to ours. */
async function translateProblems<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await promise;
  } catch (problem) {
    const name = problem instanceof Error ? problem.name : "";
    const isKnown = problem instanceof WebAuthnError && problem.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
    if (isKnown || name === "InvalidStateError") throw new IdentityProblem("passkey-known", problem);
    if (name === "NotAllowedError" || name === "AbortError") throw new IdentityProblem("passkey-cancelled", problem);
    if (name === "ConstraintError") throw new IdentityProblem("passkey-without-lock", problem);
    throw new IdentityProblem("passkey-unavailable", problem);
  }
}
