import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { openLocalBlobs } from "../platform/blobs/local.ts";
import type { Database } from "../platform/db/database.ts";
import { openPglite, type PglitePlace } from "../platform/db/pglite.ts";
import { openPostgres } from "../platform/db/postgres.ts";

export type Stores = {
  db: Database;
  blobs: Blobs;
  close(): Promise<void>;
};

/** Opens what every role reads and writes: the database and the pictures in work. `place` is an embedded database elsewhere. */
export async function openStores(config: Config, place?: PglitePlace): Promise<Stores> {
  const { db, close } = config.DATABASE_URL
    ? await openPostgres(config.DATABASE_URL)
    : await openPglite(place ?? { folder: config.dataFolder });
  return { db, blobs: await openLocalBlobs(join(config.dataFolder, "spool")), close };
}
