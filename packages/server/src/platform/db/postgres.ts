import { Socket } from "node:net";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { OpenDatabase } from "./database.ts";
import { migrateForward, requireThisSchema } from "./migrate.ts";

/** Any name will do, as long as every server uses the same: two that start at once must not both migrate. */
const migrationLock = 7_401_873;
const connectionTimeoutMillis = 10_000;

/**
 * A connection without a byte for so long is given up. The machine at its other end may be gone, and TCP would wait a quarter of
 * an hour for it. No statement of the service takes as long; an idle connection is closed before.
 */
const mostSilentMs = 30_000;

/**
 * PostgreSQL by its address (`postgres://...`); brought to the present tables before it is handed out, unless `migrates` is false.
 * @throws Error where it cannot be reached, a newer release has migrated it, or it has other tables and `migrates` is false
 */
export async function openPostgres(
  connectionString: string,
  { silentMs = mostSilentMs, migrates = true }: { silentMs?: number; migrates?: boolean } = {},
): Promise<OpenDatabase> {
  await (migrates ? migrateAlone : requireMigrated)(connectionString);
  const pool = new LosslessPool({
    connectionString,
    max: 10,
    connectionTimeoutMillis,
    stream: () => impatientSocket(silentMs),
  });
  // An idle connection that breaks must not end the server; the next query gets a new one or a clear error.
  pool.on("error", () => {});
  // The pool listens to idle connections only: one that breaks between two queries of a transaction must not end it either.
  pool.on("connect", (client) => client.on("error", () => {}));
  return { db: drizzle(pool), exclusive: false, close: () => pool.end() };
}

/**
 * Takes back a connection that is lost while it is given out. drizzle-orm 0.45 sends `begin` before it sees to the release: each
 * transaction that lost its connection there would cost the pool one of its places for good.
 */
class LosslessPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect().then(releaseAtEnd);
    super.connect(callback);
    return undefined;
  }
}

function releaseAtEnd(client: pg.PoolClient): pg.PoolClient {
  const release = client.release.bind(client);
  let isReleased = false;
  client.release = (problem) => {
    // The pool takes none back twice.
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

/** On a connection of its own: it is silent for as long as another process migrates. */
async function migrateAlone(connectionString: string): Promise<void> {
  const client = await connectAlone(connectionString);
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    for (let tries = 1; ; tries++)
      try {
        await migrateForward(drizzle(client));
        break;
      } catch (problem) {
        // A transaction of a process that runs the release before took its locks in another order.
        if (tries === mostDeadlocks || !isDeadlock(problem)) throw problem;
      }
  } finally {
    // By name: behind a pooler the lock would outlive our connection.
    await client.query("select pg_advisory_unlock($1)", [migrationLock]).catch(() => {});
    await client.end().catch(() => {});
  }
}

const mostDeadlocks = 5;

/** SQLSTATE 40P01, as drizzle hands it on. */
const isDeadlock = (problem: unknown): boolean =>
  problem instanceof Error && ((problem as { code?: string }).code === "40P01" || isDeadlock(problem.cause));

function impatientSocket(silentMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silentMs, () =>
    socket.destroy(Object.assign(new Error(`PostgreSQL was silent for ${silentMs} ms`), { code: "ETIMEDOUT" })),
  );
}

/** A name with several addresses fails with an error for each, and no message of its own. */
function reasonOf(problem: unknown): string {
  if (problem instanceof AggregateError) return problem.errors.map(reasonOf).join(", ");
  return problem instanceof Error ? problem.message : String(problem);
}
