import { type JWTPayload, type JWTVerifyGetKey } from "jose";
/** Asymmetric ones only: with HS256 a public key would be a shared secret that everybody knows. */
export declare const allowedAlgorithms: string[];
export type TokenRules = {
    issuer: string;
    audience: string;
    algorithms: readonly string[];
    clockSkewSeconds: number;
    claims: {
        subject: string;
        email: string;
        verified: string;
        name: string;
        picture: string;
    };
};
export type Identity = {
    issuer: string;
    subject: string;
    email: string;
    emailVerified: boolean;
    name: string;
    picture: string | null;
    /** When the token was made, if it says so. */
    issuedAt: Date | null;
};
/** @throws unauthorized for anything but a token of this issuer, for this audience, signed by it and not run out */
export type VerifyToken = (token: string) => Promise<Identity>;
/** A last look at a token that is right by itself. @throws unauthorized where it does not count any more */
export type ConfirmIdentity = (identity: Identity, payload: JWTPayload) => Promise<Identity>;
type Verifying = {
    rules: TokenRules;
    keys: JWTVerifyGetKey;
    confirm?: ConfirmIdentity | undefined;
};
export declare function createTokenVerifier({ rules, keys, confirm }: Verifying): VerifyToken;
/** The issuer's keys, fetched when first needed, kept, and asked for again at most every 30 s for an unknown one. */
export declare function remoteKeys(url: string): JWTVerifyGetKey;
export {};
