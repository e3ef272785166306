import type { PublicConfig } from "@tintype/contract";
import { createBuiltInIdentity } from "../built-in/built-in-identity.ts";
import type { Identity } from "../port.ts";

/** Whoever the server says holds its accounts. Firebase's SDK is only ever loaded where it is the one. */
export async function openIdentity(settings: PublicConfig["identity"], builtInBase: string): Promise<Identity> {
  if (settings.provider === "built-in") return createBuiltInIdentity(builtInBase, settings);
  const { createFirebaseIdentity } = await import("../firebase/firebase-identity.ts");
  return createFirebaseIdentity(settings);
}
