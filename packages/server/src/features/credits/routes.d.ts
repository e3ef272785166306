import type { Mount } from "../../http/endpoint.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Ledger } from "./ledger.ts";
type CreditRoutes = {
    db: Database;
    clock: Clock;
    ledger: Ledger;
};
export declare function mountCredits(mount: Mount, { db, clock, ledger }: CreditRoutes): void;
export {};
