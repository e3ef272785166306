import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { OpenDatabase } from "./database.ts";
import { lockFolder } from "./folder-lock.ts";
import { migrateForward } from "./migrate.ts";
import { PgliteSocket } from "./pglite-socket.ts";
import { PreparedClient } from "./prepared-client.ts";
import { PrivateNodeFs } from "./private-node-fs.ts";

/** Where the database is: in a folder that outlives the process, or in memory, optionally as a copy of another. */
export type PglitePlace = { folder: string } | { copyOf?: Blob };

/**
 * PostgreSQL inside this process, stored in a folder or in memory. It survives a killed process. It never calls fsync, so
 * a power failure can lose the last moments.
 * @throws Error when another process has the folder open (PGlite itself would let both write and corrupt it), or a newer
 * release has migrated it
 */
export async function openPglite(place: PglitePlace = {}): Promise<OpenDatabase> {
  const folder = "folder" in place ? place.folder : undefined;
  if (folder) await mkdir(join(folder, "pgdata"), { recursive: true, mode: 0o700 });
  const unlock = folder ? await lockFolder(folder) : undefined;
  let client: PGlite | undefined;
  let pool: pg.Pool | undefined;
  const close = async () => {
    await pool?.end();
    await client?.close();
    await unlock?.();
  };
  try {
    const opened = await PGlite.create({
      ...(folder ? { fs: new PrivateNodeFs(join(folder, "pgdata")) } : {}),
      ...("copyOf" in place && place.copyOf ? { loadDataDir: place.copyOf } : {}),
    });
    client = opened;
    // One connection, since PGlite has one session: further queries wait.
    pool = new pg.Pool({
      max: 1,
      idleTimeoutMillis: 0,
      user: "postgres",
      database: "postgres",
      stream: () => new PgliteSocket(opened),
      Client: PreparedClient,
    });
    const db = drizzle(pool);
    await migrateForward(db);
    return { db, exclusive: true, close };
  } catch (problem) {
    await close().catch(() => {}); // the first error says more
    throw problem;
  }
}
