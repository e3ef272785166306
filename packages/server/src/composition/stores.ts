import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { openFolderBlobs } from "../platform/blobs/folder.ts";
import type { Bus } from "../platform/bus/bus.ts";
import { createLocalBus } from "../platform/bus/local.ts";
import type { Database } from "../platform/db/database.ts";
import { openPglite, type PglitePlace } from "../platform/db/pglite.ts";
import { openPostgres } from "../platform/db/postgres.ts";
import { createLocalWork } from "../platform/work/local.ts";
import type { Work } from "../platform/work/work.ts";

export type Stores = {
  db: Database;
  /** This process alone can write to the database. */
  exclusive: boolean;
  blobs: Blobs;
  bus: Bus;
  work: Work;
  close(): Promise<void>;
};

/** Opens what every role reads and writes: database, pictures in work, messages, turns. `place` is an embedded database elsewhere. */
export async function openStores(config: Config, log: FastifyBaseLogger, place?: PglitePlace): Promise<Stores> {
  const { db, exclusive, close } = config.DATABASE_URL
    ? await openPostgres(config.DATABASE_URL)
    : await openPglite(place ?? { folder: config.dataFolder });
  const blobs = await openFolderBlobs(join(config.dataFolder, "spool"));
  const bus = createLocalBus();
  const work = createLocalWork({ log });
  return {
    ...{ db, exclusive, blobs, bus, work },
    async close() {
      await Promise.all([work.close(), bus.close(), blobs.close()]);
      await close();
    },
  };
}
