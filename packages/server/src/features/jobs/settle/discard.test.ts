import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "@tintype/contract";
import { job as jobShape } from "@tintype/contract/schemas";
import { sql } from "drizzle-orm";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../../platform/db/database.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../../testing/harness.ts";
import { redModel } from "../../../testing/red-model.ts";

/** Per test: many cut-outs on a busy machine. */
const timeout = 900_000;

const model = redModel();
const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock, environment: { ...model.environment, TINTYPE_CALLER_PREVIEWS: "100" } });
});
afterAll(async () => {
  await app.close();
  model.remove();
});

const drawing = (inner: string) =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="150" viewBox="0 0 400 300">
    <rect width="100%" height="100%" fill="#cfd6da"/>${inner}</svg>`);
/** A head whose body the cut-out loses, so that it is flagged. */
const head = (name: string) => ({
  name,
  bytes: drawing(
    '<rect x="170" y="20" width="60" height="60" fill="#e61e1e"/><rect x="100" y="80" width="200" height="200" fill="#1e1ee6"/>',
  ),
});
const ball = (name: string) => ({ name, bytes: drawing('<circle cx="170" cy="120" r="60" fill="#e61e1e"/>') });

type File = ReturnType<typeof head>;
async function cut(caller: TestCaller, files: readonly File[], headers: Record<string, string> = {}, fields = {}) {
  const answer = await caller.run("remove-background", [...files], fields, { prefer: "respond-async", ...headers });
  expect(answer.status).toBe(202);
  const path = answer.headers.get("location") ?? "";
  // On a busy machine the engines get little CPU, since they have lower priority than the service.
  await expect.poll(async () => (await fetchJob(caller, path)).state, { timeout }).toBe("done");
  return path;
}
const fetchJob = async (caller: TestCaller, path: string): Promise<Job> =>
  jobShape.parse(await (await caller.call(path)).json());
const discard = (caller: TestCaller, path: string, index = 0) =>
  caller.call(`${path}/files/${index}`, { method: "DELETE" });
const edit = (caller: TestCaller, path: string, fields: Record<string, string> = {}, index = 0) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ shadow: "10", ...fields })) form.append(name, value);
  return caller.call(`${path}/files/${index}/edit`, { form });
};
const outcomeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code];
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;
const entries = (path: string) =>
  rowsOf<{ kind: string; credits: number; reason: string | null }>(
    app.db.execute(sql`
      select kind, credits, reason from credit_entries where job_id = ${path.split("/").at(-1)} order by id`),
  );
const freeMs = async (path: string) => {
  const [row] = await rowsOf<{ free: number; spent: number }>(
    app.db.execute(sql`
      select coalesce((select engine_ms from free_engine_use u where u.key = j.owner), 0)::int as free,
        (select sum(engine_ms)::int from job_files f where f.job_id = j.id) as spent
      from jobs j where j.id = ${path.split("/").at(-1)}`),
  );
  return row ?? { free: 0, spent: 0 };
};
const blobsOf = (path: string): string[] => {
  try {
    return readdirSync(join(app.dataFolder, "spool", path.split("/").at(-1) ?? ""));
  } catch {
    return [];
  }
};

// product: flagged-discarded
test("a flagged cut-out that nobody took is discarded: its credit is back, its pictures are gone, its time counts as free work", {
  timeout,
}, async () => {
  const person = await app.person();
  const path = await cut(person, [head("head.svg")]);
  expect(await fetchJob(person, path)).toMatchObject({ files: [{ incomplete: true }], credits: { charged: 1 } });
  // Thumbnails do not count as delivery.
  const sheet = await person.call(`${path}/files/0/candidates`);
  expect(sheet.status).toBe(200);
  await sheet.bytes();
  const answer = await discard(person, path);
  expect(answer.status).toBe(200);
  const job = jobShape.parse(await answer.json());
  expect(job.files[0]).toMatchObject({ state: "cancelled", code: "discarded", delivered: false });
  expect(job.files[0]).not.toHaveProperty("result");
  expect(job.credits).toEqual({ charged: 0, remaining: 100, limit: 100 });
  expect(await entries(path)).toEqual([
    { kind: "charge", credits: 1, reason: null },
    { kind: "refund", credits: -1, reason: "discarded" },
  ]);
  expect(blobsOf(path)).toEqual([]);
  const { free, spent } = await freeMs(path);
  expect(free).toBeGreaterThan(0);
  expect(free).toBe(spent);

  for (const tail of ["/result", "/files/0", "/files/0/candidates"])
    expect(await outcomeOf(await person.call(path + tail))).toEqual([410, "discarded"]);
  expect(await outcomeOf(await edit(person, path))).toEqual([410, "discarded"]);
  // Discarding again changes nothing.
  expect((await discard(person, path)).status).toBe(200);
  expect(await used(person)).toBe(0);
  const { receipt } = (await (await person.call(`${path}/receipt`)).json()) as { receipt: { files: object[] } };
  expect(receipt.files[0]).toMatchObject({ state: "cancelled", code: "discarded" });
});

test("of a batch the flagged one is discarded alone, the others are delivered, and a repeat under the key pays for it anew", {
  timeout,
}, async () => {
  const person = await app.person();
  const files = [head("a.svg"), ball("b.svg"), head("c.svg")];
  const key = { "idempotency-key": "batch" };
  const path = await cut(person, files, key);
  expect(await outcomeOf(await discard(person, path, 1))).toEqual([409, "not-flagged"]);
  expect((await discard(person, path, 0)).status).toBe(200);
  expect(await used(person)).toBe(2);
  expect(await outcomeOf(await person.call(`${path}/files/0`))).toEqual([410, "discarded"]);
  const zip = unzipSync(await (await person.call(`${path}/result`)).bytes());
  expect(Object.keys(zip).sort()).toEqual(["b_bgremoved.png", "c_bgremoved.png", "report.json"]);
  expect(JSON.parse(new TextDecoder().decode(zip["report.json"])).files[0]).toMatchObject({
    outcome: "failed",
    code: "discarded",
  });
  // The ZIP contained the other flagged one.
  expect(await outcomeOf(await discard(person, path, 2))).toEqual([409, "already-delivered"]);
  const again = await person.run("remove-background", files, {}, key);
  const repeated = unzipSync(await again.bytes());
  expect(Object.keys(repeated).sort()).toEqual(["b_bgremoved.png", "c_bgremoved.png", "report.json"]);
  expect(await used(person)).toBe(2);
  // Another job of the same key has delivered it, so discarding this one cannot refund the credit.
  expect(await entries(path)).toHaveLength(4);
});

test("a repeat under the same key cannot turn a delivered cut-out into a discarded one", { timeout }, async () => {
  const person = await app.person();
  const key = { "idempotency-key": "once" };
  const path = await cut(person, [head("a.svg")], key);
  await (await person.call(`${path}/files/0`)).bytes();
  const repeat = await cut(person, [head("a.svg")], key);
  expect(repeat).not.toBe(path);
  expect(await outcomeOf(await discard(person, repeat))).toEqual([409, "already-delivered"]);
  expect(await used(person)).toBe(1);
});

test("of two jobs of one key, neither delivered, a discard destroys nothing that it cannot pay back", {
  timeout,
}, async () => {
  const person = await app.person();
  const key = { "idempotency-key": "lost answer" };
  const first = await cut(person, [head("a.svg")], key);
  const second = await cut(person, [head("a.svg")], key);
  expect(second).not.toBe(first);
  expect(await outcomeOf(await discard(person, second))).toEqual([409, "conflict"]);
  expect((await person.call(`${second}/files/0`)).status).toBe(200);
  expect(await used(person)).toBe(1);
});

test("what was downloaded, edited, sent with the answer or has expired is not given back", { timeout }, async () => {
  const person = await app.person("plus");
  const downloaded = await cut(person, [head("a.svg")]);
  await (await person.call(`${downloaded}/files/0`)).bytes();
  expect(await outcomeOf(await discard(person, downloaded))).toEqual([409, "already-delivered"]);
  // So is a part, since its other parts may be fetched later. What tells the headers alone is not.
  const partly = await cut(person, [head("a.svg")]);
  expect((await person.call(`${partly}/files/0`, { method: "HEAD" })).status).toBe(200);
  expect((await person.call(`${partly}/files/0`, { headers: { range: "bytes=0-9" } })).status).toBe(206);
  expect(await outcomeOf(await discard(person, partly))).toEqual([409, "already-delivered"]);
  const described = await cut(person, [head("a.svg")]);
  expect((await person.call(`${described}/result`, { method: "HEAD" })).status).toBe(200);
  expect((await person.call(`${described}/result`, { headers: { range: "bytes=99999999-" } })).status).toBe(416);
  expect((await discard(person, described)).status).toBe(200);
  // Matte and other candidates count as the picture too.
  for (const fields of [{ mask_only: "true" }, { candidate: "2" }]) {
    const edited = await cut(person, [head("a.svg")]);
    expect((await edit(person, edited, fields)).status).toBe(200);
    expect(await outcomeOf(await discard(person, edited))).toEqual([409, "already-delivered"]);
  }
  // A refused edit delivers nothing.
  const refused = await cut(person, [head("a.svg")]);
  expect((await edit(person, refused, { candidate: "3" })).status).toBe(422);
  expect((await discard(person, refused)).status).toBe(200);
  const plain = await person.run("remove-background", [head("a.svg")]);
  await plain.bytes();
  expect(await outcomeOf(await discard(person, `/api/jobs/${plain.headers.get("x-job")}`))).toEqual([
    ...[409, "already-delivered"],
  ]);
  const late = await cut(person, [head("a.svg")]);
  clock.advance(14 * 60_000 + 1_000);
  await app.sweep();
  expect(await outcomeOf(await discard(person, late))).toEqual([410, "gone"]);
  expect(await used(person)).toBe(6);
  const stranger = await app.person();
  expect((await discard(stranger, late)).status).toBe(404);
});

test("a guest gets the credit back too, on the guest's counter and the network's", { timeout }, async () => {
  const guest = app.caller();
  const path = await cut(guest, [head("a.svg")], {}, { editable: "false" });
  expect((await fetchJob(guest, path)).credits).toMatchObject({ charged: 1, remaining: 4 });
  expect(jobShape.parse(await (await discard(guest, path)).json()).credits).toMatchObject({ charged: 0, remaining: 5 });
  expect(await outcomeOf(await guest.call(`${path}/result`))).toEqual([410, "discarded"]);
});

test("discarded while it is downloaded, edited or discarded: one wins, and the credit is back exactly where the picture is not out", {
  timeout,
}, async () => {
  const person = await app.person("plus");
  let kept = 0;
  for (const rival of ["download", "result", "edit", "discard"] as const) {
    const many = Array.from({ length: rival === "result" ? 1 : 6 }, (_, at) => head(`${rival}-${at}.svg`));
    const path = await cut(person, many);
    await Promise.all(
      many.map(async (_, index) => {
        const racing = [
          () => discard(person, path, index),
          () =>
            ({
              download: () => person.call(`${path}/files/${index}`),
              result: () => person.call(`${path}/result`),
              edit: () => edit(person, path, {}, index),
              discard: () => discard(person, path, index),
            })[rival](),
        ];
        // Start either one first.
        if (index % 2 === 1) racing.reverse();
        const answers = await Promise.all(racing.map((run) => run()));
        if (index % 2 === 1) answers.reverse();
        const [gone, taken] = answers.map(({ status }) => status);
        await Promise.all(answers.map((answer) => answer.bytes()));
        if (rival === "discard") return expect([gone, taken]).toEqual([200, 200]);
        expect([
          [200, 410],
          [409, 200],
        ]).toContainEqual([gone, taken]);
        if (taken === 200) kept += 1;
      }),
    );
    expect(await used(person)).toBe(kept);
    const given = (await entries(path)).filter(({ kind }) => kind === "refund");
    expect(given.length).toBe(
      many.length - (await fetchJob(person, path)).files.filter(({ state }) => state === "done").length,
    );
  }
  // Every file of the last batch was discarded twice concurrently.
  expect(await used(person)).toBe(kept);
});
