import { request } from "node:http";
import { join } from "node:path";
import { type Job, limits } from "@tintype/contract";
import { eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../../platform/db/database.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";
import { storedJobs } from "../../../testing/stored-jobs.ts";
import { jobBlobs, processes } from "../tables.ts";
import { admitBytes, admitUpload, arrivalBytes } from "./admission.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    environment: {
      TINTYPE_NETWORK_FILES: "4",
      TINTYPE_CALLER_FILES: "6",
      TINTYPE_NETWORK_UPLOADS: "2",
      TINTYPE_SPOOL_MB: "200",
    },
  });
});
afterAll(() => app.close());

const sample = (name = "a.png") => ({ name, bytes: samplePng(30, 20) });
const asynchronous = { prefer: "respond-async" };
const begin = (caller: TestCaller, count: number) =>
  caller.run(
    "compress",
    Array.from({ length: count }, (_, i) => sample(`${i}.png`)),
    { quality: "60" },
    asynchronous,
  );
const end = async (caller: TestCaller, answer: Response) =>
  expect((await caller.call(answer.headers.get("location") ?? "", { method: "DELETE" })).status).toBe(200);
const codeOf = async (answer: Response) => ((await answer.json()) as { type: string }).type.replace(/.*#error-/, "");

test("guests of one network share a queue, whatever their cookies; persons with a paid plan have one each", async () => {
  const [guest, another, person] = [app.caller(), app.caller(), await app.person("pro")];
  await app.whileEnginesAreHeld(async () => {
    const first = await begin(guest, 3);
    expect(first.status).toBe(202);
    const refused = await begin(another, 2);
    expect([refused.status, await codeOf(refused)]).toEqual([429, "too-many-requests"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(((await (await another.call("/api/config")).json()) as { usage: { used: number } }).usage.used).toBe(0);
    // Free tasks, including those of persons, wait in the network's queue.
    const free = await person.run("preview", [sample("a.png"), sample("b.png")], {}, asynchronous);
    expect(free.status).toBe(429);
    const paid = await begin(person, 5);
    expect(paid.status).toBe(202);
    const tooMany = await begin(person, 2);
    expect(tooMany.status).toBe(429);
    await end(guest, first);
    await end(person, paid);
  });
});

/** Sends the start of a form and no more. Returns what comes back, and a function that hangs up. */
function sendPart(cookie: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(app.baseUrl);
  const call = request({
    hostname,
    port,
    path: "/api/compress/",
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=x", "content-length": 900_000, cookie, ...headers },
  });
  call.on("error", () => {});
  const status = new Promise<number>((done) => call.on("response", (answer) => done(answer.statusCode ?? 0)));
  call.write('--x\r\nContent-Disposition: form-data; name="files"; filename="a.png"\r\n\r\nabc');
  return { status, hangUp: () => call.destroy() };
}

test("an upload without credits is refused before it is read, and leaves nothing", async () => {
  const guest = app.caller();
  const cookie = (await guest.call("/api/config")).headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect((await guest.call("/api/service-use-multiple", { json: { file_count: 5 } })).status).toBe(200);
  await app.db.execute(sql`update reservations set open = 0`);
  await app.db.execute(sql`update allowances set reserved = 0`);
  // An unused key proves no earlier charge.
  for (const headers of [{}, { "idempotency-key": "made-up" }]) {
    const sent = sendPart(cookie, headers);
    expect(await sent.status).toBe(403);
    sent.hangUp();
  }
  await expect.poll(() => app.db.select().from(jobBlobs)).toEqual([]);
});

test("uploads at a time are counted by network, and their bytes by everybody", async () => {
  const cookies = await Promise.all(
    [0, 1].map(async () => (await app.caller().call("/api/config")).headers.getSetCookie()[0]?.split(";")[0] ?? ""),
  );
  const under = cookies.map((cookie) => sendPart(cookie));
  await expect.poll(async () => (await app.db.select().from(jobBlobs)).length).toBe(2);
  expect((await app.caller().run("upload", [sample()])).status).toBe(429);
  for (const { hangUp } of under) hangUp();
  await expect.poll(async () => (await app.db.select().from(jobBlobs)).length).toBe(0);

  await app.db.insert(jobBlobs).values({ jobId: "job_large", network: "", bytes: 199_999_990 });
  const full = await app.caller().run("upload", [sample()]);
  expect([full.status, await codeOf(full)]).toEqual([503, "full"]);
  await app.db.delete(jobBlobs).where(eq(jobBlobs.jobId, "job_large"));
  expect((await app.caller().run("upload", [sample()])).status).toBe(200);
});

test("an upload that does not announce its length makes room for its pictures as they arrive", async () => {
  const large = Buffer.concat([samplePng(30, 20), Buffer.alloc(9e6)]);
  const upload = (count: number) => {
    const form = new FormData();
    for (let i = 0; i < count; i++) form.append("files", new Blob([large]), `${i}.png`);
    const { body, headers } = new Response(form);
    // A stream has no Content-Length.
    return fetch(`${app.baseUrl}/api/upload/`, { method: "POST", body, headers, duplex: "half" });
  };
  await app.db.insert(jobBlobs).values({ jobId: "job_large", network: "", bytes: 175_000_000 });
  const full = await upload(3);
  expect([full.status, await codeOf(full)]).toEqual([503, "full"]);
  await app.db.delete(jobBlobs).where(eq(jobBlobs.jobId, "job_large"));
  const fitting = await upload(3);
  expect(fitting.status).not.toBe(503);
  await fitting.bytes();
});

test("what uploads announce and never send takes no room from others, and one caller has a share of it", async () => {
  const [idle, person, pro] = [await app.person(), await app.person(), await app.person("pro")];
  await app.db.delete(jobBlobs); // left by earlier tests
  const held = sendPart("", { authorization: `Bearer ${idle.token}`, "content-length": "190000000" });
  const arriving = () => app.db.select().from(jobBlobs).where(isNotNull(jobBlobs.uploader));
  await expect.poll(async () => (await arriving()).length).toBe(1);
  const [row] = await arriving();
  expect(row?.bytes).toBeLessThan(10_000_000);
  expect((await person.run("upload", [sample()])).status).toBe(200);
  held.hangUp();
  await expect.poll(async () => (await arriving()).length).toBe(0);

  const [{ key } = { key: "" }] = await rowsOf<{ key: string }>(
    app.db.execute(sql`select 'person:' || id as key from accounts where subject = ${person.subject}`),
  );
  await app.db.insert(jobBlobs).values({ jobId: "job_held", network: "", holder: key, bytes: 1_000_000_000 });
  const refused = await person.run("upload", [sample()]);
  expect([refused.status, await codeOf(refused)]).toEqual([429, "too-many-requests"]);
  await app.db.delete(jobBlobs).where(eq(jobBlobs.jobId, "job_held"));
  expect((await pro.run("upload", [sample()])).status).toBe(200);
});

test("a full batch of the largest plan is admitted into an empty store of the usual size", async () => {
  await app.db.delete(jobBlobs); // left by earlier tests
  const { filesPerBatch, megabytesPerFile } = limits.pro;
  const bytes = filesPerBatch * megabytesPerFile * 1e6;
  const bounds = {
    queueFiles: 2000,
    callerFiles: 400,
    networkFiles: 100,
    networkUploads: 100,
    spoolBytes: 20_000e6,
    freeWork: { callerMs: 1, networkMs: 1 },
  };
  const dependencies = { db: app.db, clock: heldClock(), bounds, process: "proc_batch" };
  // The sweep removes uploads of dead processes.
  await app.db.insert(processes).values({
    id: dependencies.process,
    role: "api",
    classes: "",
    leaseUntil: new Date(Date.now() + 3_600_000),
  });
  const queue = { key: "person:batch", isShared: false };
  await admitUpload(dependencies, {
    jobId: "job_batch",
    queue,
    network: "n",
    worker: { owner: queue.key, network: null },
    holder: queue.key,
    limits: limits.pro,
    announcedBytes: bytes + 50_000,
  });
  for (let left = bytes - arrivalBytes; left > 0; left -= 100 * arrivalBytes)
    await admitBytes(dependencies, {
      jobId: "job_batch",
      holder: queue.key,
      bytes: Math.min(left, 100 * arrivalBytes),
      limits: limits.pro,
    });
  await app.db.delete(jobBlobs);
});

test("a result that is much larger than its picture needs room too, and costs nothing where there is none", async () => {
  const person = await app.person();
  const convert = () =>
    person.run("convert", [{ name: "a.png", bytes: samplePng(1500, 1500) }], { target_format: "bmp" });
  await app.db.insert(jobBlobs).values({ jobId: "job_large", network: "", bytes: 196_000_000 });
  const full = await convert();
  expect([full.status, await codeOf(full)]).toEqual([503, "full"]);
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
  await app.db.delete(jobBlobs).where(eq(jobBlobs.jobId, "job_large"));
  const made = await convert();
  expect(made.status).toBe(200);
  expect((await made.bytes()).length).toBeGreaterThan(6e6);
});

test("a job tells how many files of others go before its next one", async () => {
  const [many, one] = [await app.person(), await app.person()];
  await app.whileEnginesAreHeld(async () => {
    const before = await begin(many, 4);
    const others = async () => (await (await many.call(before.headers.get("location") ?? "")).json()) as Job;
    await expect.poll(async () => (await others()).files[0]?.state).toBe("working");
    const mine = await begin(one, 1);
    const job = (await mine.json()) as { position?: number; state: string };
    // The first of the others is in work. Their next one has the same priority as mine and was queued earlier.
    expect(job.position).toBeGreaterThanOrEqual(1);
    expect(job.position).toBeLessThanOrEqual(2);
    await end(one, mine);
    await end(many, before);
  });
  await expect.poll(() => storedJobs(join(app.dataFolder, "spool"))).toEqual([]);
  const rows = await rowsOf(app.db.execute(sql`select 1 from job_files where state in ('waiting', 'working')`));
  expect(rows).toEqual([]);
});
