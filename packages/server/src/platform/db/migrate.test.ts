import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../testing/postgres.ts";
import { releaseVersion } from "../release.ts";
import { type Database, migrationsFolder, type OpenDatabase, rowsOf } from "./database.ts";
import { describeOtherSchema } from "./migrate.ts";
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

/** A database of the 28 migrations that 0000_baseline replaced, with a row in each table that 0001 changes. */
const schema0027 = readFileSync(new URL("../../testing/schema-0027.sql", import.meta.url), "utf8");
type OldDatabase = { run(text: string): Promise<void>; open(): Promise<OpenDatabase> };
const oldPglite = (name: string): OldDatabase => {
  const place = join(folder, name);
  return {
    async run(text) {
      mkdirSync(place, { recursive: true });
      const client = await PGlite.create(join(place, "pgdata"));
      await client.exec(text);
      await client.close();
    },
    open: () => openPglite({ folder: place }),
  };
};
const oldPostgres = (url: string): OldDatabase => ({
  async run(text) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  },
  open: () => openPostgres(url),
});

/** Tables with their columns in order, indexes, constraints, triggers, functions and sequences. */
const schemaOf = async (db: Database) =>
  Object.fromEntries(
    await Promise.all(
      [
        `select c.relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid),
          row_number() over (partition by c.relname order by attnum) from pg_attribute a join pg_class c on c.oid = attrelid
          left join pg_attrdef on adrelid = attrelid and adnum = attnum
          where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped order by 1, 6`,
        "select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1",
        `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
          where connamespace = 'public'::regnamespace order by 1, 2`,
        "select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1",
        "select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1",
        "select sequencename from pg_sequences where schemaname = 'public' order by 1",
        "select hash, created_at::text from drizzle.__drizzle_migrations order by created_at",
      ].map(async (text) => [text, await rowsOf(db.execute(sql.raw(text)))]),
    ),
  );

const convertedRows = `select (select paid_plan from accounts) as paid_plan, (select sent_stop from subscriptions) as sent_stop,
  (select queue_key || ' ' || priority from job_files) as place, (select reason from job_files) as reason, (select response::text from idempotency_keys) as response,
  (select string_agg(kind || credits, ' ' order by id) from credit_entries) as ledger, (select action from admin_audit) as audit`;

describe.each(["PGlite", "PostgreSQL"])("a database of the earlier series of migrations on %s", (kind) => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    if (kind === "PostgreSQL") postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());
  const make = async (name: string): Promise<OldDatabase> => {
    if (!postgres) return oldPglite(name);
    await oldPostgres(postgres.url).run(`create database ${name}`);
    return oldPostgres(postgres.url.replace(/\/postgres$/, `/${name}`));
  };

  test("is refused at an earlier one, and while it is in use, and goes on at its last one, under the schema of a new database", async () => {
    const [old, fresh] = [await make("moved"), await make("fresh")];
    await old.run(`${schema0027}; update drizzle.__drizzle_migrations set created_at = created_at - 86400000`);
    const refusal = `The database is at migration 0027, of 2026-11-28, but Tintype ${releaseVersion} migrates only databases at 0027_preview_parts or later. Start the last version that has this migration once, then this one (docs/upgrading.md).`;
    for (let start = 0; start < 2; start++) await expect(old.open()).rejects.toThrow(refusal);

    await old.run(`update drizzle.__drizzle_migrations set created_at = created_at + 86400000;
      update processes set lease_until = now() + interval '1 hour' where id = 'stopped'`);
    await expect(old.open()).rejects.toThrow("is in use by 1 running process of the previous release");

    await old.run("update processes set lease_until = now() where id = 'stopped'; select plan from accounts");
    const created = await fresh.open();
    for (let start = 0; start < 2; start++) {
      const moved = await old.open();
      expect(await rowsOf(moved.db.execute(sql.raw(convertedRows)))).toEqual([
        {
          paid_plan: "pro",
          sent_stop: "at-end",
          place: "person:ann 41",
          reason: 'The "image" is damaged.',
          response: '{"service_count": 3}',
          ledger: "charge1 charge1 refund-1",
          audit: "operator-granted",
        },
      ]);
      await expect(moved.db.execute(sql`delete from admin_audit`)).rejects.toMatchObject({
        cause: { message: "the audit log of operators cannot be changed" },
      });
      expect(await schemaOf(moved.db)).toEqual(await schemaOf(created.db));
      await moved.close();
    }
    await created.close();
  });
});

test("processes that start at once on a database of the earlier series migrate it once", async () => {
  const postgres = await startPostgres();
  try {
    await oldPostgres(postgres.url).run(schema0027);
    const started = await Promise.all(Array.from({ length: 6 }, () => openPostgres(postgres.url)));
    for (const { db } of started) expect(await applied(db)).toBe(7);
    await Promise.all(started.map(({ close }) => close()));
  } finally {
    await postgres.close();
  }
});

test("one snapshot is kept, from which drizzle-kit generates the next migration", () => {
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8"));
  const last = `${String(entries.length - 1).padStart(4, "0")}_snapshot.json`;
  expect(readdirSync(join(migrationsFolder, "meta")).toSorted()).toEqual([last, "_journal.json"]);
});

test("a database at this release's last migration, or at the baseline, can be migrated", () => {
  expect(describeOtherSchema({ count: 0, lastMs: 0 })).toBeUndefined();
  expect(describeOtherSchema({ count: 28, lastMs: Date.parse("2026-11-29T11:11:25.048Z") })).toBeUndefined();
  expect(describeOtherSchema({ count: 2, lastMs: Date.parse("2026-11-29T15:30Z") })).toBeUndefined();
});
