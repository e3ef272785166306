import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Job } from "@tintype/contract";
import { job as jobShape } from "@tintype/contract/schemas";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../platform/db/database.ts";
import { type Cluster, type Member, startCluster } from "../../testing/cluster.ts";
import { isDeep } from "../../testing/deep.ts";
import { createCaller, type TestCaller } from "../../testing/harness.ts";
import { noisePng, samplePng } from "../../testing/pictures.ts";
import { storedJobs } from "../../testing/stored-jobs.ts";

let cluster: Cluster;
let first: Member;
let second: Member;
/** The one that runs; the tests take over from each other. */
let worker: Member;
beforeAll(async () => {
  cluster = await startCluster();
  [first, second, worker] = await Promise.all([cluster.start("api"), cluster.start("api"), cluster.start("worker")]);
});
afterAll(() => cluster.close());

let people = 0;
/** A new person who calls both API processes. */
async function person(): Promise<{ first: TestCaller; second: TestCaller; key: string }> {
  const subject = `person-${people++}`;
  const token = await cluster.issuer.token(subject);
  const caller = createCaller(first.baseUrl, token);
  await caller.call("/api/user-info");
  const [row] = await rowsOf<{ id: string }>(
    cluster.db.execute(sql`select id from accounts where subject = ${subject}`),
  );
  return { first: caller, second: createCaller(second.baseUrl, token), key: `person:${row?.id}` };
}
const slow = (name = "slow.png") => ({ name, bytes: noisePng(1300, 1300) });
const sample = (name = "a.png") => ({ name, bytes: samplePng(48, 32) });
const begin = async (caller: TestCaller, files: { name: string; bytes: Uint8Array }[]) => {
  const answer = await caller.run("compress", files, { quality: "60" }, { prefer: "respond-async" });
  expect(answer.status).toBe(202);
  return answer.headers.get("location") ?? "";
};
const fetchJob = async (caller: TestCaller, path: string): Promise<Job> =>
  jobShape.parse(await (await caller.call(path)).json());
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;
const file = async (path: string) => {
  const id = path.split("/").at(-1);
  const [row] = await rowsOf<{ state: string; worker: string | null; tries: number }>(
    cluster.db.execute(sql`select state, worker, tries from job_files where job_id = ${id} and file_index = 0`),
  );
  return row;
};
const charges = async (key: string) => {
  const [row] = await rowsOf<{ charges: number; back: number }>(
    cluster.db.execute(sql`
      select count(*) filter (where kind = 'charge')::int as charges, count(*) filter (where kind = 'refund')::int as back
      from credit_entries where holder = ${key}`),
  );
  return row;
};
// Up to seven processes share two cores.
const pollOptions = { timeout: 120_000, interval: 100 };

test("a job is begun, watched, fetched and cancelled through any API process", async () => {
  const one = await person();
  const path = await begin(one.first, [sample()]);
  await expect.poll(async () => (await fetchJob(one.second, path)).state, pollOptions).toBe("done");
  expect((await (await one.second.call(`${path}/result`)).bytes()).length).toBeGreaterThan(50);
  // The process that sent it notes so after the last byte.
  await expect.poll(async () => (await one.first.call(`${path}/result`)).status, pollOptions).toBe(410);
  expect((await one.first.run("compress", [sample()], { quality: "60" })).status).toBe(200);
  const long = await begin(one.first, [slow()]);
  const events = one.second.call(`${long}/events`).then((answer) => answer.text());
  expect((await one.second.call(long, { method: "DELETE" })).status).toBe(200);
  expect(await events).toContain('"state":"cancelled"');
  expect(await used(one.first)).toBe(2);
});

test("40 calls at once through two API processes with five credits: exactly five succeed", async () => {
  const guest = createCaller(first.baseUrl);
  const cookie = (await guest.call("/api/config")).headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const caller = createCaller((i % 2 === 0 ? first : second).baseUrl);
      const answer = await caller.run("compress", [sample()], { quality: "60" }, { cookie });
      await answer.bytes();
      return answer.status;
    }),
  );
  expect(answers.filter((status) => status === 200)).toHaveLength(5);
  expect(answers.filter((status) => status === 403)).toHaveLength(35);
});

/** A person's job whose only file this worker, then stopped, was working on. */
async function stopAtWork(worker: Member) {
  for (;;) {
    const one = await person();
    const path = await begin(one.first, [slow()]);
    await expect.poll(async () => (await file(path))?.state, pollOptions).not.toBe("waiting");
    process.kill(worker.pid, "SIGSTOP");
    await wait(500); // PostgreSQL may be running its last statement
    if ((await file(path))?.state === "working") return { one, path };
    // It was done already.
    process.kill(worker.pid, "SIGCONT");
  }
}

test("a worker that is killed: its file runs elsewhere, and is charged once", async () => {
  const { one, path } = await stopAtWork(worker);
  const before = (await file(path))?.worker;
  await worker.kill("SIGKILL");
  worker = await cluster.start("worker");
  await expect.poll(async () => (await file(path))?.tries, pollOptions).toBe(2);
  expect((await file(path))?.worker).not.toBe(before);
  await expect.poll(async () => (await fetchJob(one.second, path)).state, pollOptions).toBe("done");
  expect(await charges(one.key)).toEqual({ charges: 1, back: 0 });
  expect(await used(one.first)).toBe(1);
});

test("a worker that stands still for 8 s: one result, one charge", async () => {
  const frozen = worker;
  const { one, path } = await stopAtWork(frozen);
  worker = await cluster.start("worker");
  await expect.poll(async () => (await file(path))?.tries, pollOptions).toBeGreaterThan(1);
  await wait(2_000); // a freeze of 8 s in all; the lease took the first five
  process.kill(frozen.pid, "SIGCONT");
  await expect.poll(async () => (await fetchJob(one.second, path)).state, pollOptions).toBe("done");
  const spooled = () =>
    readdirSync(`${cluster.spool}/${path.split("/").at(-1)}`).filter((name) => name.startsWith("out-"));
  // One result, and not the first attempt's.
  await expect.poll(spooled, pollOptions).toHaveLength(1);
  expect(spooled()).not.toContain("out-0-1");
  expect((await (await one.first.call(`${path}/result`)).bytes()).length).toBeGreaterThan(1000);
  expect(await charges(one.key)).toEqual({ charges: 1, back: 0 });
  await Promise.all([frozen.kill("SIGKILL"), worker.kill("SIGKILL")]);
});

test("an API process that is killed: async jobs go on, waited ones are given back", async () => {
  const one = await person();
  const victim = await cluster.start("api");
  const token = await cluster.issuer.token("person-of-the-doomed");
  const waiting = createCaller(victim.baseUrl, token);
  await waiting.call("/api/user-info");
  const path = await begin(one.first, [sample()]);
  const lost = waiting.run("compress", [sample()], { quality: "60" }).catch(() => "cut off");
  const other = createCaller(second.baseUrl, token);
  await expect.poll(() => used(other), pollOptions).toBe(1);
  await victim.kill("SIGKILL");
  expect(await lost).toBe("cut off");
  await expect.poll(() => used(other), pollOptions).toBe(0);
  worker = await cluster.start("worker");
  await expect.poll(async () => (await fetchJob(one.second, path)).state, pollOptions).toBe("done");
});

test("an API process killed at many moments around a submission: nothing stays unfinished or is charged for nothing", {
  timeout: 400_000,
}, async () => {
  const one = await person();
  await cluster.db.execute(sql`update accounts set paid_plan = 'pro' where 'person:' || id = ${one.key}`);
  const token = await cluster.issuer.token(`person-${people - 1}`);
  const calls = 10;
  const received = new Set<string>();
  let accepted = 0;
  // Deliveries are recorded before their last bytes. A kill between the two charges for an answer that did not arrive, but can be fetched.
  const fetchUnreceived = async () => {
    const recorded = await rowsOf<{ id: string; name: string }>(
      cluster.db.execute(sql`
        select j.id, f.name from jobs j join job_files f on f.job_id = j.id
        where j.owner = ${one.key} and j.waited and j.removed_at is null and f.delivery = 'whole'`),
    );
    for (const { id, name } of recorded.filter((file) => !received.has(file.name))) {
      const answer = await one.second.call(`/api/jobs/${id}/result`);
      expect(answer.status, name).toBe(200);
      expect((await answer.bytes()).length).toBeGreaterThan(50);
      received.add(name);
    }
  };
  // crash.test.ts kills at each step of one submission.
  const rounds = isDeep ? 10 : 2;
  for (let round = 0; round < rounds; round++) {
    const member = await cluster.start("api");
    const victim = createCaller(member.baseUrl, token);
    await victim.call("/api/user-info");
    let answered = 0;
    // The calls are staggered so that the kill hits each at another stage. It comes after more answers in each round.
    const answers = Array.from({ length: calls }, async (_, i) => {
      await wait(i * 30);
      const name = `${round}-${i}.png`;
      const answer = await victim
        .run("compress", [sample(name)], { quality: "60" }, i % 2 === 0 ? {} : { prefer: "respond-async" })
        .catch(() => undefined);
      const bytes = await answer?.bytes().catch(() => undefined);
      answered++;
      if (bytes && answer?.status === 200) received.add(name);
      if (answer?.status === 202) accepted++;
    });
    await expect.poll(() => answered, { interval: 5 }).toBeGreaterThanOrEqual((round * calls) / rounds);
    await wait(100 * Math.random());
    await member.kill("SIGKILL");
    await Promise.all(answers);
    await fetchUnreceived();
  }
  const state = async () => {
    // The last record of a killed process may have reached the database after its death.
    await fetchUnreceived();
    const [row] = await rowsOf<{ unfinished: number; owed: number; waited: number; free: number; kept: number }>(
      cluster.db.execute(sql`
        select count(*) filter (where state in ('queued', 'running'))::int as unfinished,
          count(*) filter (where state <> 'done' and charged > 0)::int as owed,
          coalesce(sum(charged) filter (where waited), 0)::int as waited,
          count(*) filter (where state = 'done' and charged = 0)::int as free,
          count(*) filter (where waited and removed_at is null)::int as kept
        from jobs where owner = ${one.key}`),
    );
    return row;
  };
  await expect.poll(state, pollOptions).toMatchObject({ unfinished: 0, owed: 0, free: 0, kept: 0 });
  const { waited = 0 } = (await state()) ?? {};
  // A caller who read the whole answer may have got it free. No one pays for an answer that did not arrive.
  expect(waited).toBeLessThanOrEqual(received.size);
  const [sums] = await rowsOf<{ done: number; used: number }>(
    cluster.db.execute(sql`
      select (select coalesce(sum(charged), 0)::int from jobs where owner = ${one.key}) as done,
        (select total_used::int from allowances where holder = ${one.key}) as used`),
  );
  expect(sums?.used).toBe(sums?.done);
  expect((sums?.done ?? 0) - waited).toBeGreaterThanOrEqual(accepted);
  expect(received.size + accepted).toBeGreaterThan(0);
});

test("nothing of it all stays", async () => {
  const [sums] = await rowsOf(
    cluster.db.execute(sql`
      select (select count(*)::int from allowances a where total_used <>
          (select coalesce(sum(credits), 0) from credit_entries e where e.holder = a.holder or e.network = a.holder)) as wrong,
        (select count(*)::int from jobs where state in ('queued', 'running')) as unfinished`),
  );
  expect(sums).toEqual({ wrong: 0, unfinished: 0 });
  const kept = await rowsOf<{ job_id: string }>(cluster.db.execute(sql`select job_id from job_blobs`));
  const isKnown = new Set(kept.map(({ job_id }) => job_id));
  expect(storedJobs(cluster.spool).filter((id) => !isKnown.has(id))).toEqual([]);
});
