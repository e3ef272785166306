import { fileURLToPath } from "node:url";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/** The database as features use it; PGlite and PostgreSQL both answer it. */
export type Database = PgDatabase<PgQueryResultHKT>;
/** Inside `db.transaction(...)`: the same, and everything or nothing. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
export type Queryable = Database | Transaction;

export type OpenDatabase = {
  db: Database;
  /** True if only this process can write to it: unfinished rows in it then have no living owner. */
  exclusive: boolean;
  close(): Promise<void>;
};

export const migrationsFolder = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** The rows of a raw query: node-postgres answers `{ rows }`, PGlite too. */
export async function rowsOf<Row>(query: PromiseLike<unknown>): Promise<Row[]> {
  const answer = (await query) as { rows: Row[] }; // both drivers' result shape; drizzle's generic type hides it
  return answer.rows;
}
