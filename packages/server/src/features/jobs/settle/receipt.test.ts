import { signedReceipt } from "@tintype/contract/schemas";
import { eq } from "drizzle-orm";
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { samplePng } from "../../../testing/pictures.ts";
import { forgetOldRows } from "../sweep.ts";
import { jobFiles, jobs, receipts } from "../tables.ts";

const clock = heldClock();
const day = 86_400_000;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const begin = async (caller: TestCaller) => {
  const answer = await caller.run(
    "compress",
    [{ name: "Ann's secret.png", bytes: samplePng(60, 40) }],
    { quality: "60" },
    { prefer: "respond-async" },
  );
  return answer.headers.get("location") ?? "";
};
const read = async (caller: TestCaller, path: string) =>
  signedReceipt.parse(await (await caller.call(`${path}/receipt`)).json());

test("a receipt tells what was done and when the pictures went, and anybody can verify it", async () => {
  const [ann, ben] = [await app.person(), await app.person()];
  const path = await begin(ann);
  await expect.poll(async () => (await ann.call(`${path}/receipt`)).status).toBe(200);
  expect((await read(ann, path)).receipt).toMatchObject({ state: "done", results_deleted_at: null });
  await (await ann.call(`${path}/result`)).bytes();
  await expect.poll(async () => (await read(ann, path)).receipt.results_deleted_at).toBe("2026-03-10T12:00:00.000Z");
  const { receipt, jws } = await read(ann, path);
  expect(receipt).toMatchObject({
    iss: "http://localhost:3000",
    steps: ["compress"],
    metadata_removed: ["gps", "comments"],
    files: [{ state: "done", source: { format: "png", width: 60, height: 40 }, result: { format: "png" } }],
  });
  expect(JSON.stringify(receipt)).not.toContain("secret");
  const keys = (await (await ben.call("/api/receipt-keys")).json()) as JSONWebKeySet;
  const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(keys));
  expect(protectedHeader.alg).toBe("EdDSA");
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(receipt);
  const forged = jws.replace(/[.](.)/, (_, letter: string) => `.${letter === "A" ? "B" : "A"}`);
  await expect(compactVerify(forged, createLocalJWKSet(keys))).rejects.toThrow();
  for (const stranger of [ben, app.caller()]) expect((await stranger.call(`${path}/receipt`)).status).toBe(404);
});

test("a receipt of a job that may keep a film claims no metadata as removed", async () => {
  const ann = await app.person();
  const files = [{ name: "a.png", bytes: samplePng(60, 40) }];
  const options = { quality: "60", keep_film: "true" };
  const begun = await ann.run("compress", files, options, { prefer: "respond-async" });
  const path = begun.headers.get("location") ?? "";
  await expect.poll(async () => (await ann.call(`${path}/receipt`)).status).toBe(200);
  expect((await read(ann, path)).receipt.metadata_removed).toEqual([]);
});

// product: coded-notes
test("notes are stored as codes, also with a receipt, and those that were stored as sentences are shown as they are", async () => {
  const ann = await app.person();
  const files = [{ name: "a.png", bytes: samplePng(60, 40) }];
  const begun = await ann.run("resize", files, { width: "600", method: "fit" }, { prefer: "respond-async" });
  const path = begun.headers.get("location") ?? "";
  await expect.poll(async () => (await ann.call(`${path}/receipt`)).status).toBe(200);
  await (await ann.call(`${path}/result`)).bytes();
  await expect.poll(async () => (await read(ann, path)).receipt.results_deleted_at).not.toBeNull();
  const coded = { code: "not-enlarged", width: 60, height: 40 };
  const said = { notes: ["Kept at 60 x 40 (not enlarged)."], note_codes: [coded] };
  const job = path.split("/").at(-1) ?? "";
  const fileOf = async () => ((await (await ann.call(path)).json()) as { files: unknown[] }).files[0];
  expect(await app.db.select({ notes: jobFiles.notes }).from(jobFiles).where(eq(jobFiles.jobId, job))).toEqual([
    { notes: [coded] },
  ]);
  expect(await fileOf()).toMatchObject(said);
  expect((await read(ann, path)).receipt.files).toMatchObject([said]);
  await app.db
    .update(jobs)
    .set({ finishedAt: new Date(clock.now().getTime() - 2 * day) })
    .where(eq(jobs.id, job));
  await forgetOldRows({ db: app.db, clock });
  const [kept] = await app.db.select({ body: receipts.body }).from(receipts).where(eq(receipts.jobId, job));
  expect(kept?.body).toMatchObject({ files: [{ notes: [coded] }] });
  expect((await read(ann, path)).receipt.files).toMatchObject([said]);

  const other = await begin(ann);
  await expect.poll(async () => (await ann.call(`${other}/receipt`)).status).toBe(200);
  const [note, reason] = ["A note of an older release.", 'A "reason" of an older release.'];
  await app.db
    .update(jobFiles)
    .set({ notes: [note], reason })
    .where(eq(jobFiles.jobId, other.split("/").at(-1) ?? ""));
  const old = await (await ann.call(other)).json();
  expect(old).toMatchObject({ files: [{ notes: [note], reason }] });
  expect(JSON.stringify(old)).not.toContain("note_codes");
  expect((await read(ann, other)).receipt.files).toMatchObject([{ notes: [note] }]);
});

test("a job that is not finished has no receipt yet", async () => {
  const ann = await app.person();
  const path = await app.whileEnginesAreHeld(async () => {
    const path = await begin(ann);
    expect((await ann.call(`${path}/receipt`)).status).toBe(409);
    await ann.call(path, { method: "DELETE" });
    return path;
  });
  expect((await read(ann, path)).receipt.state).toBe("cancelled");
});

test("it outlives the job's rows, for 30 days, and goes with the account", async () => {
  const [ann, ben] = [await app.person(), await app.person()];
  const path = await begin(ann);
  await expect.poll(async () => (await ann.call(`${path}/result`)).status).toBe(200);
  await expect.poll(async () => (await read(ann, path)).receipt.results_deleted_at).not.toBeNull();
  const before = (await read(ann, path)).receipt;
  const id = path.split("/").at(-1) ?? "";
  clock.advance(2 * day);
  await forgetOldRows({ db: app.db, clock });
  expect(await app.db.select().from(jobs).where(eq(jobs.id, id))).toEqual([]);
  expect((await read(ann, path)).receipt).toEqual(before);
  expect((await ben.call(`${path}/receipt`)).status).toBe(404);
  clock.advance(29 * day);
  expect((await ann.call(`${path}/receipt`)).status).toBe(404);
  await forgetOldRows({ db: app.db, clock });
  expect(await app.db.select().from(receipts).where(eq(receipts.jobId, id))).toEqual([]);
});
