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

/** The database's place: a folder that outlives the process, or memory, from a copy of another if one is given. */
export type PglitePlace = { folder: string } | { copyOf?: Blob };

/**
 * PostgreSQL inside this process, kept in a folder or in memory.
 * It survives a killed process; it never calls fsync, so a power cut can cost the last moments.
 * @throws Error when another process has the folder open (PGlite itself would let both write and break it), or a newer release has
 * migrated it
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
    // One connection, as PGlite has one session: who asks meanwhile waits.
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
    await close().catch(() => {}); // the first problem tells more
    throw problem;
  }
}
