import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenDatabase, rowsOf } from "./database.ts";
import { openPglite } from "./pglite.ts";

let opened: OpenDatabase;
beforeAll(async () => {
  opened = await openPglite();
  await opened.db.execute(sql`create table notes (id int primary key, text text)`);
});
afterAll(() => opened.close());

const texts = async () =>
  (await rowsOf<{ text: string }>(opened.db.execute(sql`select text from notes order by id`))).map(({ text }) => text);

test("a statement during another's transaction waits for its end and sees all of it or nothing", async () => {
  const entered = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const writing = opened.db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values (${1}, ${"begun"})`);
    entered.resolve();
    await mayEnd.promise;
    await tx.execute(sql`update notes set text = ${"whole"} where id = ${1}`);
  });
  await entered.promise;
  const seen = texts();
  mayEnd.resolve();
  await writing;
  expect(await seen).toEqual(["whole"]);
});

test("a transaction that throws leaves nothing, and the next one works", async () => {
  const failing = opened.db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values (${2}, ${"lost"})`);
    await tx.execute(sql`insert into notes values (${1}, ${"twice"})`);
  });
  await expect(failing).rejects.toMatchObject({ cause: { code: "23505" } });
  expect(await texts()).toEqual(["whole"]);
});

test("a statement that was refused works once what it lacked is there", async () => {
  const late = () => opened.db.execute(sql`insert into later values (${7}::int)`);
  await expect(late()).rejects.toMatchObject({ cause: { code: "42P01" } });
  await opened.db.execute(sql`create table later (n int)`);
  for (let i = 0; i < 3; i++) await late();
  expect(await rowsOf(opened.db.execute(sql`select count(*)::int as n from later`))).toEqual([{ n: 3 }]);
});

test("a prepared statement follows a table that changes under it", async () => {
  const read = () => rowsOf(opened.db.execute(sql`select * from later where n = ${7}::int limit 1`));
  for (let i = 0; i < 8; i++) expect(await read()).toEqual([{ n: 7 }]);
  await opened.db.execute(sql`update later set n = 8`);
  expect(await read()).toEqual([]);
});

test("more different statements than are kept prepared, and answers of megabytes, come through", async () => {
  for (let i = 0; i < 260; i++) {
    const marks = sql.join(
      Array.from({ length: i + 1 }, (_, n) => sql`${n}::int`),
      sql`, `,
    );
    expect(await rowsOf(opened.db.execute(sql`select array_length(array[${marks}], 1) as n`))).toEqual([{ n: i + 1 }]);
  }
  const [row] = await rowsOf<{ text: string }>(opened.db.execute(sql`select repeat('ab', ${2_000_000}::int) as text`));
  expect(row?.text.length).toBe(4_000_000);
  const long = "ü".repeat(1_000_000);
  expect(await rowsOf(opened.db.execute(sql`select length(${long}::text) as n`))).toEqual([{ n: 1_000_000 }]);
});
