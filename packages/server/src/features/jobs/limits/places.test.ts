import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OpenDatabase, rowsOf } from "../../../platform/db/database.ts";
import { openPglite } from "../../../platform/db/pglite.ts";
import { snapshot } from "../../../testing/harness.ts";
import { type PlaceRequest, placeRefusal } from "./places.ts";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openPglite(snapshot());
});
afterAll(() => database.close());
let jobs = 0;
beforeEach(async () => {
  jobs = 0;
  await database.db.execute(sql`truncate jobs cascade`);
});

const bounds = { queueFiles: 400, callerFiles: 80, networkFiles: 20 };
/** Takes places if there are any. Returns why not. */
async function take({ queue, network, files }: PlaceRequest): Promise<string | null> {
  const [row] = await rowsOf<{ refusal: string | null }>(
    database.db.execute(sql`select ${placeRefusal(bounds, { queue, network, files })} as refusal`),
  );
  if (row?.refusal !== null) return row?.refusal ?? "no answer";
  await database.db.execute(sql`
    with job as (
      insert into jobs (id, owner, tier, operation, steps, state, waited, charged, replay, files_left, created_at)
      values (${`job_${jobs++}`}, ${queue.key}, 'hobby', 'compress', '[]', 'queued', false, 0, false, ${files}::int, now())
      returning id)
    insert into job_files (job_id, file_index, queue_key, network, class, lane, priority, state, name, size_bytes, input)
    select job.id, n, ${queue.key}, ${network}, 'picture', 'normal', 1, 'waiting', 'a.png', 90, 'in-0'
    from job, generate_series(1, ${files}::int) n`);
  return null;
}
const account = (name: string, network: string | null, files = 5) =>
  take({ queue: { key: `person:${name}`, isShared: false }, network, files });
const guest = (network: string) => take({ queue: { key: network, isShared: true }, network, files: 5 });
/** Twenty free accounts send batches until all are refused. */
async function flood(network: string): Promise<void> {
  for (let number = 0; number < 20; number++)
    while ((await account(`${network}-${number}`, network)) === null) expect(jobs).toBeLessThan(1000);
}

test("free accounts of one address leave places for guests of other networks, and for paid plans", async () => {
  await flood("network:a");
  expect(await account("another", "network:a")).toBe("network-full");
  expect(await guest("network:a")).toBe("network-full");
  for (let number = 0; number < 4; number++) expect(await guest("network:b")).toBeNull();
  expect(await guest("network:b")).toBe("network-full");
  expect(await account("pro", null, 80)).toBeNull();
  expect(await account("pro", null)).toBe("queue-full");
});

test("however many networks fill the queue, the next one gets a place, and so does a paid plan", async () => {
  for (let number = 0; number < 6; number++) await flood(`network:${number}`);
  expect(await guest("network:new")).toBeNull();
  expect(await account("pro", null, 80)).toBeNull();
});

test("networks of IPv6 with one /48 share places as one network does", async () => {
  for (let number = 0; number < 6; number++) await flood(`network:v6.A.${number}.C`);
  expect(await account("another", "network:v6.A.new.C")).toBe("network-full");
  for (let number = 0; number < 4; number++) expect(await guest("network:v6.B.1.C")).toBeNull();
});
