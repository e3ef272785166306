import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { migrationsFolder, type OpenDatabase } from "./database.ts";
import { lockFolder } from "./folder-lock.ts";
import * as tables from "./tables.ts";

/** Where the database lies: a folder that outlives the process, or memory, from a copy of another where one is given. */
export type PglitePlace = { folder: string } | { copyOf?: Blob };

/**
 * PostgreSQL inside this process, kept in a folder or in memory.
 * It survives a killed process; it never calls fsync, so a power cut can cost the last moments.
 * @throws Error when another process has the folder open: PGlite itself would let both write and break it
 */
export async function openPglite(place: PglitePlace = {}): Promise<OpenDatabase> {
  const folder = "folder" in place ? place.folder : undefined;
  if (folder) await mkdir(folder, { recursive: true });
  const unlock = folder ? await lockFolder(folder) : undefined;
  try {
    const client = await PGlite.create({
      ...(folder ? { dataDir: join(folder, "pgdata") } : {}),
      ...("copyOf" in place && place.copyOf ? { loadDataDir: place.copyOf } : {}),
    });
    const db = drizzle(client, { schema: tables });
    await migrate(db, { migrationsFolder });
    const close = async () => {
      await client.close();
      await unlock?.();
    };
    return { db, exclusive: true, close };
  } catch (problem) {
    await unlock?.();
    throw problem;
  }
}
