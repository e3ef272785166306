import { DomainError } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type OpenDatabase, rowsOf } from "../../../platform/db/database.ts";
import { openPglite } from "../../../platform/db/pglite.ts";
import { heldClock, snapshot } from "../../../testing/harness.ts";
import { type FakeService, startFakeService } from "../../../testing/jobs-of-fakes.ts";

let database: OpenDatabase;
let service: FakeService;
let isFull = false;
const clock = heldClock();
beforeEach(async () => {
  isFull = false;
  database = await openPglite(snapshot());
  await database.db.execute(sql`delete from processes`);
  await addProcess("proc_mine");
  service = await startFakeService(database.db, {
    clock,
    engines: 2,
    processId: "proc_mine",
    disk: { isFull: async () => isFull },
  });
});
afterEach(async () => {
  await service.close();
  await database.close();
});

const addProcess = (id: string) =>
  database.db.execute(sql`
    insert into processes (id, role, classes, picture_engines, lease_until)
    values (${id}, 'worker', 'picture', 2, now() + interval '1 hour')`);
const files = () =>
  rowsOf<{ state: string; tries: number; code: string | null }>(
    database.db.execute(sql`select state, tries, code from job_files order by job_id`),
  );
const unavailable = () =>
  new DomainError("unavailable", { cause: Object.assign(new Error("no space left on device"), { code: "ENOSPC" }) });

test("a worker whose disk is full gives its work to another at once, without a try lost, and takes none while full", async () => {
  await addProcess("proc_healthy");
  await service.begin("person:a");
  await expect.poll(() => service.running.length).toBe(1);
  isFull = true;
  service.running[0]?.fail(unavailable());
  await expect.poll(files).toEqual([{ state: "waiting", tries: 0, code: null }]);
  // It is offered again, and left to others.
  await database.db.execute(sql`update job_files set offered_at = now() - interval '1 minute'`);
  await service.jobs.sweep();
  await service.worker.beat();
  await service.begin("person:b");
  expect(service.running).toEqual([]);
  expect((await files()).map(({ state }) => state)).toEqual(["waiting", "waiting"]);

  isFull = false;
  await service.worker.beat();
  await expect.poll(() => service.running.length).toBe(2);
});

test("with no other worker a picture fails at once where the disk is full, and costs nothing", async () => {
  await service.begin("person:a");
  await expect.poll(() => service.running.length).toBe(1);
  isFull = true;
  service.running[0]?.fail(new DomainError("engine-failed"));
  await expect.poll(files).toEqual([{ state: "failed", tries: 1, code: "unavailable" }]);
  const charged = await rowsOf(database.db.execute(sql`select charged from jobs`));
  expect(charged).toEqual([{ charged: 0 }]);
});
