import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as tables from "./tables.ts";
/** The database as features use it; PGlite and PostgreSQL both answer it. */
export type Database = PgDatabase<PgQueryResultHKT, typeof tables>;
/** Inside `db.transaction(...)`: the same, and everything or nothing. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
export type Queryable = Database | Transaction;
export type OpenDatabase = {
    db: Database;
    /** True if only this process can write to it: unfinished rows in it then have no living owner. */
    exclusive: boolean;
    close(): Promise<void>;
};
export declare const migrationsFolder: string;
/** The rows of a raw query: node-postgres answers `{ rows }`, PGlite too. */
export declare function rowsOf<Row>(query: PromiseLike<unknown>): Promise<Row[]>;
