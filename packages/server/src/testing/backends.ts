import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { openPostgres } from "../platform/db/postgres.ts";
import { startPostgres } from "./postgres.ts";
import { startRedis } from "./redis.ts";

// Where vitest.config.ts sets TINTYPE_TEST_BACKENDS=postgres, an app starts on PostgreSQL and Redis instead of the embedded database
// and the in-process queue.

/** Passes the address of the run's PostgreSQL to the tests. */
const variable = "TINTYPE_TEST_POSTGRES";
const template = "tintype_template";

/** Starts the run's PostgreSQL once, with a migrated database to copy. Returns a function that stops it. */
export async function makeBackends(): Promise<() => Promise<void>> {
  if (process.env[variable]) return async () => {};
  const postgres = await startPostgres();
  await ask(postgres.url, `create database ${template}`);
  await (await openPostgres(nameDatabase(postgres.url, template))).close();
  process.env[variable] = postgres.url;
  return () => postgres.close();
}

export type TestDatabase = { url: string; close(): Promise<void> };

/**
 * A separate, migrated database on the run's PostgreSQL. A test that stops the server, or changes its settings, starts its own
 * (startPostgres).
 */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `app_${randomUUID().replaceAll("-", "")}`;
  await ask(runPostgres(), `create database ${name} template ${template}`);
  return databaseAt(nameDatabase(runPostgres(), name));
}

function databaseAt(url: string): TestDatabase {
  const name = new URL(url).pathname.slice(1);
  return { url, close: () => ask(runPostgres(), `drop database ${name} with (force)`) };
}

function runPostgres(): string {
  const server = process.env[variable];
  if (!server) throw new Error("The run has not started PostgreSQL: test/global-setup-of-servers.ts does.");
  return server;
}

export type AppBackends = {
  environment: Record<string, string>;
  /** Deletes everything in Redis, including counted calls. */
  emptyRedis(): Promise<void>;
  close(): Promise<void>;
};

/**
 * A separate database and Redis for an app; undefined if this test uses embedded ones. An app that restarts on a data folder
 * gets its previous database, which then outlives it.
 */
export async function openAppBackends(kept?: string): Promise<AppBackends | undefined> {
  if (process.env["TINTYPE_TEST_BACKENDS"] !== "postgres") return undefined;
  const note = kept === undefined ? undefined : join(kept, "test-database");
  const known = note !== undefined && existsSync(note) ? readFileSync(note, "utf8") : undefined;
  const database = known === undefined ? await createDatabase() : databaseAt(known);
  if (note !== undefined) writeFileSync(note, database.url);
  const redis = await startRedis();
  return {
    environment: {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      TINTYPE_SECRET: "one secret for every start on these backends",
    },
    emptyRedis: () => redis.empty(),
    async close() {
      await redis.close();
      if (note === undefined) await database.close();
    },
  };
}

function nameDatabase(url: string, name: string): string {
  const named = new URL(url);
  named.pathname = `/${name}`;
  return named.href;
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
