import { join, resolve } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Blobs } from "../platform/blobs/blobs.ts";
import { openFolderBlobs } from "../platform/blobs/folder.ts";
import { closeDataFolder } from "../platform/data-folder.ts";
import type { Database } from "../platform/db/database.ts";
import { openPglite, type PglitePlace } from "../platform/db/pglite.ts";
import { openPostgres } from "../platform/db/postgres.ts";

export type Stores = {
  db: Database;
  /** Only this process can write to the database. */
  exclusive: boolean;
  blobs: Blobs;
  close(): Promise<void>;
};

/** Opens what every role reads and writes: the database and the pictures in work. `place` overrides the embedded database's location. */
export async function openStores(
  config: Config,
  { place, log }: { place: PglitePlace | undefined; log: FastifyBaseLogger },
): Promise<Stores> {
  const refused = closeDataFolder(config.dataFolder);
  if (refused.length > 0)
    log.warn({ paths: refused.length, first: refused[0] }, "cannot restrict the data folder to the server's user");
  const blobs = await openBlobs(config, log);
  const { db, exclusive, close } = config.DATABASE_URL
    ? await openPostgres(config.DATABASE_URL)
    : await openPglite(place ?? { folder: config.dataFolder });
  return {
    db,
    exclusive,
    blobs,
    async close() {
      await blobs.close();
      await close();
    },
  };
}

/** @throws Error if two places are configured, or the bucket cannot be used */
async function openBlobs(config: Config, log: FastifyBaseLogger): Promise<Blobs> {
  const { S3_BUCKET, TINTYPE_BLOBS, REDIS_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = config;
  if (!S3_BUCKET) return openFolderBlobs(TINTYPE_BLOBS ? resolve(TINTYPE_BLOBS) : join(config.dataFolder, "spool"));
  if (TINTYPE_BLOBS) throw new Error("S3_BUCKET and TINTYPE_BLOBS exclude each other: set only one of them.");
  // Half a second and 20 MB: loaded only if used.
  const { openS3Blobs } = await import("../platform/blobs/s3.ts");
  const blobs = await openS3Blobs({
    bucket: S3_BUCKET,
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    credentials:
      AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
        ? { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
        : undefined,
    scratch: join(config.dataFolder, "s3-copies"),
    log,
  });
  if (config.TINTYPE_SMALL_BLOBS !== "redis") return blobs;
  if (!REDIS_URL) throw new Error("TINTYPE_SMALL_BLOBS=redis requires REDIS_URL.");
  const [{ connectRedis }, { keepSmallInRedis }] = await Promise.all([
    import("../platform/redis.ts"),
    import("../platform/blobs/small-in-redis.ts"),
  ]);
  // A dedicated connection: turns do not wait behind pictures.
  const redis = connectRedis({ url: REDIS_URL, log });
  return keepSmallInRedis({ redis, blobs, scratch: join(config.dataFolder, "redis-copies") });
}
