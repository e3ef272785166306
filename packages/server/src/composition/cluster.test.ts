import { setTimeout as wait } from "node:timers/promises";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeIdName } from "../platform/blobs/blobs.ts";
import { createS3Client } from "../platform/blobs/s3-client.ts";
import { type OpenDatabase, rowsOf } from "../platform/db/database.ts";
import { openPostgres } from "../platform/db/postgres.ts";
import { type Cluster, type Member, startCluster } from "../testing/cluster.ts";
import { createCaller, type TestCaller } from "../testing/harness.ts";
import { type Outage, proxyTo } from "../testing/outage.ts";
import { samplePng } from "../testing/pictures.ts";
import { startS3, type TestS3 } from "../testing/s3.ts";

// Six processes of the service share a PostgreSQL, a Redis and an S3 server, one of which becomes unavailable.

let cluster: Cluster;
let s3: TestS3;
let s3Outage: Outage;
let database: OpenDatabase;
let apis: Member[];
let members: Member[];
beforeAll(async () => {
  [cluster, s3] = await Promise.all([startCluster(), startS3()]);
  s3Outage = await proxyTo({ port: Number(new URL(s3.endpoint).port) });
  await cluster.db.execute(sql`create database empty_at_first`);
  const url = new URL(cluster.postgres.url);
  url.pathname = "/empty_at_first";
  const environment = {
    DATABASE_URL: url.href,
    TINTYPE_BLOBS: "",
    S3_BUCKET: s3.bucket,
    S3_ENDPOINT: `http://127.0.0.1:${s3Outage.port}`,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    TINTYPE_LOG_LEVEL: "error",
  };
  // The fake has no conditional writes, by which the first of them would name the store: see blobs.test.ts.
  await createS3Client(s3).send(new PutObjectCommand({ Bucket: s3.bucket, Key: storeIdName, Body: "store_before" }));
  members = await Promise.all(
    (["api", "api", "api", "worker", "worker", "worker"] as const).map((role) => cluster.start(role, environment)),
  );
  apis = members.slice(0, 3);
  database = await openPostgres(url.href);
}, 300_000);
afterAll(async () => {
  await database?.close();
  await cluster?.close();
  await s3Outage?.close();
  await s3?.close();
});

/** How long each outage lasts. */
const outageMs = 5_000;
const pollOptions = { timeout: 90_000, interval: 200 };
const sample = { name: "a.png", bytes: samplePng(40, 30) };
const twenty = Array.from({ length: 20 }, (_, i) => ({ name: `${i}.png`, bytes: samplePng(60, 40, i) }));
let people = 0;
type Person = { through: [TestCaller, TestCaller, TestCaller]; subject: string };
/** A person on the Plus plan who calls every API process. */
async function person(): Promise<Person> {
  const subject = `person-${people++}`;
  const token = await cluster.issuer.token(subject);
  const through = apis.map(({ baseUrl }) => createCaller(baseUrl, token)) as Person["through"]; // three API processes
  await through[0].call("/api/user-info");
  await database.db.execute(sql`update accounts set paid_plan = 'plus' where subject = ${subject}`);
  return { through, subject };
}
const used = async ({ through: [first] }: Person) =>
  ((await (await first.call("/api/user-info")).json()) as { service_count: number }).service_count;
/** A job's state, as reported by one of the API processes. */
const stateOf = async (caller: TestCaller, job: string) =>
  ((await (await caller.call(job)).json()) as { state: string }).state;

/** Requests one picture after the other, from one API process after the other, until stopped. */
function keepCalling({ through }: Person) {
  const answers = new Map<string, number>();
  let isOver = false;
  const calling = (async () => {
    for (let i = 0; !isOver; i++) {
      const answer = await (through[i % 3] ?? through[0]).run("convert", [sample], { target_format: "bmp" });
      const isBusy = answer.status === 503 && Number(answer.headers.get("retry-after")) > 0;
      const label = isBusy ? "503 with Retry-After" : `${answer.status}`;
      const text = await answer.text();
      const key = label === "200" || isBusy ? label : `${label}: ${text}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      await wait(100); // a person's pause
    }
  })();
  return {
    answered: (key: string) => answers.get(key) ?? 0,
    async stop() {
      isOver = true;
      await calling;
      return answers;
    },
  };
}

/** Unfinished jobs, blobs that no caller will fetch, wrong sums. */
async function leftovers() {
  const [row] = await rowsOf<{ unfinished: number; twice: number; wrong: number }>(
    database.db.execute(sql`
      select (select count(*)::int from jobs where state in ('queued', 'running')) as unfinished,
        (select count(*)::int from (select 1 from credit_entries where kind = 'charge'
          group by job_id, file_index having count(*) > 1) doubled) as twice,
        (select count(*)::int from allowances a where total_used <>
          (select coalesce(sum(credits), 0) from credit_entries e where e.holder = a.holder or e.network = a.holder)) as wrong`),
  );
  return row;
}
const nothing = { unfinished: 0, twice: 0, wrong: 0 };
const keptBlobs = async () =>
  (await rowsOf(database.db.execute(sql`select job_id, delete_after from job_blobs`))).length;

/** During an outage only these two responses are allowed, and no caller pays for failed work. */
async function expectHarmless(one: Person, caller: ReturnType<typeof keepCalling>) {
  const answers = await caller.stop();
  expect([...answers.keys()].filter((key) => key !== "200" && key !== "503 with Retry-After")).toEqual([]);
  await expect.poll(leftovers, pollOptions).toEqual(nothing);
  await expect.poll(() => used(one), pollOptions).toBeLessThanOrEqual(answers.get("200") ?? 0);
  await expect.poll(keptBlobs, pollOptions).toBe(0);
}

async function expectAway(call: () => Promise<Response>) {
  const answer = await call();
  expect(answer.status, await answer.text()).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
}

test("six processes that start at once on an empty database all become ready", async () => {
  const statuses = () => Promise.all(members.map(async ({ baseUrl }) => (await fetch(`${baseUrl}/readyz`)).status));
  await expect.poll(statuses, pollOptions).toEqual([200, 200, 200, 200, 200, 200]);
  // A renewal that is late on a busy machine costs a process its row until the next one.
  await expect
    .poll(() => rowsOf(database.db.execute(sql`select count(*)::int as members from processes`)), pollOptions)
    .toEqual([{ members: 6 }]);
});

test("without a worker for models a cut-out waits, and compressing goes on", async () => {
  const one = await person();
  const [first, second] = one.through;
  const waiting = await first.run("remove-background", [sample], {}, { prefer: "respond-async" });
  expect(waiting.status).toBe(202);
  expect((await second.run("compress", [sample], { quality: "60" })).status).toBe(200);
  const job = waiting.headers.get("location") ?? "";
  expect(await (await second.call(job)).json()).toMatchObject({ state: "queued" });
  const [api, worker] = await Promise.all(
    [members[0], members[5]].map(async (member) => (await fetch(`${member?.baseUrl}/metrics`)).text()),
  );
  await expect
    .poll(async () => (await fetch(`${members[0]?.baseUrl}/metrics`)).text(), pollOptions)
    .toMatch(/tintype_queue_wait_seconds\{class="model"\} (?!0\n)/);
  expect(api).toContain("tintype_leases_lost_total 0");
  expect(worker).toContain("tintype_engines_lost_total 0");
  expect(worker).toContain("# TYPE tintype_file_wait_seconds histogram");
  expect(worker).not.toContain("tintype_queue_wait_seconds");
  await second.call(job, { method: "DELETE" });
  await expect.poll(() => used(one), pollOptions).toBe(1);
});

test("processes share their rate limits", async () => {
  const statuses = [];
  // Each of the three would allow five. One that does not hear from Redis within 200 ms counts alone for a second.
  for (let i = 0; i < 15; i++) {
    const json = { name: "A", email: "a@example.com", message: "x" };
    statuses.push((await createCaller(apis[i % 3]?.baseUrl ?? "").call("/api/contact", { json })).status);
  }
  expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
  expect(statuses).toContain(429);
});

test("Redis away for 5 s, and emptied with 200 files waiting: everything ends, each file charged once", async () => {
  const [one, other] = await Promise.all([person(), person()]);
  await cluster.redis.stop();
  const stoppedAt = performance.now();
  const calling = keepCalling(other);
  const files = Array.from({ length: 100 }, (_, i) => ({ name: `${i}.png`, bytes: samplePng(60, 40, i) }));
  const begun = await Promise.all(
    one.through
      .slice(0, 2)
      .map((caller) => caller.run("convert", files, { target_format: "bmp" }, { prefer: "respond-async" })),
  );
  expect(begun.map(({ status }) => status)).toEqual([202, 202]);
  const waiting = async () => {
    const [row] = await rowsOf<{ waiting: number }>(
      database.db.execute(sql`select count(*)::int as waiting from job_files where state = 'waiting'`),
    );
    return row?.waiting ?? 0;
  };
  expect(await waiting()).toBeGreaterThanOrEqual(200);
  await wait(Math.max(0, outageMs - (performance.now() - stoppedAt)));
  await cluster.redis.start();
  // They were offered again, since some were claimed. Then the whole queue is lost.
  await expect.poll(waiting, { ...pollOptions, interval: 20 }).toBeLessThan(200);
  await cluster.redis.empty();
  const jobs = begun.map((answer) => answer.headers.get("location") ?? "");
  const states = () => Promise.all(jobs.map((job) => stateOf(one.through[2], job)));
  await expect.poll(states, { timeout: 180_000, interval: 500 }).toEqual(["done", "done"]);
  expect(await used(one)).toBe(200);
  for (const job of jobs)
    expect((await (await one.through[0].call(`${job}/result`)).bytes()).length).toBeGreaterThan(0);
  await expect.poll(() => calling.answered("200"), pollOptions).toBeGreaterThan(2);
  await expectHarmless(other, calling);
});

test("PostgreSQL killed and restarted: callers see 200 or 503, everything ends", async () => {
  const [one, other] = await Promise.all([person(), person()]);
  const calling = keepCalling(other);
  const begun = await one.through[0].run("convert", twenty, { target_format: "bmp" }, { prefer: "respond-async" });
  const job = begun.headers.get("location") ?? "";
  await expect.poll(() => calling.answered("200"), pollOptions).toBeGreaterThan(0);
  await cluster.postgres.stop();
  await expectAway(() => one.through[1].run("convert", [sample], { target_format: "bmp" }));
  await wait(outageMs);
  await cluster.postgres.start();
  const before = calling.answered("200");
  await expect.poll(() => calling.answered("200"), pollOptions).toBeGreaterThan(before + 2);
  await expect.poll(() => stateOf(one.through[1], job), pollOptions).toBe("done");
  expect(await used(one)).toBe(20);
  await (await one.through[2].call(`${job}/result`)).bytes();
  await expectHarmless(other, calling);
});

test("S3 away for 5 s: callers see 200 or 503, everything ends, and nothing stays in the bucket's rows", async () => {
  const [one, other] = await Promise.all([person(), person()]);
  const begin = async (files: typeof twenty) => {
    const begun = await one.through[0].run("convert", files, { target_format: "bmp" }, { prefer: "respond-async" });
    return begun.headers.get("location") ?? "";
  };
  const [ended, endedAlone] = [await begin(twenty.slice(0, 3)), await begin([sample])];
  for (const job of [ended, endedAlone])
    await expect.poll(() => stateOf(one.through[1], job), pollOptions).toBe("done");
  const calling = keepCalling(other);
  const job = await begin(twenty);
  s3Outage.cut();
  const stoppedAt = performance.now();
  // No byte of a result is sent before the store has responded.
  await expectAway(() => one.through[1].call(`${ended}/result`));
  await expectAway(() => one.through[2].call(`${endedAlone}/result`));
  await expectAway(() => one.through[1].run("convert", [sample], { target_format: "bmp" }));
  await wait(Math.max(0, outageMs - (performance.now() - stoppedAt)));
  s3Outage.mend();
  const before = calling.answered("200");
  await expect.poll(() => calling.answered("200"), pollOptions).toBeGreaterThan(before + 2);
  await expect.poll(() => stateOf(one.through[1], job), pollOptions).toBe("done");
  expect(await used(one)).toBe(24);
  for (const each of [ended, endedAlone, job]) {
    const answer = await one.through[2].call(`${each}/result`);
    expect(answer.status).toBe(200);
    await answer.bytes();
  }
  await expectHarmless(other, calling);
});
