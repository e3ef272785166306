import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import type { Database } from "../platform/db/database.ts";
import { type PglitePlace } from "../platform/db/pglite.ts";
export type Stores = {
    db: Database;
    /** This process alone can write to the database. */
    exclusive: boolean;
    blobs: Blobs;
    close(): Promise<void>;
};
/** Opens what every role reads and writes: the database and the pictures in work. `place` is an embedded database elsewhere. */
export declare function openStores(config: Config, { place, log }: {
    place: PglitePlace | undefined;
    log: FastifyBaseLogger;
}): Promise<Stores>;
