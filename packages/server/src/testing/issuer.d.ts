import type { webcrypto } from "node:crypto";
import { type JWTPayload } from "jose";
export type TestIssuer = {
    url: string;
    audience: string;
    privateKey: webcrypto.CryptoKey;
    /** A token for a subject; the given claims override the right ones and can make it wrong. */
    token(subject: string, claims?: JWTPayload, header?: Record<string, unknown>): Promise<string>;
    close(): Promise<void>;
};
/** An OpenID Connect issuer on loopback whose key the tests hold. */
export declare function startIssuer(): Promise<TestIssuer>;
