import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { migrationsFolder } from "../platform/db/database.ts";

/** Creates a migrated database once, so that a test that copies it starts in a fraction of the time. Returns a function that removes it. */
export async function makeSnapshot(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "tintype-snapshot-"));
  const client = await PGlite.create();
  await migrate(drizzle(client), { migrationsFolder });
  const path = join(folder, "pgdata.tar");
  writeFileSync(path, await (await client.dumpDataDir("none")).bytes());
  await client.close();
  process.env["TINTYPE_TEST_SNAPSHOT"] = path;
  return () => rmSync(folder, { recursive: true, force: true });
}
