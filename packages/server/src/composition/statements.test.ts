import { sql } from "drizzle-orm";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../platform/clock.ts";
import { rowsOf } from "../platform/db/database.ts";
import { openPglite } from "../platform/db/pglite.ts";
import { snapshot, startTestApp, type TestApp } from "../testing/harness.ts";
import { startPostgres, type TestPostgres } from "../testing/postgres.ts";
import {
  connectionOf,
  explain,
  manyRowsIn,
  nodesOf,
  partialIndexes,
  recordStatements,
  type Statement,
  scansIn,
} from "../testing/recorded-statements.ts";
import { growingTables, seedRows } from "../testing/seed-rows.ts";
import { usedProduct, useProduct } from "../testing/use-product.ts";

const origin = "http://localhost:54338";
const rowsInEach = 3_000;
/** How many rows of a table one statement may read: the largest page of a list, or one person's rows, many times over. */
const maxRowsRead = 1_000;

/** Tables of work in progress, or with a few rows per process or operator. The others grow with people, work and payments. */
const small = [
  "blocked_networks",
  "free_engine_use",
  "idp_jwks",
  "invitations",
  "invoice_series",
  "job_blobs",
  "job_outputs",
  "operators",
  "processes",
  "sandbox_records",
];

/** Statements that may scan a table, or read many of its rows by an index. Each is identified by a part of its text. */
const permitted: { part: string; many?: true; why: string }[] = [
  {
    part: "position(",
    why: "An operator searches for a part of an address that no account has as a whole: no B-tree serves it.",
  },
  {
    part: 'delete from "idp_verification" where ("idp_verification"."value"',
    why: "A deletion of an account looks for its address within identifiers. Each lives for a day at most, and the sweep deletes it.",
  },
  {
    part: "tier as plan",
    many: true,
    why: "The desk sums the credits of the days that an operator chose. The index on days leads to them alone.",
  },
];

let postgres: TestPostgres;
let app: TestApp;
let client: pg.PoolClient;
let statements: Statement[];
beforeAll(async () => {
  // The cost of a page on solid-state drives.
  postgres = await startPostgres({ jit: false, random_page_cost: 1.1 });
  app = await startTestApp({
    clock: systemClock,
    environment: { ...usedProduct(origin), DATABASE_URL: postgres.url },
  });
  await seedRows(app.db, { entries: 20_000, min: rowsInEach });
  // Start only now: statements of old migrations name dropped columns.
  const recording = recordStatements();
  try {
    await useProduct(app, origin);
  } finally {
    statements = recording.stop();
  }
  client = await connectionOf(app.db);
});
afterAll(async () => {
  client?.release();
  await app?.close();
  await postgres?.close();
});

const permitOf = ({ text }: Statement) => permitted.find(({ part }) => text.includes(part));
const nameOf = ({ text }: Statement) => text.replaceAll(/\s+/g, " ").slice(0, 300);

type Judgement = { scans: string[]; many: string[]; used: Set<string> };

/** Scans of growing tables: with seqscans disabled, as PostgreSQL plans it, and as it runs. */
async function judge(judged: readonly Statement[]): Promise<Judgement> {
  const partial = await partialIndexes(client);
  const found: Judgement = { scans: [], many: [], used: new Set() };
  for (const statement of judged) {
    // Whether an index would serve, even if scanning these few rows is faster.
    const served = await explain(client, statement, { settings: ["enable_seqscan = off"] });
    const ran = await explain(client, statement, { analyze: true });
    for (const plan of [served, ran]) {
      for (const { "Index Name": index } of nodesOf(plan)) if (index) found.used.add(index);
      for (const scan of scansIn(plan, { tables: growingTables, partial }))
        found.scans.push(`${scan}: ${nameOf(statement)}`);
    }
    for (const rows of manyRowsIn(ran, { tables: growingTables, max: maxRowsRead }))
      found.many.push(`${rows}: ${nameOf(statement)}`);
  }
  return found;
}

test("every table is judged, or named as one that stays small", async () => {
  const tables = await rowsOf<{ name: string }>(
    app.db.execute(sql`select table_name as name from information_schema.tables where table_schema = 'public'`),
  );
  expect(tables.map(({ name }) => name).sort()).toEqual([...growingTables, ...small].sort());
});

test("the embedded database executes every statement that PostgreSQL executes", async () => {
  const embedded = await openPglite(snapshot());
  try {
    const session = await connectionOf(embedded.db);
    for (const statement of statements)
      await expect(explain(session, statement, { analyze: true }), statement.text).resolves.toBeDefined();
    session.release();
  } finally {
    await embedded.close();
  }
});

test("no hot statement reads a growing table row by row", async () => {
  expect(statements.length).toBeGreaterThan(150);
  const { scans, many, used } = await judge(statements.filter((one) => !permitOf(one)));
  expect({ scans, many }).toEqual({ scans: [], many: [] });
  // The sweep of invoices reads what is due, not the days of all payments; the desk finds requests.
  expect([...used]).toEqual(
    expect.arrayContaining(["payments_uninvoiced", "payments_returned", "jobs_request", "payments_request"]),
  );
});

test.each(permitted)("what is permitted is done, and no more: $part", async ({ part, many }) => {
  const found = await judge(statements.filter(({ text }) => text.includes(part)));
  expect(many ? found.many : found.scans).not.toEqual([]);
  if (many) expect(found.scans).toEqual([]);
});

test.each([
  { table: "jobs", indexes: ["jobs_owner"] },
  // The second index starts with the holder, too.
  { table: "credit_entries", indexes: ["credit_entries_holder", "credit_entries_day"] },
  { table: "payments", indexes: ["payments_account"] },
  { table: "contact_messages", indexes: ["contact_messages_open"] },
  { table: "outbox_mails", indexes: ["outbox_mails_due"] },
  { table: "idp_session", indexes: ["idp_session_expires"] },
])("a statement that reads $table row by row is found once $indexes are dropped", async ({ table, indexes }) => {
  const made = await client.query<{ text: string }>(
    "select pg_get_indexdef(name::regclass) as text from unnest($1::text[]) name",
    [indexes],
  );
  await client.query(`drop index ${indexes.join(", ")}`);
  try {
    const { scans } = await judge(statements.filter(({ text }) => text.includes(table)));
    expect(scans.filter((line) => line.includes(` ${table}`))).not.toEqual([]);
  } finally {
    for (const { text } of made.rows) await client.query(text);
  }
});
