import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { openLocalBlobs } from "../platform/blobs/local.ts";
import { closeDataFolder } from "../platform/data-folder.ts";
import type { Database } from "../platform/db/database.ts";
import { openPglite, type PglitePlace } from "../platform/db/pglite.ts";
import { openPostgres } from "../platform/db/postgres.ts";

export type Stores = {
  db: Database;
  blobs: Blobs;
  close(): Promise<void>;
};

/** Opens what every role reads and writes: the database and the pictures in work. `place` is an embedded database elsewhere. */
export async function openStores(
  config: Config,
  { log, place }: { log: FastifyBaseLogger; place?: PglitePlace | undefined },
): Promise<Stores> {
  const refused = closeDataFolder(config.dataFolder);
  if (refused.length > 0)
    log.warn({ paths: refused.length, first: refused[0] }, "the data folder cannot be closed to other users");
  const { db, close } = config.DATABASE_URL
    ? await openPostgres(config.DATABASE_URL)
    : await openPglite(place ?? { folder: config.dataFolder });
  return { db, blobs: await openLocalBlobs(join(config.dataFolder, "spool")), close };
}
