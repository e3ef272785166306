import { limits } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { networkKey } from "../../../platform/network.ts";
import { heldClock, startTestApp, type TestApp } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";
import { jobBlobs, processes } from "../tables.ts";
import { admitBytes, admitUpload, arrivalBytes, type Bounds } from "./admission.ts";
import { countFreeWork, requireFreeWork } from "./free-work.ts";

// Whoever rents a server gets a /56 or a /48: 256 or 65,536 networks of one household each.

let app: TestApp;
const clock = heldClock();
beforeAll(async () => {
  app = await startTestApp({
    environment: { TINTYPE_TRUSTED_PROXIES: "127.0.0.1", TINTYPE_NETWORK_FILES: "100" },
  });
  // The sweep removes uploads of dead processes.
  await app.db.insert(processes).values({
    id: "proc_wide",
    role: "api",
    classes: "",
    leaseUntil: new Date(Date.now() + 3_600_000),
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.delete(jobBlobs);
  await app.db.execute(sql`truncate free_engine_use`);
});

/** The `number`th /64 of a /56, and of a /48. */
const of56 = (number: number) => networkKey(`2001:db8:1:a${number.toString(16).padStart(2, "0")}::1`, "k".repeat(32));
const of48 = (number: number) => networkKey(`2001:db8:1:${number.toString(16)}00::1`, "k".repeat(32));
const elsewhere = networkKey("2001:db8:2::1", "k".repeat(32));
const ways = [
  { block: "/56", network: of56, share: 4 },
  { block: "/48", network: of48, share: 16 },
];
const refused = { code: "too-many-requests" };

test.each(ways)("free computing time has a limit for a $block as a whole", async ({ network, share }) => {
  const freeWork = { callerMs: 1000, networkMs: 1000 };
  const now = clock.now();
  const use = (number: number) =>
    countFreeWork(app.db, { owner: `guest:${number}`, network: network(number), engineMs: 999, now });
  const ask = (key: string) => requireFreeWork(app.db, { owner: "guest:new", network: key, limits: freeWork, now });
  for (let number = 0; number < share; number++) await use(number);
  await ask(network(share + 1));
  await use(share);
  await expect(ask(network(share + 1))).rejects.toMatchObject(refused);
  await ask(elsewhere);
});

const bounds: Bounds = {
  queueFiles: 100_000,
  callerFiles: 100_000,
  networkFiles: 100_000,
  networkUploads: 2,
  spoolBytes: 1e15,
  freeWork: { callerMs: 1e9, networkMs: 1e9 },
};
const dependencies = () => ({ db: app.db, clock, bounds, process: "proc_wide" });
const upload = (network: string, jobId: string, more: Partial<Bounds> = {}) =>
  admitUpload(
    { ...dependencies(), bounds: { ...bounds, ...more } },
    {
      jobId,
      queue: { key: network, isShared: true },
      network,
      worker: { owner: `guest:${jobId}`, network },
      holder: network,
      limits: limits.guest,
      announcedBytes: 1000,
    },
  );

test.each(ways)("uploads at a time have a limit for a $block as a whole", async ({ network, share }) => {
  for (let number = 0; number < 2 * share; number++) await upload(network(number), `job_${number}`);
  await expect(upload(network(2 * share), "job_more")).rejects.toMatchObject(refused);
  await upload(elsewhere, "job_elsewhere");
});

test.each(ways)("stored bytes of guests have a quota for a $block as a whole", async ({ network, share }) => {
  const { filesPerBatch, megabytesPerFile } = limits.guest;
  const guestBytes = 6 * filesPerBatch * megabytesPerFile * 1e6;
  const store = (number: number) =>
    app.db
      .insert(jobBlobs)
      .values({ jobId: `job_${number}`, network: network(number), holder: network(number), bytes: guestBytes - 2e6 });
  for (let number = 0; number < share; number++) await store(number);
  await upload(network(share), "job_arriving");
  const arrive = () =>
    admitBytes(dependencies(), {
      jobId: "job_arriving",
      holder: network(share),
      bytes: arrivalBytes,
      limits: limits.guest,
    });
  await arrive();
  await store(share + 1);
  await expect(arrive()).rejects.toMatchObject(refused);
  await expect(upload(network(share + 2), "job_more")).rejects.toMatchObject(refused);
  await upload(elsewhere, "job_elsewhere");
});

const insertWaiting = (network: string, files: number) =>
  app.db.execute(sql`
    with job as (
      insert into jobs (id, owner, tier, operation, steps, state, waited, charged, replay, files_left, created_at)
      values ('job_' || md5(${network}), ${network}, 'guest', 'compress', '[]', 'queued', false, 0, false, ${files}::int, now())
      returning id)
    insert into job_files (job_id, file_index, queue_key, network, class, lane, priority, state, name, size_bytes, input, tries)
    select job.id, n, ${network}, ${network}, 'picture', 'normal', 1, 'waiting', 'a.png', 1, 'in-0', 9
    from job, generate_series(1, ${files}::int) n`);

test.each(ways)("places in the queue have a limit for a $block as a whole", async ({ network, share }) => {
  for (let number = 0; number < share; number++) await insertWaiting(network(number), 5);
  const few = { networkFiles: 5, networkUploads: 1000 };
  await expect(upload(network(share), "job_more", few)).rejects.toMatchObject(refused);
  await upload(elsewhere, "job_elsewhere", few);
  await app.db.execute(sql`truncate jobs cascade`);
});

test("previews that guests keep have a limit for a /56 as a whole", async () => {
  const keep = async (number: number) => {
    const address = { "x-forwarded-for": `2001:db8:77:${(0xa00 + number).toString(16)}::1` };
    const answer = await app.caller().run(
      "preview",
      [{ name: "a.png", bytes: samplePng(30, 20) }],
      {
        side: "16",
        keep: "true",
      },
      address,
    );
    expect(answer.status).toBe(200);
    await answer.bytes();
  };
  for (let number = 0; number < 49; number++) await keep(number);
  const kept = await app.db.select().from(jobBlobs);
  expect(kept.filter(({ deleteAfter }) => deleteAfter !== null && deleteAfter > clock.now())).toHaveLength(48);
});
