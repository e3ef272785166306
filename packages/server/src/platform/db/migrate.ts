import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { releaseVersion } from "../release.ts";
import { migrationsFolder, rowsOf } from "./database.ts";

/** A database's migration state: how many were applied, and when the last one was written (ms since 1970). */
export type AppliedMigrations = { count: number; lastMs: number };

/** Selects `AppliedMigrations` as `count` and `last`. The table exists once a release has started on the database. */
export const appliedMigrationsQuery =
  "select count(*)::int as count, max(created_at)::float8 as last from drizzle.__drizzle_migrations";

type Journal = { entries: { idx: number; when: number; tag: string }[] };

/**
 * Migrates the database to this release's schema. Only one of the processes that share it may call this at a time.
 * @throws Error if a newer release has migrated it: this one would misread and corrupt its rows
 */
export async function migrateForward(db: NodePgDatabase): Promise<void> {
  const [table] = await rowsOf<{ is_there: boolean }>(
    db.execute(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as is_there`),
  );
  if (table?.is_there) {
    const [row] = await rowsOf<{ count: number; last: number | null }>(db.execute(sql.raw(appliedMigrationsQuery)));
    const problem = row && describeNewerSchema({ count: row.count, lastMs: row.last ?? 0 });
    if (problem) throw new Error(problem);
  }
  await migrate(db, { migrationsFolder });
}

/** @throws Error if the database has another release's schema */
export async function requireThisSchema(db: NodePgDatabase): Promise<void> {
  const [row] = await rowsOf<{ last: number | null }>(db.execute(sql.raw(appliedMigrationsQuery)));
  if ((row?.last ?? 0) !== lastMigration()?.when)
    throw new Error(
      `The database schema is not that of Tintype ${releaseVersion}. Use the release that its servers run.`,
    );
}

function lastMigration(): Journal["entries"][number] | undefined {
  const journal = JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8")) as Journal; // drizzle-kit's
  return journal.entries.at(-1);
}

/** A message if the database has a migration later than this release's last one, naming both; otherwise undefined. */
export function describeNewerSchema({ count, lastMs }: AppliedMigrations): string | undefined {
  const last = lastMigration();
  if (!last || lastMs <= last.when) return undefined;
  const there = `${String(count - 1).padStart(4, "0")}, of ${new Date(lastMs).toISOString().slice(0, 10)}`;
  return `The database is at migration ${there}, but Tintype ${releaseVersion} has migrations only up to ${last.tag}. A newer release has upgraded it: start that one, or restore the backup from before the upgrade (docs/upgrading.md).`;
}
