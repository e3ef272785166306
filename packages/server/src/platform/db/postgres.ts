import { Socket } from "node:net";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { DatabaseConnectionError } from "./connection-error.ts";
import type { OpenDatabase } from "./database.ts";
import { migrateForward, requireThisSchema } from "./migrate.ts";

/** The advisory lock's key, the same on every server: two that start at once must not both migrate. */
const migrationLock = 7_401_873;
const connectionTimeoutMillis = 10_000;

/**
 * A connection that is silent for this long is closed. The machine at its other end may be gone, which TCP would notice
 * only after a quarter of an hour. No statement of the service takes as long, and idle connections are closed earlier.
 */
const defaultSocketTimeoutMs = 30_000;

/**
 * Opens PostgreSQL by its address (`postgres://...`), and migrates it to the current schema unless `migrates` is false.
 * @throws Error if it cannot be reached, a newer release has migrated it, or its schema differs and `migrates` is false
 */
export async function openPostgres(
  connectionString: string,
  { socketTimeoutMs = defaultSocketTimeoutMs, migrates = true }: { socketTimeoutMs?: number; migrates?: boolean } = {},
): Promise<OpenDatabase> {
  await (migrates ? migrateAlone : requireMigrated)(connectionString);
  const pool = new LosslessPool({
    connectionString,
    max: 10,
    connectionTimeoutMillis,
    stream: () => socketWithTimeout(socketTimeoutMs),
  });
  // A broken idle connection must not crash the server. The next query gets a new one or a clear error.
  pool.on("error", () => {});
  // The pool listens only to idle connections. One that breaks between two queries of a transaction must not crash it either.
  pool.on("connect", (client) => client.on("error", () => {}));
  return { db: drizzle(pool), exclusive: false, close: () => pool.end() };
}

/**
 * Releases a connection that is lost while checked out. drizzle-orm 0.45 sends `begin` before it ensures the release: each
 * transaction that lost its connection there would permanently cost the pool one.
 */
class LosslessPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return super.connect().then(releaseAtEnd, (cause: unknown) => {
        throw new DatabaseConnectionError(cause);
      });
    super.connect(callback);
    return undefined;
  }
}

function releaseAtEnd(client: pg.PoolClient): pg.PoolClient {
  const release = client.release.bind(client);
  let isReleased = false;
  client.release = (problem) => {
    // The pool does not accept one twice.
    if (isReleased) return;
    isReleased = true;
    client.off("end", onEnd);
    release(problem);
  };
  const onEnd = () => client.release(true);
  client.once("end", onEnd);
  return client;
}

async function connectAlone(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis });
  client.on("error", () => {}); // the query tells
  await client.connect().catch((cause: unknown) => {
    throw new Error(`DATABASE_URL: the database cannot be reached: ${reasonOf(cause)}`, { cause });
  });
  return client;
}

async function requireMigrated(connectionString: string): Promise<void> {
  const client = await connectAlone(connectionString);
  try {
    await requireThisSchema(drizzle(client));
  } finally {
    await client.end().catch(() => {});
  }
}

/** On a dedicated connection, which is silent while another process migrates. */
async function migrateAlone(connectionString: string): Promise<void> {
  const client = await connectAlone(connectionString);
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    for (let tries = 1; ; tries++)
      try {
        await migrateForward(drizzle(client));
        break;
      } catch (problem) {
        // A transaction of a process on the previous release took its locks in another order.
        if (tries === maxDeadlocks || !isDeadlock(problem)) throw problem;
      }
  } finally {
    // Explicitly: behind a pooler the lock would outlive our connection.
    await client.query("select pg_advisory_unlock($1)", [migrationLock]).catch(() => {});
    await client.end().catch(() => {});
  }
}

const maxDeadlocks = 5;

/** SQLSTATE 40P01, as wrapped by drizzle. */
const isDeadlock = (problem: unknown): boolean =>
  problem instanceof Error && ((problem as { code?: string }).code === "40P01" || isDeadlock(problem.cause));

function socketWithTimeout(timeoutMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(timeoutMs, () =>
    socket.destroy(Object.assign(new Error(`PostgreSQL did not respond for ${timeoutMs} ms`), { code: "ETIMEDOUT" })),
  );
}

/** A name with several addresses fails with an error for each, and has no message itself. */
function reasonOf(problem: unknown): string {
  if (problem instanceof AggregateError) return problem.errors.map(reasonOf).join(", ");
  return problem instanceof Error ? problem.message : String(problem);
}
