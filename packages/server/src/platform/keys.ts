import { hkdfSync } from "node:crypto";

/** Keys derived from `TINTYPE_SECRET`, one for each purpose: what one of them signed or encrypted means nothing to another. */
export type DerivedKeys = {
  /** Signs the cookies of guests. */
  guestCookies: string;
  /** better-auth's secret: its cookies and mailed tokens, and what it encrypts in the database. */
  identityProvider: string;
  /** Keys the hash of callers' networks. */
  networks: string;
  /** Keys the hash by which a deleted account's counters are found again. */
  keptCounters: string;
  /** Secrets of webhooks are derived from it. */
  webhooks: string;
  /** Seed of the Ed25519 key that signs receipts, 32 bytes. */
  receipts: Buffer;
  /** The test gateway's key pair and webhook secret. */
  paymentSandbox: string;
};

/** HKDF with SHA-256 (RFC 5869), the purpose as `info`. Each key has 32 bytes, base64url where it is text. */
export function deriveKeys(secret: string): DerivedKeys {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "", `tintype ${purpose}`, 32));
  const text = (purpose: string) => derive(purpose).toString("base64url");
  return {
    guestCookies: text("guest cookies"),
    identityProvider: text("identity provider"),
    networks: text("networks"),
    keptCounters: text("kept counters"),
    // Not HKDF: customers' servers hold the secrets that were derived so, and another key would change every one of
    // them. As an HMAC key this string is used for nothing else.
    webhooks: `webhook ${secret}`,
    receipts: derive("receipts, Ed25519"),
    paymentSandbox: text("payment sandbox"),
  };
}

/** The key of one purpose that signs and encrypts, then the one of `TINTYPE_SECRET_PREVIOUS`, which is still accepted. */
export function acceptedKeys<Name extends keyof DerivedKeys>(
  { keys, previousKeys }: { keys: DerivedKeys; previousKeys: DerivedKeys | undefined },
  name: Name,
): [DerivedKeys[Name], ...DerivedKeys[Name][]] {
  return previousKeys ? [keys[name], previousKeys[name]] : [keys[name]];
}
