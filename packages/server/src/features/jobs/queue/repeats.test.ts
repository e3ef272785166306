import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenDatabase, rowsOf } from "../../../platform/db/database.ts";
import { openPglite } from "../../../platform/db/pglite.ts";
import { newId } from "../../../platform/id.ts";
import { heldClock, snapshot } from "../../../testing/harness.ts";
import { type FakeService, startFakeService } from "../../../testing/jobs-of-fakes.ts";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openPglite(snapshot());
});
afterAll(() => database.close());

const clock = heldClock();
const owner = () => `person:${newId("t")}`;
const live = (id: string) =>
  database.db.execute(sql`
    insert into processes (id, role, classes, lease_until) values (${id}, 'api', '', now() + interval '1 hour')`);
const die = (id: string) => database.db.execute(sql`delete from processes where id = ${id}`);

/** An API process with its own worker. */
async function startProcess(): Promise<FakeService & { id: string }> {
  const id = newId("proc");
  await live(id);
  return { ...(await startFakeService(database.db, { clock, engines: 8, processId: id })), id };
}
const stateOf = async (id: string) => {
  const rows = await rowsOf<{ state: string }>(database.db.execute(sql`select state from jobs where id = ${id}`));
  return rows[0]?.state;
};
const work = async (service: FakeService, id: string, end: "end" | "fail") => {
  // The engines may still have another job's file, and get this one later.
  const endAll = () => {
    for (const one of [...service.running]) end === "end" ? one.end() : one.fail(new Error("broken"));
    return stateOf(id);
  };
  await expect.poll(endAll).not.toBe("queued");
};
const deliver = async ({ jobs }: FakeService, id: string): Promise<number> => {
  const record = await jobs.beginDelivery(id);
  if (record.state !== "done" || record.removedAt) return 0;
  await jobs.endDelivery(record);
  return record.files.filter(({ state }) => state === "done").length;
};
const usedBy = async (holder: string) => {
  const rows = await rowsOf<{ used: number; sum: number }>(
    database.db.execute(sql`
      select total_used as used, (select coalesce(sum(credits), 0)::int from credit_entries e where e.holder = a.holder) as sum
      from allowances a where holder = ${holder}`),
  );
  expect(rows[0]?.used).toBe(rows[0]?.sum);
  return rows[0]?.used ?? 0;
};

test("a result that a dead process never delivered is paid for by the repeat that is", async () => {
  const [first, second] = [await startProcess(), await startProcess()];
  const who = owner();
  const id = await first.begin(who, { key: "k" });
  await work(first, id, "end");
  // A worker has finished it. The process that holds the connection dies before it answers.
  await die(first.id);
  const again = await second.begin(who, { key: "k" });
  await second.jobs.sweep();
  await work(second, again, "end");
  expect(await deliver(second, again)).toBe(1);
  await second.jobs.sweep();
  expect(await usedBy(who)).toBe(1);
  await Promise.all([first.close(), second.close()]);
});

test("a repeat that fails gives the credit back where nothing else can deliver the file", async () => {
  const [first, second] = [await startProcess(), await startProcess()];
  const who = owner();
  const id = await first.begin(who, { key: "k" });
  await work(first, id, "end");
  await die(first.id);
  const again = await second.begin(who, { key: "k" });
  await work(second, again, "fail");
  // The first result still exists until the sweep ends its job.
  expect(await usedBy(who)).toBe(1);
  await second.jobs.sweep();
  expect(await usedBy(who)).toBe(0);
  await Promise.all([first.close(), second.close()]);
});

test("a result whose caller hangs up before it is on its way is free, and one that is on its way is charged and kept", async () => {
  const service = await startProcess();
  for (const [isOnItsWay, used, state] of [
    [false, 0, "cancelled"],
    [true, 1, "done"],
  ] as const) {
    const who = owner();
    const id = await service.begin(who, { key: "k" });
    await work(service, id, "end");
    if (isOnItsWay) await service.jobs.beginDelivery(id);
    await service.jobs.hangUp(id, { isKeyed: true });
    expect([await usedBy(who), await stateOf(id)]).toEqual([used, state]);
    expect((await service.jobs.find(id, [who])).removedAt === null).toBe(isOnItsWay);
  }
  await die(service.id);
  await service.close();
});

test("over any order of dying, hanging up, repeating, delivering and sweeping, a request that was delivered is charged once, and none else", {
  timeout: 600_000,
}, async () => {
  const step = fc.constantFrom("repeat", "end", "fail", "die", "hang-up", "sweep", "deliver", "deliver-old");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const who = owner();
      const started: (FakeService & { id: string })[] = [];
      const jobs: { id: string; service: FakeService & { id: string } }[] = [];
      let isDelivered = false;
      const current = async () => {
        const last = started.at(-1);
        if (last) return last;
        const service = await startProcess();
        started.push(service);
        return service;
      };
      const dead = new Set<string>();
      for (const what of ["repeat", ...steps, "die", "sweep"]) {
        const service = await current();
        const last = jobs.at(-1);
        if (what === "repeat") {
          const id = newId("job");
          const answer = await service.begin(who, { key: "k", id }).catch((problem: unknown) => problem);
          if (answer === id && (await stateOf(id)) !== undefined) jobs.push({ id, service });
        } else if (what === "end" || what === "fail") {
          if (last && !dead.has(last.service.id) && (await stateOf(last.id)) === "queued")
            await work(last.service, last.id, what);
        } else if (what === "die") {
          await die(service.id);
          dead.add(service.id);
          for (const one of [...service.running]) one.fail(new Error("killed"));
          started.push(await startProcess());
        } else if (what === "hang-up") {
          if (last) await service.jobs.hangUp(last.id, { isKeyed: true });
        } else if (what === "sweep") await service.jobs.sweep();
        else {
          const chosen = what === "deliver" ? last : jobs[0];
          if (chosen && (await deliver(service, chosen.id)) > 0) isDelivered = true;
        }
      }
      await started.at(-1)?.jobs.sweep();
      expect(await usedBy(who)).toBe(isDelivered ? 1 : 0);
      for (const service of started) {
        await die(service.id);
        await service.close();
      }
    }),
    { numRuns: 25 },
  );
});
