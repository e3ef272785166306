import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "../../testing/postgres.ts";
import { releaseVersion } from "../release.ts";
import { type Database, rowsOf } from "./database.ts";
import { describeNewerSchema } from "./migrate.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "tintype-migrate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const addLaterMigration = (db: Database) =>
  db.execute(sql`
    insert into drizzle.__drizzle_migrations (hash, created_at)
    select 'of a later release', max(created_at) + 86400000 from drizzle.__drizzle_migrations`);
const removeLaterMigration = (db: Database) =>
  db.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'of a later release'`);
const applied = async (db: Database) => {
  const [row] = await rowsOf<{ count: number }>(
    db.execute(sql`select count(*)::int as count from drizzle.__drizzle_migrations`),
  );
  return row?.count ?? 0;
};
const sentence = new RegExp(
  `The database is at migration \\d{4}, of \\d{4}-\\d\\d-\\d\\d, and Tintype ${releaseVersion} knows migrations up to \\d{4}_\\w+ only`,
);

test("an embedded database of a newer release is refused, and its folder is free for that release at once", async () => {
  const first = await openPglite({ folder });
  const count = await applied(first.db);
  await addLaterMigration(first.db);
  await first.close();
  for (let start = 0; start < 2; start++) await expect(openPglite({ folder })).rejects.toThrow(sentence);
  await expect(openPglite({ folder })).rejects.toThrow(`at migration ${String(count).padStart(4, "0")},`);
});

test("PostgreSQL of a newer release is refused, and opens again once its migrations are those known here", async () => {
  const postgres = await startPostgres();
  try {
    const first = await openPostgres(postgres.url);
    await addLaterMigration(first.db);
    await expect(openPostgres(postgres.url)).rejects.toThrow(sentence);
    // A process that runs goes on: only starts are refused.
    await removeLaterMigration(first.db);
    await (await openPostgres(postgres.url)).close();
    await first.close();
  } finally {
    await postgres.close();
  }
});

test("a database at this release's last migration, or at an earlier one, is not newer", () => {
  expect(describeNewerSchema({ count: 0, lastMs: 0 })).toBeUndefined();
  expect(describeNewerSchema({ count: 3, lastMs: Date.parse("2026-11-22") })).toBeUndefined();
});
