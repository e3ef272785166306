import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { migrationsFolder, type OpenDatabase } from "./database.ts";
import * as tables from "./tables.ts";

/** Any name will do, as long as every server uses the same: two that start at once must not both migrate. */
const migrationLock = 7_401_873;

/** PostgreSQL by its address (`postgres://...`); brought to the present tables before it is handed out. */
export async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 10_000 });
  // An idle connection that breaks must not end the server; the next query gets a new one or a clear error.
  pool.on("error", () => {});
  // The pool listens to idle connections only: one that breaks between two queries of a transaction must not end it either.
  pool.on("connect", (client) => client.on("error", () => {}));
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    await client.query("select pg_advisory_unlock($1)", [migrationLock]).catch(() => {});
    client.release();
  }
  return { db: drizzle(pool, { schema: tables }), exclusive: false, close: () => pool.end() };
}
