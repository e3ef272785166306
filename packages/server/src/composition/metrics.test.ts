import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../platform/db/database.ts";
import { killEngines } from "../testing/engine-processes.ts";
import { freePort } from "../testing/free-port.ts";
import { heldClock, startTestApp, type TestApp } from "../testing/harness.ts";
import { noisePng, samplePng } from "../testing/pictures.ts";
import { storedJobs } from "../testing/stored-jobs.ts";

const minute = 60_000;
const clock = heldClock();
const folder = mkdtempSync(join(tmpdir(), "tintype-metrics-"));
const spool = join(folder, "spool");
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    hasEngineProcesses: true,
    clock,
    environment: {
      TINTYPE_WORK: "picture",
      TINTYPE_BLOBS: spool,
      CONTACT_EMAIL: "us@example.com",
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      MAIL_FROM: "Tintype <hello@example.com>",
    },
  });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The value of a series, as Prometheus would read it. */
async function read(series: string): Promise<number> {
  const lines = (await (await app.caller().call("/metrics")).text()).split("\n");
  return Number(lines.find((line) => line.startsWith(`${series} `))?.split(" ")[1]);
}

test("how long pictures wait is told for each class", async () => {
  const person = await app.person();
  const square = { name: "a.png", bytes: samplePng(20, 20) };
  const waiting = await person.run("upscale", [square], { scale_factor: "2" }, { prefer: "respond-async" });
  expect((await person.run("compress", [square], { quality: "60" })).status).toBe(200);
  await app.sweep();
  expect(await read('tintype_queue_wait_seconds{class="model"}')).toBeGreaterThan(0);
  expect(await read('tintype_queue_wait_seconds{class="picture"}')).toBe(0);
  expect(await read("tintype_queue_depth")).toBe(1);
  expect(await read('tintype_file_wait_seconds_count{class="picture"}')).toBe(1);
  await person.call(waiting.headers.get("location") ?? "", { method: "DELETE" });
  await app.sweep();
  expect(await read('tintype_queue_wait_seconds{class="model"}')).toBe(0);
});

test("pictures that cannot be deleted are told by how late they are, until they are gone", async () => {
  const person = await app.person();
  const files = [{ name: "a.png", bytes: samplePng(20, 20) }];
  const begun = await person.run("compress", files, { quality: "60" }, { prefer: "respond-async" });
  const job = begun.headers.get("location") ?? "";
  const state = async () => ((await (await person.call(job)).json()) as { state: string }).state;
  await expect.poll(state).toBe("done");
  renameSync(spool, `${spool}-away`);
  writeFileSync(spool, "a file in the folder's place: nothing below it can be removed");
  clock.advance(14 * minute);
  await app.sweep();
  expect(await read("tintype_deletion_overdue_seconds")).toBe(120);
  clock.advance(minute);
  await app.sweep();
  expect(await read("tintype_deletion_overdue_seconds")).toBe(180);
  rmSync(spool);
  renameSync(`${spool}-away`, spool);
  clock.advance(minute);
  // A sweep reads the queue's facts before it removes what is due.
  await app.sweep();
  await app.sweep();
  expect(await read("tintype_deletion_overdue_seconds")).toBe(0);
  expect(storedJobs(spool)).toEqual([]);
});

test("delivered pictures that could not be removed are tried again at once, not at the end of the time to fetch them", async () => {
  const person = await app.person();
  // More than a connection's buffers hold, so that the response's end waits for its reader.
  const files = [{ name: "a.png", bytes: samplePng(2400, 2400) }];
  const answer = await person.run("convert", files, { target_format: "bmp" });
  expect(answer.status).toBe(200);
  renameSync(spool, `${spool}-away`);
  writeFileSync(spool, "");
  await answer.bytes();
  const due = async () => {
    const rows = await rowsOf<{ late: number }>(
      app.db.execute(sql`
        select extract(epoch from ${clock.now().toISOString()}::timestamptz - delete_after)::float8 as late from job_blobs`),
    );
    return rows.map(({ late }) => late);
  };
  await expect.poll(due).toEqual([0]);
  rmSync(spool);
  renameSync(`${spool}-away`, spool);
  clock.advance(minute);
  await app.sweep();
  expect(await due()).toEqual([]);
  expect(storedJobs(spool)).toEqual([]);
});

test("a process that is taken for dead is counted once", async () => {
  await app.db.execute(sql`
    insert into processes (id, role, classes, lease_until) values ('proc_dead', 'worker', 'picture', now() - interval '1 s')`);
  await app.sweep();
  await app.sweep();
  expect(await read("tintype_leases_lost_total")).toBe(1);
});

test("an engine that dies with a picture in hand is counted, and the picture is worked on again", async () => {
  const slow = { name: "slow.png", bytes: noisePng(1500, 1500) };
  const begin = async () => {
    const person = await app.person();
    const begun = await person.run("compress", [slow], { quality: "60" }, { prefer: "respond-async" });
    return begun.headers.get("location")?.split("/").at(-1) ?? "";
  };
  let id = await begin();
  const file = async () => {
    const [row] = await rowsOf<{ state: string; tries: number }>(
      app.db.execute(sql`select state, tries from job_files where job_id = ${id}`),
    );
    return row;
  };
  const isRepeated = async () => (await file())?.tries === 2;
  // Until one dies while working on the picture. One that dies earlier costs no try, and a second loss would fail the file.
  do {
    await wait(500); // in which the engine reads the picture
    const now = await file();
    if (now?.state === "done" && now.tries === 1) id = await begin();
    if (now?.state !== "working" || now.tries > 1) continue;
    killEngines();
    await expect
      .poll(isRepeated, { timeout: 5_000 })
      .toBe(true)
      .catch(() => {});
  } while (!(await isRepeated()));
  await expect.poll(file).toMatchObject({ state: "done", tries: 2 });
  expect(await read("tintype_engines_lost_total")).toBeGreaterThanOrEqual(1);
});

test("mails that the mail server does not take are counted", async () => {
  const json = { name: "A", email: "a@example.com", message: "x" };
  expect((await app.caller().call("/api/contact", { json })).status).toBe(200);
  await app.sweep();
  // Mails to people of earlier tests fail too.
  expect(await read("tintype_mails_failed_total")).toBeGreaterThanOrEqual(1);
  await app.sweep();
  expect(await read('tintype_outbox_waiting{kind="mail"}')).toBeGreaterThanOrEqual(1);
});
