import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { releaseVersion } from "../release.ts";
import { migrationsFolder, rowsOf } from "./database.ts";
import { countRunningProcesses, processesOf } from "./running-processes.ts";

/** A database's migration state: how many were applied, and when the last one was written (ms since 1970). */
export type AppliedMigrations = { count: number; lastMs: number };

/** Selects `AppliedMigrations` as `count` and `last`. The table exists once a release has started on the database. */
export const appliedMigrationsQuery =
  "select count(*)::int as count, max(created_at)::float8 as last from drizzle.__drizzle_migrations";

type Journal = { entries: { idx: number; when: number; tag: string }[] };

/** The last of the 28 migrations that 0000_baseline replaced. Both leave the same schema and have the same time. */
const lastSquashedTag = "0027_preview_parts";

/**
 * Migrates the database to this release's schema. Only one of the processes that share it may call this at a time.
 * @throws Error if a newer release has migrated it, which this one would misread, if it is older than the baseline, or if
 * processes of the previous release still use columns that are to be renamed
 */
export async function migrateForward(db: NodePgDatabase): Promise<void> {
  const [table] = await rowsOf<{ is_there: boolean }>(
    db.execute(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as is_there`),
  );
  if (table?.is_there) {
    const [row] = await rowsOf<{ count: number; last: number | null }>(db.execute(sql.raw(appliedMigrationsQuery)));
    const applied = { count: row?.count ?? 0, lastMs: row?.last ?? 0 };
    const problem = describeOtherSchema(applied);
    if (problem) throw new Error(problem);
    if (applied.count > 0 && applied.lastMs === readJournal().entries[0]?.when) await prepareRenames(db);
  }
  await migrate(db, { migrationsFolder });
}

/** Before 0001_standard_names on a database with rows. @throws Error while a process runs that knows only the earlier names */
async function prepareRenames(db: NodePgDatabase): Promise<void> {
  const running = await countRunningProcesses(db);
  if (running > 0)
    throw new Error(
      `The database is in use by ${processesOf(running)} of the previous release, which cannot run beside this one: it renames columns. Stop them all, then start this release (docs/upgrading.md).`,
    );
  const [baseline] = readMigrationFiles({ migrationsFolder });
  // In place of those that it replaced, so that counts of migrations are the same on every database.
  await db.execute(sql`
    with replaced as (delete from drizzle.__drizzle_migrations where created_at < ${baseline?.folderMillis})
    update drizzle.__drizzle_migrations set hash = ${baseline?.hash} where created_at = ${baseline?.folderMillis}`);
}

/** @throws Error if the database has another release's schema */
export async function requireThisSchema(db: NodePgDatabase): Promise<void> {
  const [row] = await rowsOf<{ last: number | null }>(db.execute(sql.raw(appliedMigrationsQuery)));
  if ((row?.last ?? 0) !== readJournal().entries.at(-1)?.when)
    throw new Error(
      `The database schema is not that of Tintype ${releaseVersion}. Use the release that its servers run.`,
    );
}

const readJournal = () => JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8")) as Journal; // drizzle-kit's

/**
 * A message if this release cannot migrate the database, because it has a migration later than the last one here, or lacks
 * some that the baseline replaced; otherwise undefined.
 */
export function describeOtherSchema({ count, lastMs }: AppliedMigrations): string | undefined {
  const { entries } = readJournal();
  const [baseline, last] = [entries[0], entries.at(-1)];
  if (count === 0 || !baseline || !last) return undefined;
  const there = `The database is at migration ${String(count - 1).padStart(4, "0")}, of ${new Date(lastMs).toISOString().slice(0, 10)}`;
  if (lastMs > last.when)
    return `${there}, but Tintype ${releaseVersion} has migrations only up to ${last.tag}. A newer release has upgraded it: start that one, or restore the backup from before the upgrade (docs/upgrading.md).`;
  if (lastMs < baseline.when)
    return `${there}, but Tintype ${releaseVersion} migrates only databases at ${lastSquashedTag} or later. Start the last version that has this migration once, then this one (docs/upgrading.md).`;
  return undefined;
}
