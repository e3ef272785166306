import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { type Ledger } from "../features/credits/ledger.ts";
import { type Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import type { PglitePlace } from "../platform/db/pglite.ts";
export type Service = {
    app: FastifyInstance;
    db: Database;
    ledger: Ledger;
    /** Timers do it every few seconds; tests call it themselves. */
    sweep(): Promise<void>;
    /** Work under way gets `graceMs` to end; then it is handed back, and callers that wait are told to ask again. */
    close(options?: {
        graceMs?: number;
    }): Promise<void>;
};
export type ComposeOptions = {
    config: Config;
    logger: FastifyBaseLogger;
    clock?: Clock;
    /** Another embedded database than the one in the data folder. */
    database?: PglitePlace;
};
/** Puts the service together from the pieces of this folder, which alone know the adapters behind the ports. */
export declare function compose({ config, logger, database, ...options }: ComposeOptions): Promise<Service>;
