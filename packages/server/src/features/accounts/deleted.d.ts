import type { Database, Transaction } from "../../platform/db/database.ts";
import type { Identity } from "./token.ts";
type Who = Pick<Identity, "issuer" | "subject">;
/**
 * Remembers that an account was deleted: a token from before is good for another hour, and an open page would bring
 * the account back with it. By the system's time, since that is what the issuer stamps on tokens.
 */
export declare function rememberDeleted(tx: Transaction, who: Who): Promise<void>;
/** @throws unauthorized for a token from before the deletion; a later sign-in makes a new account */
export declare function refuseDeleted(db: Database, identity: Who & Pick<Identity, "issuedAt">): Promise<void>;
/**
 * By which keys somebody is known again who deleted their account: their address and their identity, hashed with the
 * server's secret. Addresses are taken as they are: `ann+1@example.com` and `a.nn@example.com` are others than
 * `ann@example.com`, as they are for many mail servers.
 */
export declare function keptKeysOf({ issuer, subject, email }: Who & {
    email: string;
}, secret: string): string[];
export {};
