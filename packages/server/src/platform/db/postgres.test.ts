import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Outage, proxyTo } from "../../testing/outage.ts";
import { startPostgres, type TestPostgres } from "../../testing/postgres.ts";
import { isConnectionError } from "./connection-error.ts";
import { openPostgres } from "./postgres.ts";

/** More than a busy machine needs for ten connections at once. */
const socketTimeoutMs = 3_000;
let postgres: TestPostgres;
let outage: Outage;
beforeAll(async () => {
  postgres = await startPostgres();
  outage = await proxyTo({ port: Number(new URL(postgres.url).port) });
});
afterAll(async () => {
  await outage.close();
  await postgres.close();
});

test("a connection whose other end has fallen silent is given up, and the next query has a new one", async () => {
  const url = new URL(postgres.url);
  url.port = String(outage.port);
  const { db, close } = await openPostgres(url.href, { socketTimeoutMs });
  await db.execute(sql`select 1`);
  outage.stall();
  const problem = await db.execute(sql`select 1`).catch((thrown: unknown) => thrown);
  expect(isConnectionError(problem)).toBe(true);
  const inside = db.transaction(async (tx) => {
    outage.mend();
    await tx.execute(sql`select 1`);
    outage.stall();
    await tx.execute(sql`select 1`);
  });
  expect(isConnectionError(await inside.catch((thrown: unknown) => thrown))).toBe(true);
  outage.mend();
  await db.execute(sql`select 1`);
  await close();
});

test("transactions whose connection is lost at their beginning leave the pool its places", async () => {
  const url = new URL(postgres.url);
  url.port = String(outage.port);
  const { db, close } = await openPostgres(url.href, { socketTimeoutMs });
  const begin = () => db.transaction((tx) => tx.execute(sql`select 1`));
  const ten = () => Promise.allSettled(Array.from({ length: 10 }, begin));
  expect(await ten()).toMatchObject(Array(10).fill({ status: "fulfilled" }));
  outage.stall();
  expect(await ten()).toMatchObject(Array(10).fill({ status: "rejected" }));
  outage.mend();
  expect(await ten()).toMatchObject(Array(10).fill({ status: "fulfilled" }));
  // It waits for each connection that is checked out.
  await close();
});

test("a database that has no disk left is one that may answer later", async () => {
  const { db, close } = await openPostgres(postgres.url);
  const full = sql`do $$ begin raise exception using errcode = 'disk_full'; end $$`;
  expect(isConnectionError(await db.execute(full).catch((thrown: unknown) => thrown))).toBe(true);
  const unknown = sql`select * from no_such_table`;
  expect(isConnectionError(await db.execute(unknown).catch((thrown: unknown) => thrown))).toBe(false);
  await close();
});

test("a database that takes no connections is away, and a caller whose connection breaks is not", async () => {
  const url = new URL(postgres.url);
  url.port = String(outage.port);
  const { db, close } = await openPostgres(url.href, { socketTimeoutMs });
  await outage.close();
  for (const query of [() => db.execute(sql`select 1`), () => db.transaction((tx) => tx.execute(sql`select 1`))])
    expect(isConnectionError(await query().catch((thrown: unknown) => thrown))).toBe(true);
  await close();
  const aborted = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  expect(isConnectionError(aborted)).toBe(false);
  expect(isConnectionError(new Error("the upload failed", { cause: aborted }))).toBe(false);
});

test.each([
  ["nothing listens there", "postgres://tintype@localhost:1/postgres", /^DATABASE_URL: .*ECONNREFUSED/],
  ["there is no such database", undefined, /^DATABASE_URL: .*"nowhere" does not exist/],
])("an address where %s is refused by its setting", async (_, address, sentence) => {
  const url = new URL(postgres.url);
  url.pathname = "/nowhere";
  await expect(openPostgres(address ?? url.href)).rejects.toThrow(sentence);
});
