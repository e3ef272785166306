import { hkdfSync } from "node:crypto";

/** Keys derived from `TINTYPE_SECRET`, one for each purpose: none verifies or decrypts what another signed or encrypted. */
export type DerivedKeys = {
  /** Signs the cookies of guests. */
  guestCookies: string;
  /** better-auth's secret: for its cookies, its mailed tokens, and what it encrypts in the database. */
  identityProvider: string;
  /** The key for hashing callers' networks. */
  networks: string;
  /** The key for the hash that finds a deleted account's counters again. */
  keptCounters: string;
  /** Webhook secrets are derived from it. */
  webhooks: string;
  /** Seed of the Ed25519 key that signs receipts, 32 bytes. */
  receipts: Buffer;
  /** The key of the hashes that recognise a caller's own results. */
  results: string;
  /** The test gateway's key pair and webhook secret. */
  paymentSandbox: string;
  /** Tells processes with this secret from those with another. It is stored in the database. */
  installation: string;
};

/** HKDF with SHA-256 (RFC 5869), the purpose as `info`. Each key has 32 bytes, base64url for text. */
export function deriveKeys(secret: string): DerivedKeys {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "", `tintype ${purpose}`, 32));
  const text = (purpose: string) => derive(purpose).toString("base64url");
  return {
    guestCookies: text("guest cookies"),
    identityProvider: text("identity provider"),
    networks: text("networks"),
    keptCounters: text("kept counters"),
    // Not HKDF: customers' servers hold secrets derived in this way, and another key would change all of them. This string
    // is used only as this HMAC key.
    webhooks: `webhook ${secret}`,
    receipts: derive("receipts, Ed25519"),
    results: text("results"),
    paymentSandbox: text("payment sandbox"),
    installation: text("installation"),
  };
}

/** The key of one purpose that signs and encrypts, then the one derived from `TINTYPE_SECRET_PREVIOUS`, which is still accepted. */
export function acceptedKeys<Name extends keyof DerivedKeys>(
  { keys, previousKeys }: { keys: DerivedKeys; previousKeys: DerivedKeys | undefined },
  name: Name,
): [DerivedKeys[Name], ...DerivedKeys[Name][]] {
  return previousKeys ? [keys[name], previousKeys[name]] : [keys[name]];
}
