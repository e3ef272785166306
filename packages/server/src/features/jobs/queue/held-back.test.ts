import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type OpenDatabase, rowsOf } from "../../../platform/db/database.ts";
import { openPglite } from "../../../platform/db/pglite.ts";
import { heldClock, snapshot } from "../../../testing/harness.ts";
import { type FakeService, startFakeService } from "../../../testing/jobs-of-fakes.ts";
import { recordStatements, type Statement } from "../../../testing/recorded-statements.ts";

let database: OpenDatabase;
let service: FakeService;
const clock = heldClock();
beforeAll(async () => {
  database = await openPglite(snapshot());
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.execute(sql`truncate jobs, job_files, job_blobs, processes, free_engine_use cascade`);
  await database.db.execute(sql`
    insert into processes (id, role, classes, picture_engines, lease_until)
    values ('proc_test', 'all', 'picture', 2, now() + interval '1 hour')`);
  service = await startFakeService(database.db, { clock, engines: 2, processId: "proc_test" });
});
afterEach(() => service.close());

/** Files of one caller that wait, as an earlier process left them. */
const leaveWaiting = (files: number) =>
  database.db.execute(sql`
    with job as (
      insert into jobs (id, owner, tier, operation, steps, state, waited, charged, replay, files_left, created_at)
      values ('job_0greedy', 'person:greedy', 'hobby', 'compress', '[{"operation":"compress","options":{"owner":"person:greedy"}}]',
        'queued', false, 0, false, ${files}::int, now()) returning id)
    insert into job_files (job_id, file_index, queue_key, network, class, lane, priority, state, name, size_bytes, format, input, offered_at)
    select job.id, n, 'person:greedy', 'network:a', 'picture', 'normal', n + 1, 'waiting', 'a.png', 90, 'png', 'in-0',
      now() - interval '1 minute'
    from job, generate_series(0, ${files}::int - 1) n`);
const owners = () => service.running.map(({ owner }) => owner).toSorted();
const left = async () => {
  const [row] = await rowsOf<{ n: number }>(
    database.db.execute(sql`select count(*)::int as n from job_files where state = 'waiting' and offered_at > now()`),
  );
  return row?.n;
};

const finished = async () => {
  const [row] = await rowsOf<{ n: number }>(
    database.db.execute(sql`select count(*)::int as n from job_files where state = 'done'`),
  );
  return row?.n;
};

test("however many files are held back, one statement finds the next that may run", { timeout: 120_000 }, async () => {
  await leaveWaiting(2000);
  const recording = recordStatements();
  let statements: readonly Statement[];
  try {
    // Each sweep offers some of them. The caller holds one of two engines, so the rest is held back.
    for (let round = 0; round < 4; round++) await service.jobs.sweep();
    await expect.poll(owners).toEqual(["person:greedy"]);
    await expect.poll(left).toBe(1999);
    for (let round = 0; round < 10; round++) {
      await service.jobs.sweep();
      await service.worker.beat();
    }
    await service.begin("person:other");
    await expect.poll(owners).toEqual(["person:greedy", "person:other"]);
  } finally {
    statements = recording.stop();
  }
  const claims = statements.filter(({ text }) => text.includes("picked")).reduce((sum, { runs }) => sum + runs, 0);
  expect(claims).toBeGreaterThan(2);
  // A few for each of the eleven times that something might have changed, and not one for each file.
  expect(claims).toBeLessThan(100);

  // It is parsed once, although it is long.
  const prepared = sql`select 1 from pg_prepared_statements where statement like '%picked as (%'`;
  expect(await rowsOf(database.db.execute(prepared))).toHaveLength(1);

  // A free engine goes on with the files that were held back.
  for (let done = 1; done <= 12; done++) {
    await expect.poll(owners).toEqual(["person:greedy", "person:other"]);
    service.running.find(({ owner }) => owner === "person:greedy")?.end();
    await expect.poll(finished).toBe(done);
  }
});
