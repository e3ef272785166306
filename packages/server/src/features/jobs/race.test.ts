import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { isDeep } from "../../testing/deep.ts";
import { startTestApp } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";
import { startPostgres } from "../../testing/postgres.ts";

const jobsEach = isDeep ? 30 : 12;

// PGlite has one connection, so no job can end between two queries. In an earlier release a sweep read the unfinished
// jobs, waited for a second query, and took a job that had ended meanwhile for a dead process's. Some of these jobs ended
// as `failed`, with their pictures removed and their credits refunded, after the caller had received the result.
test("a server that sweeps all the time ends none of its own jobs, on PostgreSQL", async () => {
  const postgres = await startPostgres();
  const app = await startTestApp({ environment: { DATABASE_URL: postgres.url } });
  try {
    const people = await Promise.all(Array.from({ length: 4 }, () => app.person("plus")));
    let isOver = false;
    const sweeping = (async () => {
      while (!isOver) await app.sweep();
    })();
    const statuses = new Map<number, number>();
    await Promise.all(
      people.map(async (person, seed) => {
        for (let i = 0; i < jobsEach; i++) {
          const answer = await person.run("compress", [{ name: "a.png", bytes: samplePng(24, 16, seed) }], {
            quality: "60",
          });
          await answer.bytes();
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }
      }),
    );
    isOver = true;
    await sweeping;
    expect([...statuses]).toEqual([[200, 4 * jobsEach]]);
    const [sums] = await rowsOf(
      app.db.execute(sql`
        select (select count(*)::int from jobs where state <> 'done') as lost,
          (select count(*)::int from credit_entries where kind = 'refund') as returned,
          (select sum(total_used)::int from allowances) as used`),
    );
    expect(sums).toEqual({ lost: 0, returned: 0, used: 4 * jobsEach });
  } finally {
    await app.close();
    await postgres.close();
  }
});
