import { type ApiKey, type CreatedApiKey, type KeyMode, type KeyScope } from "@tintype/contract";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
export type Keys = {
    db: Database;
    clock: Clock;
    origin: string;
};
type Wish = {
    name: string;
    scopes: KeyScope[];
    mode: KeyMode;
    expiresAt: Date | null;
};
/** @throws invalid-request where it would have expired already, conflict where there are too many */
export declare function makeApiKey(use: Keys, accountId: string, wish: Wish): Promise<CreatedApiKey>;
export declare function listApiKeys({ db, clock }: Keys, accountId: string): Promise<ApiKey[]>;
/** @throws not-found */
export declare function revokeApiKey({ db }: Keys, accountId: string, id: string): Promise<void>;
/** A new key in the place of another, which works on for the overlap. @throws not-found, conflict */
export declare function rotateApiKey(use: Keys, accountId: string, { id, overlapHours }: {
    id: string;
    overlapHours: number;
}): Promise<CreatedApiKey>;
/** Every key of whoever an issuer calls by this subject: the account has another owner now. */
export declare function revokeAllKeys(db: Database, who: {
    issuer: string;
    subject: string;
}): Promise<void>;
export {};
