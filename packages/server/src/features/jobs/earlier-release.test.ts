import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";

const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const file = (state: string, more: object = {}) => ({
  ...{ name: "a.png", sizeBytes: 10, format: "png", input: "in-0", output: "out-0" },
  ...{ state, progress: 1, notes: [], delivery: "none", ...more },
});

/** Inserts a job as the release before this one did, by the columns that it knew. */
async function insertOld(id: string, { owner, state, files }: { owner: string; state: string; files: object[] }) {
  const now = clock.now().toISOString();
  await app.db.execute(sql`
    insert into jobs (id, owner, tier, operation, options, state, waited, fast, charged, replay, files, runner, lease_until,
      attempt, created_at, finished_at, removed_at)
    values (${id}, ${owner}, 'hobby', 'compress', '{"quality": 60}', ${state}, false, false, ${files.length}, false,
      ${JSON.stringify(files)}::jsonb, 'old', ${now}::timestamptz, 1, ${now}::timestamptz,
      ${state === "running" ? null : now}::timestamptz, null)`);
}

test("a job that the earlier release finished can still be looked at and runs out", async () => {
  const person = await app.person();
  const owner = await holderOf(person.subject);
  const result = { format: "png", width: 1, height: 1, sizeBytes: 5, name: "a.png" };
  await insertOld("job_old1", {
    owner,
    state: "done",
    files: [file("done", { result }), file("failed", { reason: "Broken." })],
  });
  await app.sweep();
  expect(await (await person.call("/api/jobs/job_old1")).json()).toMatchObject({
    state: "done",
    files: [
      { name: "a.png", state: "done", result: { size_bytes: 5 } },
      { state: "failed", reason: "Broken." },
    ],
  });
  clock.advance(13 * 60_000);
  await app.sweep();
  expect((await person.call("/api/jobs/job_old1/result")).status).toBe(410);
});

test("a job that the earlier release left unfinished ends as interrupted, its credits returned", async () => {
  const person = await app.person();
  const owner = await holderOf(person.subject);
  await app.ledger.usage({ key: owner, tier: "hobby" });
  await app.db.transaction((tx) =>
    app.ledger.charge(
      tx,
      { key: owner, tier: "hobby" },
      { jobId: "job_old2", operation: "compress", files: [{ index: 0, name: "a.png" }] },
    ),
  );
  await insertOld("job_old2", { owner, state: "running", files: [file("working")] });
  // The lease of its process, which on a database of several may still be alive, has run out.
  clock.advance(1000);
  await app.sweep();
  expect(await (await person.call("/api/jobs/job_old2")).json()).toMatchObject({
    state: "failed",
    files: [{ state: "failed", code: "interrupted" }],
    credits: { charged: 0, remaining: 100 },
  });
});

async function holderOf(subject: string): Promise<string> {
  const { rows } = (await app.db.execute(sql`select id from accounts where subject = ${subject}`)) as unknown as {
    rows: { id: string }[];
  }; // both drivers' result shape
  return `person:${rows[0]?.id}`;
}
