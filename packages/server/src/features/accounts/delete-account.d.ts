import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Leaving } from "./leaving.ts";
type Deleting = {
    db: Database;
    clock: Clock;
    /** The issuer whose identities are ours to delete; undefined where another provider vouches for people. */
    builtInIssuer: string | undefined;
    /** Keys the hash by which the account's counters are kept. */
    secret: string;
    /** In this order. */
    leavings: readonly Leaving[];
};
export declare function mountDeleteAccount(mount: Mount, use: Deleting): void;
export {};
