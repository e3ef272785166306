import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenDatabase, rowsOf } from "../../../platform/db/database.ts";
import { openPglite } from "../../../platform/db/pglite.ts";
import { heldClock, snapshot } from "../../../testing/harness.ts";
import { startFakeService } from "../../../testing/jobs-of-fakes.ts";
import { insertOutput, reserveOutput } from "./output-rows.ts";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openPglite(snapshot());
});
afterAll(() => database.close());

test("an output that is due counts for its own caller's queue, whoever else has jobs", async () => {
  const { db } = database;
  const clock = heldClock();
  const service = await startFakeService(db, { clock, engines: 2 });
  await service.begin("person:amy");
  const jobId = await service.begin("person:zed");
  await expect.poll(() => service.running.length).toBe(2);
  for (const one of [...service.running]) one.end();
  await expect
    .poll(async () => (await rowsOf(db.execute(sql`select 1 from jobs where state = 'done'`))).length)
    .toBe(2);
  await insertOutput(db, { jobId, url: "https://example.com/put", dueAt: clock.now() });
  const due = (busy: string[]) => reserveOutput(db, { now: clock.now(), reservationMs: 1_000, busy });
  expect(await due(["person:zed"])).toBeUndefined();
  expect(await due(["person:amy"])).toMatchObject({ job_id: jobId, queue_key: "person:zed", tries: 1 });
  await service.close();
});
