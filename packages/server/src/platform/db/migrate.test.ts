import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "../../testing/postgres.ts";
import { releaseVersion } from "../release.ts";
import { type Database, migrationsFolder, rowsOf } from "./database.ts";
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
  `The database is at migration \\d{4}, of \\d{4}-\\d\\d-\\d\\d, but Tintype ${releaseVersion} has migrations only up to \\d{4}_\\w+`,
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
    // A running process continues: only starts are refused.
    await removeLaterMigration(first.db);
    await (await openPostgres(postgres.url)).close();
    await first.close();
  } finally {
    await postgres.close();
  }
});

test("payments on record keep their invoices, and those of the sandbox count as test mode, from migration 0022 on", async () => {
  const earlier = join(folder, "earlier");
  cpSync(migrationsFolder, earlier, { recursive: true });
  const journal = join(earlier, "meta/_journal.json");
  const all = JSON.parse(readFileSync(journal, "utf8")) as { entries: unknown[] };
  writeFileSync(journal, JSON.stringify({ ...all, entries: all.entries.slice(0, 22) }));
  const client = await PGlite.create();
  const db = drizzle(client);
  await migrate(db, { migrationsFolder: earlier });
  await client.exec(`
    insert into payments (id, subscription_id, plan, cycle, amount_minor, currency, status, at, refund)
      select id, 'sub', 'mini', 'monthly', 300, 'USD', 'captured', now(), 'none' from unnest(array['pay_real', 'pay_sandbox', 'pay_new']) as id;
    insert into sandbox_records (id, kind, created_at, body) values ('pay_sandbox', 'payment', now(), '{}');
    insert into invoices (id, kind, series, sequence, number, payment_id, issued_at, currency, total_minor, content)
      values ('inv_1', 'invoice', 'INV-', 1, 'INV-000001', 'pay_real', now(), 'USD', 300, '{}')`);
  await migrate(db, { migrationsFolder });
  const { rows } = await client.query("select id, is_test, is_invoiced from payments order by id");
  expect(rows).toEqual([
    { id: "pay_new", is_test: false, is_invoiced: false },
    { id: "pay_real", is_test: false, is_invoiced: true },
    { id: "pay_sandbox", is_test: true, is_invoiced: false },
  ]);
  await client.close();
});

test("a database at this release's last migration, or at an earlier one, is not newer", () => {
  expect(describeNewerSchema({ count: 0, lastMs: 0 })).toBeUndefined();
  expect(describeNewerSchema({ count: 3, lastMs: Date.parse("2026-11-22") })).toBeUndefined();
});
