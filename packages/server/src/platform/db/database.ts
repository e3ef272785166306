import { fileURLToPath } from "node:url";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/** The database as features use it, implemented by both PGlite and PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT>;
/** The same within `db.transaction(...)`: all or nothing. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
export type Queryable = Database | Transaction;

export type OpenDatabase = {
  db: Database;
  /** True if only this process can write to it: unfinished rows then have no living owner. */
  exclusive: boolean;
  close(): Promise<void>;
};

export const migrationsFolder = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** The rows of a raw query: both node-postgres and PGlite return `{ rows }`. */
export async function rowsOf<Row>(query: PromiseLike<unknown>): Promise<Row[]> {
  const response = (await query) as { rows: Row[] }; // both drivers' result shape; drizzle's generic type hides it
  return response.rows;
}
