import { sql } from "drizzle-orm";
import { type Database, rowsOf, type Transaction } from "./database.ts";
import { countRunningProcesses, leaseTable, processesOf } from "./running-processes.ts";

// A whole database as lines of text, between PGlite and PostgreSQL of the same release.
// 1. a JSON header: the format and the last migration
// 2. a line per row: the table's name, a tab, and the row by row_to_json()
// 3. a JSON trailer: the row count and a checksum of each table, and the value of each sequence
// Rows are never parsed here: numbers keep all their digits.

/** A database that cannot be read or written as a whole now, or an incomplete export. The message is for the operator. */
export class TransferError extends Error {}

type TableSum = { rows: number; checksum: string };
type Header = { format: "tintype-data"; version: 1; migration: string };
type Trailer = { tables: Record<string, TableSum>; sequences: Record<string, string | null> };

const formatName = "tintype-data";
const rowsPerBatch = 500;
/** The largest rows, with steps and notes, have some kilobytes: a batch stays below this many characters. */
const batchCharacters = 4_000_000;

/**
 * All rows as of one moment, as lines without their line breaks. The trailer is read after everything else. `isLive`:
 * servers may continue meanwhile, and their later writes are not included.
 * @throws TransferError while a server uses the database, unless `isLive`
 */
export async function* exportLines(db: Database, { isLive = false } = {}): AsyncGenerator<string> {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin, reject } = Promise.withResolvers<Transaction>();
  const transaction = db
    .transaction(
      async (tx) => {
        await (isLive ? writeValuesAlike(tx) : claimAlone(tx));
        begin(tx);
        await finished;
      },
      { isolationLevel: "repeatable read" },
    )
    .catch(reject);
  try {
    yield* readAll(await begun);
  } finally {
    finish();
    await transaction;
  }
}

async function* readAll(tx: Transaction): AsyncGenerator<string> {
  const header: Header = { format: formatName, version: 1, migration: await lastMigration(tx) };
  yield JSON.stringify(header);
  const tables = await tablesInOrder(tx);
  for (const table of tables) {
    await tx.execute(
      sql`declare transfer no scroll cursor for select row_to_json(t)::text as row from ${named(table)} t`,
    );
    for (;;) {
      const rows = await rowsOf<{ row: string }>(tx.execute(sql.raw(`fetch ${rowsPerBatch} from transfer`)));
      for (const { row } of rows) yield `${table}\t${row}`;
      if (rows.length < rowsPerBatch) break;
    }
    await tx.execute(sql`close transfer`);
  }
  yield JSON.stringify(await trailerOf(tx, tables));
}

/**
 * Imports exported lines into an empty database, all or nothing, and then compares the trailer's counts and checksums with
 * the database. Returns the number of rows by table.
 * @throws TransferError if it is not empty or in use, or the lines are from another release, truncated or damaged
 */
export async function importLines(db: Database, lines: AsyncIterable<string>): Promise<Record<string, number>> {
  return db.transaction(async (tx) => {
    await claimAlone(tx);
    const tables = await tablesInOrder(tx);
    for (const table of tables) {
      const [row] = await rowsOf<{ some: boolean }>(
        tx.execute(sql`select exists (select 1 from ${named(table)}) as some`),
      );
      if (row?.some) throw new TransferError(`The target database is not empty (table ${table}). Choose an empty one.`);
    }
    const trailer = await writeAll(tx, { lines, tables, migration: await lastMigration(tx) });
    for (const [name, value] of Object.entries(trailer.sequences))
      if (value !== null) await tx.execute(sql`select setval(${name}::regclass, ${value}::bigint)`);
    const written = await trailerOf(tx, tables);
    for (const table of tables) {
      const [wanted, got] = [trailer.tables[table], written.tables[table]];
      if (wanted?.rows !== got?.rows || wanted?.checksum !== got?.checksum)
        throw new TransferError(
          `Table ${table} has ${got?.rows} rows instead of ${wanted?.rows} after the import, or other ones. Nothing was written.`,
        );
    }
    return Object.fromEntries(Object.entries(written.tables).map(([table, { rows }]) => [table, rows]));
  });
}

async function writeAll(
  tx: Transaction,
  { lines, tables, migration }: { lines: AsyncIterable<string>; tables: readonly string[]; migration: string },
): Promise<Trailer> {
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  const batch = { table: "", rows: [] as string[], characters: 0 };
  const flush = async () => {
    if (batch.rows.length === 0) return;
    await tx.execute(sql`
      insert into ${named(batch.table)}
      select * from json_populate_recordset(null::${named(batch.table)}, ${`[${batch.rows.join(",")}]`}::json)`);
    batch.rows = [];
    batch.characters = 0;
  };
  for await (const line of lines) {
    if (trailer) throw damaged();
    if (!header) {
      header = readJson<Header>(line);
      if (header.format !== formatName || header.version !== 1)
        throw new TransferError("This is not an export of Tintype's data.");
      if (header.migration !== migration)
        throw new TransferError(
          "The export is from another release. Import it with the release that wrote it, then upgrade.",
        );
      continue;
    }
    const tab = line.indexOf("\t");
    if (tab < 0) {
      trailer = readJson<Trailer>(line);
      continue;
    }
    const table = line.slice(0, tab);
    if (!tables.includes(table)) throw damaged();
    if (table !== batch.table || batch.rows.length >= rowsPerBatch || batch.characters > batchCharacters) await flush();
    batch.table = table;
    batch.rows.push(line.slice(tab + 1));
    batch.characters += line.length;
  }
  await flush();
  if (!trailer) throw new TransferError("The export is truncated. Nothing was written.");
  return trailer;
}

const damaged = () => new TransferError("The export is damaged. Nothing was written.");

function readJson<Value>(line: string): Value {
  try {
    return JSON.parse(line) as Value; // what exportLines writes; all that is taken from it is compared with the database
  } catch {
    throw new TransferError("This is not an export of Tintype's data.");
  }
}

const named = (table: string) => sql.identifier(table);

/** No server may start meanwhile: its first statement waits here for the transaction's end. @throws TransferError */
async function claimAlone(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${named(leaseTable)} in exclusive mode`);
  await writeValuesAlike(tx);
  const running = await countRunningProcesses(tx);
  if (running > 0)
    throw new TransferError(`The database is in use by ${processesOf(running)} of the server. Stop them first.`);
}

/** Fixes how values are formatted as text, whatever the database's settings. */
async function writeValuesAlike(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local time zone 'UTC'`);
  await tx.execute(sql`set local datestyle = 'ISO'`);
  await tx.execute(sql`set local extra_float_digits = 1`);
}

async function lastMigration(tx: Transaction): Promise<string> {
  const [row] = await rowsOf<{ hash: string }>(
    tx.execute(sql`select hash from drizzle.__drizzle_migrations order by created_at desc limit 1`),
  );
  if (!row) throw new Error("The database has no migrations.");
  return row.hash;
}

/** Referenced tables come first. */
async function tablesInOrder(tx: Transaction): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    tx.execute(sql`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname <> ${leaseTable} order by relname`),
  );
  const references = await rowsOf<{ from: string; to: string }>(
    tx.execute(sql`
      select c.relname as from, p.relname as to from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
      where k.contype = 'f' and k.conrelid <> k.confrelid`),
  );
  const ordered: string[] = [];
  const add = (name: string) => {
    if (ordered.includes(name)) return;
    for (const { from, to } of references) if (from === name) add(to);
    ordered.push(name);
  };
  for (const { name } of tables) add(name);
  return ordered;
}

async function trailerOf(tx: Transaction, tables: readonly string[]): Promise<Trailer> {
  const sums: Record<string, TableSum> = {};
  for (const table of tables) {
    // A sum, because rows are unordered. Over md5, which every PostgreSQL computes alike.
    const [row] = await rowsOf<TableSum>(
      tx.execute(sql`
        select count(*)::int as rows,
          coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text as checksum
        from ${named(table)} t`),
    );
    if (row) sums[table] = row;
  }
  const sequences = await rowsOf<{ name: string; value: string | null }>(
    tx.execute(sql`
      select sequencename::text as name, last_value::text as value from pg_sequences where schemaname = 'public'`),
  );
  return { tables: sums, sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, value])) };
}
