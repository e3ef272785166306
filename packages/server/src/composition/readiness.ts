import { sql } from "drizzle-orm";
import { cachedFor } from "../http/health.ts";
import type { Links } from "./links.ts";
import type { Stores } from "./stores.ts";

/** A check of the bucket costs some requests. */
const storeCacheMs = 10_000;

/** Returns a check that the database, Redis and the store of pictures take writes. It throws the first failure. */
export function createReadiness({ stores, links }: { stores: Stores; links: Links }): () => Promise<void> {
  const { db, exclusive, blobs } = stores;
  // A process that has its database to itself has its own folder too.
  const checkBlobs = exclusive ? async () => {} : cachedFor(storeCacheMs, async () => void (await blobs.identify()));
  return async () => {
    await db.execute(sql`select 1`);
    await links.check();
    await checkBlobs();
  };
}
