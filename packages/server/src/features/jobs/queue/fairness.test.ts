import { DomainError } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type OpenDatabase, rowsOf } from "../../../platform/db/database.ts";
import { openPglite } from "../../../platform/db/pglite.ts";
import { heldClock, snapshot } from "../../../testing/harness.ts";
import { type FakeService, startFakeService } from "../../../testing/jobs-of-fakes.ts";

let database: OpenDatabase;
let service: FakeService;
const clock = heldClock();
beforeAll(async () => {
  database = await openPglite(snapshot());
});
afterAll(() => database.close());

const startWith = async (engines: number) => {
  await database.db.execute(sql`truncate jobs, job_files, job_blobs, processes, free_engine_use cascade`);
  await database.db.execute(sql`
    insert into processes (id, role, classes, picture_engines, lease_until)
    values ('proc_test', 'all', 'picture', ${engines}, now() + interval '1 hour')`);
  service = await startFakeService(database.db, { clock, engines, processId: "proc_test" });
};
beforeEach(() => startWith(4));
afterEach(() => service.close());

/** The number of files in work per owner. */
const inWork = () => {
  const counts: Record<string, number> = {};
  for (const { owner } of service.running) counts[owner] = (counts[owner] ?? 0) + 1;
  return counts;
};
const endOne = (owner: string) => service.running.find((one) => one.owner === owner)?.end();
const used = async (key: string) => {
  const rows = await rowsOf<{ ms: number }>(
    database.db.execute(sql`select engine_ms::int as ms from free_engine_use where key = ${key}`),
  );
  return rows[0]?.ms ?? 0;
};

test("a caller alone never holds the last free engine, and another caller's picture is taken up at once", async () => {
  await service.begin("person:greedy", { files: 6 });
  await expect.poll(inWork).toEqual({ "person:greedy": 3 });
  await service.begin("person:other");
  await expect.poll(inWork).toEqual({ "person:greedy": 3, "person:other": 1 });
  // Each finished file makes room for one that was held back.
  endOne("person:other");
  endOne("person:greedy");
  await expect.poll(inWork).toEqual({ "person:greedy": 3 });
});

test("while others wait a caller holds no more than an equal part, also while its pictures run", async () => {
  await service.begin("person:greedy", { files: 8 });
  await expect.poll(inWork).toEqual({ "person:greedy": 3 });
  await service.begin("person:other", { files: 8 });
  await expect.poll(inWork).toEqual({ "person:greedy": 3, "person:other": 1 });
  // Its files have used their slice: one yields, and that does not count as a try.
  await service.worker.beat();
  await expect.poll(inWork).toEqual({ "person:greedy": 2, "person:other": 2 });
  await service.worker.beat();
  await expect.poll(inWork).toEqual({ "person:greedy": 2, "person:other": 2 });
  const tries = await rowsOf<{ tries: number }>(
    database.db.execute(sql`select distinct tries from job_files order by tries`),
  );
  expect(tries).toEqual([{ tries: 0 }, { tries: 1 }]);
});

test("with a single engine a long picture lets others go first, and comes to its end", async () => {
  await service.close();
  await startWith(1);
  await service.begin("person:greedy", { files: 2 });
  await expect.poll(inWork).toEqual({ "person:greedy": 1 });
  await service.worker.beat();
  expect(inWork()).toEqual({ "person:greedy": 1 });
  await service.begin("person:other");
  await service.worker.beat();
  await expect.poll(inWork).toEqual({ "person:other": 1 });
  endOne("person:other");
  await expect.poll(inWork).toEqual({ "person:greedy": 1 });
  for (let left = 2; left > 0; left--) {
    await expect.poll(inWork).toEqual({ "person:greedy": 1 });
    endOne("person:greedy");
    await expect.poll(async () => (await states()).filter((state) => state === "done").length).toBe(4 - left);
  }
});
const states = async () =>
  (await rowsOf<{ state: string }>(database.db.execute(sql`select state from job_files`))).map(({ state }) => state);

test("free callers of one network leave an engine to other networks", async () => {
  await service.begin("person:one", { network: "network:a", files: 3 });
  await service.begin("person:two", { network: "network:a", files: 3 });
  // No one else waits, so two callers of a network may hold all engines.
  await expect.poll(() => service.running.length).toBe(4);
  await service.begin("person:other", { network: "network:b", files: 2 });
  await service.worker.beat();
  await expect.poll(() => inWork()["person:other"]).toBe(1);
});

test("time of engines that brought no credit is counted to its caller and network, and beyond the budget nothing more is taken in", async () => {
  const { begin, jobs } = service;
  const who = { network: "network:a" };
  const id = await begin("person:free", who);
  await expect.poll(inWork).toEqual({ "person:free": 1 });
  await new Promise((done) => setTimeout(done, 5));
  service.running[0]?.fail(new DomainError("size-unreachable"));
  await expect.poll(() => used("person:free")).toBeGreaterThan(0);
  expect(await used("network:a")).toBe(await used("person:free"));
  expect((await jobs.find(id, ["person:free"])).charged).toBe(0);
  // A paid file counts nothing.
  const before = await used("person:free");
  const paid = await begin("person:free", who);
  await expect.poll(inWork).toEqual({ "person:free": 1 });
  endOne("person:free");
  await expect.poll(async () => (await jobs.find(paid, ["person:free"])).state).toBe("done");
  expect(await used("person:free")).toBe(before);
  // A file cancelled in work does count.
  const stopped = await begin("person:free", who);
  await expect.poll(inWork).toEqual({ "person:free": 1 });
  await new Promise((done) => setTimeout(done, 5));
  await jobs.cancel(stopped, ["person:free"]);
  await expect.poll(() => used("person:free")).toBeGreaterThan(before);

  await database.db.execute(sql`update free_engine_use set engine_ms = 1000000000 where key = 'network:a'`);
  const refusal = await begin("person:third", who).catch((problem: unknown) => problem);
  expect(refusal).toMatchObject({ code: "too-many-requests", retryAfterSeconds: 3600 });
  await expect(begin("person:third", { network: "network:b" })).resolves.toEqual(expect.any(String));
  endOne("person:third");
  clock.advance(3_600_001);
  await expect(begin("person:third", who)).resolves.toEqual(expect.any(String));
});
