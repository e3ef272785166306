import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Job, JobEvent } from "@tintype/contract";
import { jobList, job as jobShape } from "@tintype/contract/schemas";
import { eq } from "drizzle-orm";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killEngines } from "../../testing/engine-processes.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { noisePng, samplePng } from "../../testing/pictures.ts";
import { jobFiles } from "./tables.ts";

const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

/** Whether any file of the job is still on disk. */
const isKept = (path: string) => readdirSync(join(app.dataFolder, "spool")).includes(path.split("/").at(-1) ?? "");
const sample = (name: string, seed = 0) => ({ name, bytes: samplePng(48, 32, seed) });
const broken = (name: string) => ({ name, bytes: Buffer.from("\x89PNG\r\n\x1a\nbroken", "latin1") });
const asynchronous = { prefer: "respond-async" };
const begin = async (caller: TestCaller, files: { name: string; bytes: Uint8Array }[]) => {
  const answer = await caller.run("compress", files, { quality: "60" }, asynchronous);
  expect(answer.status).toBe(202);
  return answer.headers.get("location") ?? "";
};
const fetchJob = async (caller: TestCaller, path: string): Promise<Job> =>
  jobShape.parse(await (await caller.call(path)).json());
const ended = async (caller: TestCaller, path: string) => {
  await expect.poll(async () => (await fetchJob(caller, path)).state).not.toMatch(/queued|running/);
  return fetchJob(caller, path);
};
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;
/** Reads events until the stream ends, or until one satisfies the condition. */
async function events(
  answer: Response,
  enough = (_event: JobEvent) => false,
): Promise<{ id: number; event: JobEvent }[]> {
  const seen: { id: number; event: JobEvent }[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const found = /^id: (\d+)\nevent: \w+\ndata: (.*)$/s.exec(block);
      if (!found) continue;
      const event = JSON.parse(found[2] ?? "") as JobEvent;
      seen.push({ id: Number(found[1]), event });
      if (enough(event)) return seen;
    }
  }
  return seen;
}

test("a job that has ended still says what it cost and what is left, to a person and to a guest", async () => {
  const person = await app.person();
  const path = await begin(person, [sample("a.png"), broken("b.png")]);
  expect((await ended(person, path)).credits).toEqual({ charged: 1, remaining: 99, limit: 100 });
  await (await person.run("compress", [sample("c.png")], { quality: "60" })).bytes();
  expect((await fetchJob(person, path)).credits).toEqual({ charged: 1, remaining: 98, limit: 100 });
  const guest = app.caller();
  expect((await ended(guest, await begin(guest, [sample("a.png")]))).credits).toEqual({
    charged: 1,
    remaining: 4,
    limit: 5,
  });
  const upload = await person.run("upload", [sample("a.png")], {}, asynchronous);
  expect((await ended(person, upload.headers.get("location") ?? "")).credits).toBeUndefined();
});

test("respond-async answers 202 and the job's address, and the job tells how it goes", async () => {
  const person = await app.person();
  const path = await begin(person, [sample("a.png"), broken("b.png")]);
  expect(path).toMatch(/^\/api\/jobs\/job_[0-9a-z]{26}$/);
  const done = await ended(person, path);
  expect(done).toMatchObject({ operation: "compress", state: "done", progress: 1 });
  expect(done.files.map(({ state }) => state)).toEqual(["done", "failed"]);
  expect(done.files[0]?.result).toMatchObject({ name: "a.png", format: "png", width: 48, height: 32 });
  expect(done.files[1]).toMatchObject({ code: "broken-image", reason: expect.stringMatching(/[.]$/) });
  expect(await used(person)).toBe(1);
});

test("the whole result is delivered once and then deleted", async () => {
  const person = await app.person();
  const path = await begin(person, [sample("a.png"), sample("a.png", 1), broken("b.png")]);
  await ended(person, path);
  const answer = await person.call(`${path}/result`);
  expect(answer.headers.get("content-type")).toBe("application/zip");
  const zip = await answer.bytes();
  expect(Number(answer.headers.get("content-length"))).toBe(zip.length);
  const files = unzipSync(zip);
  expect(Object.keys(files).sort()).toEqual(["a (2).png", "a.png", "report.json"]);
  const report = JSON.parse(new TextDecoder().decode(files["report.json"]));
  expect(report.files.map((row: { outcome: string }) => row.outcome)).toEqual(["done", "done", "failed"]);
  await expect.poll(() => isKept(path)).toBe(false);
  expect((await person.call(`${path}/result`)).status).toBe(410);
});

test("single results can be fetched as they are done; when all are out the job's pictures go", async () => {
  const person = await app.person();
  const path = await begin(person, [sample("a.png"), sample("b.png", 1)]);
  await ended(person, path);
  expect((await (await person.call(`${path}/files/0`)).bytes()).length).toBeGreaterThan(50);
  expect((await (await person.call(`${path}/files/0`)).bytes()).length).toBeGreaterThan(50);
  // A delivery is recorded after its last byte.
  await expect
    .poll(async () => (await fetchJob(person, path)).files.map(({ delivered }) => delivered))
    .toEqual([true, false]);
  await (await person.call(`${path}/files/1`)).bytes();
  await expect.poll(() => isKept(path)).toBe(false);
  expect((await person.call(`${path}/files/0`)).status).toBe(410);
  expect((await person.call(`${path}/files/7`)).status).toBe(404);
});

test("a caller's jobs of the last day are listed, the newest first, and no other caller's", async () => {
  const [ann, ben, guest] = [await app.person(), await app.person(), app.caller()];
  const paths = [await begin(ann, [sample("a.png")]), await begin(ann, [sample("b.png"), broken("c.png")])];
  const theirs = await begin(guest, [sample("g.png")]);
  await ended(ann, paths[1] ?? "");
  const listed = async (caller: TestCaller, query = "") => {
    const { jobs, next } = jobList.parse(await (await caller.call(`/api/jobs${query}`)).json());
    return { paths: jobs.map(({ id }) => `/api/jobs/${id}`), next, jobs };
  };
  const whole = await listed(ann);
  expect([whole.paths, whole.next]).toEqual([paths.toReversed(), null]);
  expect(whole.jobs[0]?.files.map(({ state }) => state)).toEqual(["done", "failed"]);
  const first = await listed(ann, "?size=1");
  expect(first.paths).toEqual(paths.slice(1));
  expect((await listed(ann, `?size=1&before=${first.next}`)).paths).toEqual(paths.slice(0, 1));
  expect([(await listed(ben)).paths, (await listed(guest)).paths]).toEqual([[], [theirs]]);
  for (const [query, field] of [
    ["size=0", "size"],
    ["size=x", "size"],
    ["before=1", "before"],
  ]) {
    const wrong = await ann.call(`/api/jobs?${query}`);
    expect([wrong.status, ((await wrong.json()) as { field: string }).field]).toEqual([400, field]);
  }
  await ended(ann, paths[0] ?? "");
  clock.advance(24 * 3_600_000);
  expect((await listed(ann)).paths).toEqual([]);
});

// product: foreign-is-missing
test("a job belongs to who made it; for anyone else it is 404, just like one that never was", async () => {
  const person = await app.person();
  await app.whileEnginesAreHeld(async () => {
    const path = await begin(person, [sample("a.png")]);
    const strangers = [await app.person(), app.caller()];
    for (const stranger of strangers)
      for (const [method, tail] of [
        ["GET", ""],
        ["DELETE", ""],
        ["GET", "/events"],
        ["GET", "/result"],
        ["GET", "/files/0"],
        ["DELETE", "/files/0"],
      ] as const) {
        const answer = await stranger.call(path + tail, { method });
        expect(answer.status).toBe(404);
        const never = await stranger.call(`/api/jobs/job_nothing${tail}`, { method });
        const strip = (text: string) => text.replace(/req_\w+/, "");
        expect(strip(await answer.text())).toBe(strip(await never.text()));
      }
    expect((await person.call(path, { method: "DELETE" })).status).toBe(200);
  });
});

test("cancelled at half: work stops, pictures go, the credits of undelivered files are back", async () => {
  const person = await app.person();
  const { path, answer } = await app.whileEnginesAreHeld(async (letThrough) => {
    const path = await begin(person, [sample("a.png"), sample("b.png"), sample("c.png"), sample("d.png")]);
    expect(await used(person)).toBe(4);
    letThrough(1);
    await expect.poll(async () => (await fetchJob(person, path)).files[0]?.state).toBe("done");
    await (await person.call(`${path}/files/0`)).bytes();
    return { path, answer: await person.call(path, { method: "DELETE" }) };
  });
  const cancelled = jobShape.parse(await answer.json());
  expect(cancelled.state).toBe("cancelled");
  expect(cancelled.files.at(-1)?.state).toBe("cancelled");
  expect(await used(person)).toBe(1);
  expect(isKept(path)).toBe(false);
  expect((await person.call(`${path}/result`)).status).toBe(409);
});

const cancelOne = async (caller: TestCaller, path: string, index: number | string) => {
  const answer = await caller.call(`${path}/files/${index}`, { method: "DELETE" });
  return { status: answer.status, job: jobShape.safeParse(await answer.json()).data };
};

// product: file-cancelled-alone
test("one file that waits is cancelled alone, its credit is back at once, and the others go on", async () => {
  const person = await app.person();
  const { path, status, job } = await app.whileEnginesAreHeld(async () => {
    const path = await begin(person, [sample("a.png"), sample("b.png", 2), sample("c.png", 3), sample("d.png", 1)]);
    return { path, ...(await cancelOne(person, path, 3)) };
  });
  expect(status).toBe(200);
  expect(job?.files[3]).toMatchObject({ state: "cancelled", code: "cancelled", reason: "The file was cancelled." });
  expect(job?.credits?.charged).toBe(3);
  expect(await used(person)).toBe(3);
  // Cancelling it again changes nothing.
  expect((await cancelOne(person, path, 3)).job?.credits?.charged).toBe(3);
  for (const index of [4, "x", -1, "0.5"]) expect((await cancelOne(person, path, index)).status).toBe(404);
  const done = await ended(person, path);
  expect(done.state).toBe("done");
  expect(done.files.map(({ state }) => state)).toEqual(["done", "done", "done", "cancelled"]);
  expect(await used(person)).toBe(3);
  // A finished file keeps its result and its charge.
  const late = await person.call(`${path}/files/0`, { method: "DELETE" });
  expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([409, "not-flagged"]);
  expect((await person.call(`${path}/files/3`)).status).toBe(409);
  const files = unzipSync(await (await person.call(`${path}/result`)).bytes());
  expect(Object.keys(files).sort()).toEqual(["a.png", "b.png", "c.png", "report.json"]);
  expect(JSON.parse(new TextDecoder().decode(files["report.json"])).files[3]).toMatchObject({
    outcome: "failed",
    code: "cancelled",
  });
});

test("the last file that is cancelled ends its job, a file in work is stopped, and a watcher is told", async () => {
  const person = await app.person();
  const { path, events } = await app.whileEnginesAreHeld(async () => {
    const path = await begin(person, [sample("a.png"), sample("b.png")]);
    await expect.poll(async () => (await fetchJob(person, path)).files[0]?.state).toBe("working");
    const events = (await person.call(`${path}/events`)).text();
    await Promise.all([cancelOne(person, path, 0), cancelOne(person, path, 1)]);
    return { path, events };
  });
  expect(await fetchJob(person, path)).toMatchObject({
    state: "cancelled",
    files: [{ state: "cancelled" }, { state: "cancelled" }],
  });
  expect(await events).toContain('"state":"cancelled"');
  expect(await used(person)).toBe(0);
  await expect.poll(() => isKept(path)).toBe(false);
  // The engines are free for others.
  expect((await ended(person, await begin(person, [sample("c.png")]))).state).toBe("done");
  const mixed = await app.whileEnginesAreHeld(async (letThrough) => {
    const mixed = await begin(person, [broken("a.png"), sample("b.png")]);
    letThrough(1);
    await expect.poll(async () => (await fetchJob(person, mixed)).files[0]?.state).toBe("failed");
    await cancelOne(person, mixed, 1);
    return mixed;
  });
  expect((await fetchJob(person, mixed)).state).toBe("failed");
  expect(await used(person)).toBe(1);
});

test("cancelled at the moment that it begins, a file ends one way, and is charged exactly if it is done", async () => {
  const person = await app.person();
  let charged = 0;
  for (let round = 0; round < 12; round++) {
    const path = await begin(person, [
      sample("a.png", round),
      sample("b.png", round + 20),
      sample("c.png", round + 40),
    ]);
    await new Promise((resolve) => setTimeout(resolve, round * 7));
    await Promise.all([0, 1, 2, 2].map((index) => cancelOne(person, path, index)));
    const { files, state } = await ended(person, path);
    const done = files.filter((file) => file.state === "done").length;
    expect(files.filter((file) => file.state === "cancelled").length).toBe(3 - done);
    expect(state).toBe(done > 0 ? "done" : "cancelled");
    charged += done;
    expect(await used(person)).toBe(charged);
  }
});

test("a plain call whose file is cancelled from elsewhere is answered with the other file, and pays for that alone", async () => {
  const person = await app.person();
  const headers = { "idempotency-key": "one-of-two" };
  const files = [sample("a.png"), sample("b.png")];
  const list = async () => jobList.parse(await (await person.call("/api/jobs")).json()).jobs;
  const { answer } = await app.whileEnginesAreHeld(async () => {
    const answer = person.run("compress", files, { quality: "60" }, headers);
    await expect.poll(async () => (await list()).length).toBe(1);
    const path = `/api/jobs/${(await list())[0]?.id}`;
    await cancelOne(person, path, 1);
    return { answer };
  });
  const sent = await answer;
  expect(sent.status).toBe(200);
  expect(Object.keys(unzipSync(await sent.bytes())).sort()).toEqual(["a.png", "report.json"]);
  expect(await used(person)).toBe(1);
});

test("a caller who hangs up stops the work and gets the credit back", async () => {
  const person = await app.person();
  // Results of earlier tests may still go meanwhile.
  const before = new Set(readdirSync(join(app.dataFolder, "spool")));
  const hangUp = new AbortController();
  const form = new FormData();
  form.append("files", new Blob([new Uint8Array(samplePng(48, 32))]), "a.png");
  form.append("quality", "60");
  await app.whileEnginesAreHeld(async () => {
    const sent = person.call("/api/compress/", { form, signal: hangUp.signal });
    await expect.poll(() => used(person)).toBe(1);
    hangUp.abort();
    await expect(sent).rejects.toThrow();
    await expect.poll(() => used(person)).toBe(0);
  });
  await expect.poll(() => readdirSync(join(app.dataFolder, "spool")).filter((id) => !before.has(id))).toEqual([]);
});

test("events begin with a snapshot, tell each change, and end with the job", async () => {
  const person = await app.person();
  // The events begin before the work.
  const answer = await app.whileEnginesAreHeld(async () => {
    const path = await begin(person, [sample("a.png", 1), sample("b.png")]);
    return person.call(`${path}/events`);
  });
  const seen = await events(answer);
  expect(seen[0]?.event.type).toBe("snapshot");
  expect(seen.at(-1)?.event).toMatchObject({ type: "job", state: "done", credits: { charged: 2 } });
  const ids = seen.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  for (const index of [0, 1])
    expect(
      seen.some(({ event }) => event.type === "file" && event.file.index === index && event.file.state === "done"),
    ).toBe(true);
});

test("a client that reconnects with Last-Event-ID misses nothing", async () => {
  const person = await app.person();
  const { path, answer } = await app.whileEnginesAreHeld(async () => {
    const path = await begin(person, [sample("a.png"), sample("b.png", 1), sample("c.png", 2)]);
    return { path, answer: await person.call(`${path}/events`) };
  });
  const before = await events(answer, (event) => event.type === "file" && event.file.state === "done");
  const last = String(before.at(-1)?.id);
  const after = await events(await person.call(`${path}/events`, { headers: { "last-event-id": last } }));
  const states = new Map<number, string>();
  for (const { event } of [...before, ...after])
    if (event.type === "snapshot") for (const file of event.job.files) states.set(file.index, file.state);
    else if (event.type === "file") states.set(event.file.index, event.file.state);
  expect([...states.values()]).toEqual(["done", "done", "done"]);
  const late = await events(await person.call(`${path}/events`));
  expect(late).toHaveLength(1);
  expect(late[0]?.event).toMatchObject({ type: "snapshot", job: { state: "done" } });
});

test("an empty Last-Event-ID is none: the events begin with a snapshot", async () => {
  const person = await app.person();
  const path = await begin(person, [sample("a.png")]);
  const answer = await person.call(`${path}/events`, { headers: { "last-event-id": "" } });
  const [first] = await events(answer, () => true);
  expect(first?.event.type).toBe("snapshot");
  await person.call(path, { method: "DELETE" });
});

// product: fifteen-minutes
test("results that no caller fetches go twelve minutes after the work, and their names with them", async () => {
  const person = await app.person();
  const path = await begin(person, [sample("secret-name.png")]);
  await ended(person, path);
  clock.advance(11 * 60_000);
  await app.sweep();
  expect(isKept(path)).toBe(true);
  clock.advance(61_000);
  await app.sweep();
  expect(isKept(path)).toBe(false);
  expect((await person.call(`${path}/result`)).status).toBe(410);
  expect(JSON.stringify(await fetchJob(person, path))).not.toContain("secret-name");
  const history = await (await person.call("/api/credits/history")).json();
  expect(JSON.stringify(history)).not.toContain("secret-name");
  expect(history).toMatchObject({ lines: [{ change: "charged", credits: 1, operation: "compress", file: null }] });
});

test("an EventSource that comes back after the end is told to stop, and one that missed it is not", async () => {
  const person = await app.person();
  const path = await begin(person, [sample("a.png")]);
  await ended(person, path);
  const [only] = await events(await person.call(`${path}/events`));
  expect(only?.event).toMatchObject({ type: "snapshot", job: { state: "done" } });
  const again = (id: number) => person.call(`${path}/events`, { headers: { "last-event-id": String(id) } });
  expect((await again(only?.id ?? -1)).status).toBe(204);
  expect((await again((only?.id ?? 0) - 1)).status).toBe(200);
});

test("a caller has fifty streams of events at a time", async () => {
  const person = await app.person();
  await app.whileEnginesAreHeld(async () => {
    const path = await begin(person, [sample("a.png"), sample("b.png")]);
    const hangUp = new AbortController();
    const open = await Promise.all(
      Array.from({ length: 50 }, () => person.call(`${path}/events`, { signal: hangUp.signal })),
    );
    expect(open.every(({ status }) => status === 200)).toBe(true);
    expect((await person.call(`${path}/events`)).status).toBe(429);
    hangUp.abort();
    await expect.poll(async () => (await person.call(`${path}/events`)).status).toBe(200);
    await person.call(path, { method: "DELETE" });
  });
});

test("fetching and cancelling at once: every result that was had is charged, and no other", async () => {
  const person = await app.person();
  for (let round = 0; round < 5; round++) {
    const before = await used(person);
    const fetchOne = async (path: string, index: number) => {
      const answer = await person.call(`${path}/files/${index}`);
      await answer.bytes().catch(() => {});
      return answer.status;
    };
    // The last file does not end meanwhile.
    const { path, statuses, cancel } = await app.whileEnginesAreHeld(async (letThrough) => {
      const path = await begin(person, [sample("a.png"), sample("b.png", 1), sample("c.png", 2), sample("d.png", 3)]);
      letThrough(3);
      const done = async () => (await fetchJob(person, path)).files.filter(({ state }) => state === "done").length;
      await expect.poll(done).toBe(3);
      const fetched = Promise.all([0, 1, 2].map((index) => fetchOne(path, index)));
      const [statuses, cancel] = await Promise.all([fetched, person.call(path, { method: "DELETE" })]);
      return { path, statuses, cancel };
    });
    expect(cancel.status).toBe(200);
    const had = statuses.filter((status) => status === 200).length;
    expect((await used(person)) - before).toBeGreaterThanOrEqual(had);
    expect((await used(person)) - before).toBeLessThanOrEqual(3);
    expect((await person.call(`${path}/files/0`)).status).not.toBe(200);
  }
});

// product: failure-returns-credit
test("a picture whose engine is lost twice fails, its credit comes back, and its neighbours do not notice", async () => {
  const own = await startTestApp({ hasEngineProcesses: true });
  try {
    const person = await own.person();
    const path = await begin(person, [{ name: "killer.png", bytes: noisePng(1200, 1200) }]);
    const id = path.split("/").at(-1) ?? "";
    // Until engines have died twice while working on the picture. An engine that dies earlier costs no try.
    const isGivenUp = async () => {
      const [file] = await own.db.select().from(jobFiles).where(eq(jobFiles.jobId, id));
      if (file?.state === "working") killEngines();
      return file?.state === "failed";
    };
    await expect.poll(isGivenUp, { interval: 100 }).toBe(true);
    expect(await ended(person, path)).toMatchObject({ state: "failed", files: [{ code: "engine-failed" }] });
    expect(await used(person)).toBe(0);
    expect((await person.run("compress", [sample("a.png")], { quality: "60" })).status).toBe(200);
  } finally {
    await own.close();
  }
});
