import { setImmediate as turn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { snapshot } from "../testing/harness.ts";
import { systemClock } from "./clock.ts";
import { openPglite } from "./db/pglite.ts";
import { createLog } from "./log.ts";
import { createOutbox, measureBacklog, type Settlement } from "./outbox.ts";
import { exponentialBackoff } from "./retry-policy.ts";

test("a run takes all that is due, also where what was in hand ends while it looks for more", async () => {
  const rows = [1, 2, 3, 4, 5, 6];
  const attempted: number[] = [];
  let ends: (() => void)[] = [];
  const due = createOutbox({
    async reserve(busy) {
      const number = busy.length === 0 ? rows.shift() : undefined;
      if (busy.length === 0) return number === undefined ? undefined : { number, tries: 1 };
      for (const end of ends) end();
      ends = [];
      await turn();
      return undefined;
    },
    ownerOf: () => "one owner",
    send({ number }) {
      attempted.push(number);
      return new Promise<"sent">((end) => void ends.push(() => end("sent")));
    },
    settle: async () => {},
    retries: { delaysMs: [] },
    clock: systemClock,
    log: createLog("silent"),
    what: "a row",
    describe: () => ({}),
  });
  await due.sendDue();
  expect(attempted).toEqual([1, 2, 3, 4, 5, 6]);
  await due.close();
});

test("a row that fails is due again after each delay of the policy, and is given up after the last", async () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const settled: Settlement[] = [];
  let tries = 0;
  const due = createOutbox({
    reserve: async () => (tries < 3 ? { tries: ++tries } : undefined),
    ownerOf: () => "one owner",
    send: () => Promise.reject(new Error("no answer")),
    settle: async (_, settlement) => settled.push(settlement),
    retries: exponentialBackoff({ firstDelayMs: 1_000, maxDelayMs: 5_000, retries: 2 }),
    concurrency: 1,
    clock: { now: () => now },
    log: createLog("silent"),
    what: "a row",
    describe: () => ({}),
  });
  await due.sendDue();
  await due.close();
  expect(settled).toEqual([
    { state: "waiting", dueAt: new Date(now.getTime() + 1_000), lastProblem: "no answer" },
    { state: "waiting", dueAt: new Date(now.getTime() + 2_000), lastProblem: "no answer" },
    { state: "failed", dueAt: null, lastProblem: "no answer" },
  ]);
});

test("a row that was sent is not sent again because its settlement failed", async () => {
  const rows = [{ tries: 1 }];
  const settled: Settlement[] = [];
  const due = createOutbox({
    reserve: async () => rows.shift(),
    ownerOf: () => "one owner",
    send: async () => "sent",
    settle: async (_, settlement) => {
      settled.push(settlement);
      throw new Error("the database is away");
    },
    retries: { delaysMs: [1_000] },
    clock: systemClock,
    log: createLog("silent"),
    what: "a row",
    describe: () => ({}),
  });
  await due.sendDue();
  await due.close();
  expect(settled).toEqual([{ state: "sent", dueAt: null, lastProblem: null }]);
});

test("a backlog is how many rows wait, and how long the first of them has been due", async () => {
  const { db, close } = await openPglite(snapshot());
  const now = new Date("2026-01-01T00:10:00Z");
  const measure = () => measureBacklog(db, { rows: sql`from rows where due_at is not null`, now });
  await db.execute(sql`create table rows (due_at timestamptz)`);
  expect(await measure()).toEqual({ waiting: 0, overdueSeconds: 0 });
  await db.execute(sql`insert into rows values ('2026-01-01T00:11:00Z'), (null)`);
  expect(await measure()).toEqual({ waiting: 1, overdueSeconds: 0 });
  await db.execute(sql`insert into rows values ('2026-01-01T00:08:00Z'), ('2026-01-01T00:09:00Z')`);
  expect(await measure()).toEqual({ waiting: 3, overdueSeconds: 120 });
  await close();
});
