import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenDatabase } from "../../platform/db/database.ts";
import { openPglite } from "../../platform/db/pglite.ts";
import { snapshot } from "../../testing/harness.ts";
import { forgetHolder, restoreCounters } from "./kept-counters.ts";
import { allowances, creditEntries } from "./tables.ts";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openPglite(snapshot());
});
afterAll(() => database.close());

test.each([
  { title: "used on both days", first: 5, second: 30 },
  { title: "given some on the first day, and used on the second", first: -20, second: 30 },
])(
  "an account that is deleted and comes back has a ledger that sums to its counter: $title",
  async ({ first, second }) => {
    const { db } = database;
    const now = new Date("2026-03-11T09:00:00Z");
    const [holder, back] = [`person:${first}`, `person:back${first}`];
    const keys = [`address${first}`];
    await db.insert(creditEntries).values([
      { holder, day: "2026-03-10", at: now, kind: "charge", credits: first, jobId: `a${first}`, fileIndex: 0 },
      { holder, day: "2026-03-11", at: now, kind: "charge", credits: second, jobId: `b${first}`, fileIndex: 0 },
    ]);
    const monthUsed = first + second;
    await db.insert(allowances).values({
      holder,
      day: "2026-03-11",
      dayUsed: second,
      month: "2026-03",
      monthUsed,
      totalUsed: monthUsed,
      reserved: 0,
    });
    await db.transaction((tx) => forgetHolder(tx, { holder, keys, now }));
    await db.transaction((tx) => restoreCounters(tx, { holder: back, keys, now }));
    const entries = await db.select().from(creditEntries).where(eq(creditEntries.holder, back));
    const [counter] = await db.select().from(allowances).where(eq(allowances.holder, back));
    expect(entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(monthUsed);
    expect(counter).toMatchObject({ dayUsed: second, monthUsed, totalUsed: monthUsed });
  },
);
