import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenDatabase } from "../../../platform/db/database.ts";
import { openPglite } from "../../../platform/db/pglite.ts";
import { snapshot } from "../../../testing/harness.ts";
import { expireLeases } from "../sweep.ts";
import { processes } from "../tables.ts";
import { openLease } from "./lease.ts";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openPglite(snapshot());
});
afterAll(() => database.close());

const log = { warn() {}, error() {} };
/** Blocks this process completely, like a suspended laptop or an overloaded machine. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test.each([
  { exclusive: true, kept: 1, title: "alone with its database is not taken for dead" },
  { exclusive: false, kept: 0, title: "among others loses its lease" },
])("a process that stood still for 6 s $title", { timeout: 30_000 }, async ({ exclusive, kept }) => {
  const { db } = database;
  const lease = await openLease({ db, role: "all", classes: ["picture"], exclusive, log });
  standStill(6_000);
  expect(lease.isHeld()).toBe(exclusive);
  await expireLeases({ db, lease: { isReliable: () => true }, meter: { countLeaseLost() {} }, log });
  const rows = await db.select().from(processes);
  expect(rows).toHaveLength(kept);
  await lease.close();
});

test("a process that could not renew judges no other one until all have had the time to renew", async () => {
  const { db } = database;
  const lease = await openLease({ db, role: "all", classes: ["picture"], exclusive: false, log });
  await expect.poll(() => lease.isReliable()).toBe(true);
  standStill(3_000);
  const wokeAt = performance.now();
  expect(lease.isReliable()).toBe(false);
  // The lease is renewed at once, but is steady only after the length of another one.
  await expect.poll(() => lease.isHeld()).toBe(true);
  await expect.poll(() => lease.isReliable()).toBe(true);
  expect(performance.now() - wokeAt).toBeGreaterThanOrEqual(5_000);
  await lease.close();
});

test("a process that begins when the database is back takes nothing from those whose leases ran out meanwhile", async () => {
  const { db } = database;
  const open = () => openLease({ db, role: "api", classes: [], exclusive: false, log });
  const earlier = await open();
  // Nothing is renewed, as during an outage.
  standStill(6_000);
  const begun = await open();
  let lost = 0;
  const expire = () => expireLeases({ db, lease: begun, meter: { countLeaseLost: () => lost++ }, log });
  await expire();
  await expect.poll(() => begun.isReliable()).toBe(true);
  await expire();
  expect(lost).toBe(0);
  await Promise.all([earlier.close(), begun.close()]);
});
