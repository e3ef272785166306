import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import {
  type Backend,
  createRunner,
  type FileReport,
  findPictures,
  NetworkLost,
  openCache,
  openNetworks,
  openOffline,
  readStep,
  type Work,
} from "../../packages/toolkit/src/index.ts";
import { openServer } from "../../packages/toolkit/src/server.ts";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";
import { type Front, startFront } from "../client/front.ts";
import { commandFromSource, ended } from "./command.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-server-batches-"));
const compress: Work = { steps: [readStep("compress", { quality: 60 })] };
let app: TestApp;
let front: Front;
beforeAll(async () => {
  app = await startTestApp();
  front = await startFront(app.baseUrl);
});
afterAll(async () => {
  await front.close();
  await app.close();
  rmSync(room, { recursive: true, force: true });
});

async function newKey(scopes: string[] = ["process", "jobs:read"]) {
  const person = await app.person();
  const made = await person.call("/api/keys", { json: { name: "Tool", scopes } });
  const { key } = (await made.json()) as { key: string };
  const charged = async () =>
    ((await (await person.call("/api/user-info")).json()) as { service_count: number }).service_count;
  return { key, backend: openServer({ origin: front.origin, key }), charged };
}

let count = 0;
let seed = 0;
const nameOf = (index: number) => `${String(index).padStart(3, "0")}.jpg`;

/** Writes pictures, all different. */
async function writePictures(folder: string, indices: Iterable<number>, isBroken = (_: number) => false) {
  mkdirSync(folder, { recursive: true });
  for (const index of indices) {
    const bytes = await drawnJpeg({ width: 48, height: 32, seed: ++seed });
    writeFileSync(join(folder, nameOf(index)), isBroken(index) ? bytes.subarray(0, 200) : bytes);
  }
}
const newFolder = () => join(room, `photos-${++count}`);
const indices = (files: number) => Array.from({ length: files }, (_, index) => index);

type Running = { backend: Backend; folder: string; cacheName?: string; together?: number; work?: Work };

async function run({ backend, folder, cacheName = `cache-${++count}`, ...running }: Running) {
  const { together = Number.POSITIVE_INFINITY, work = compress } = running;
  const cache = openCache(join(room, cacheName));
  const out = join(room, `out-${++count}`);
  const signal = new AbortController().signal;
  const runner = createRunner({ backend, cache, work, concurrency: 4, together, signal, destination: { out } });
  const before = front.calls.length;
  const reports = await runner.run(await findPictures([folder], { cwd: room }));
  await cache.close();
  const posts = front.calls.slice(before).filter(({ method }) => method === "POST").length;
  return { reports, out, posts };
}

/** The number of files by outcome and error code. */
function endsOf(reports: readonly FileReport[]) {
  const ends: Record<string, number> = {};
  for (const { outcome, code } of reports) {
    const end = [outcome, ...(code === undefined ? [] : [code])].join(" ");
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length))
    .sort();
const contentOf = (folder: string) =>
  filesBelow(folder).map((name) => [name, readFileSync(join(folder, name)).toString("base64")]);

/** Simulates a process that is killed after a batch has returned and before any of it is stored. */
function killedAfterBatch(backend: Backend): Backend {
  const { batches } = backend;
  if (!batches) throw new Error("a server takes batches");
  const killed = () => new NetworkLost("killed here");
  return {
    ...backend,
    run: () => Promise.reject(killed()),
    batches: { ...batches, run: (batch) => batches.run(batch).then(() => Promise.reject(killed())) },
  };
}

test("60 pictures go in at most 4 calls, and each has its own result, also where names are equal", async () => {
  const folder = newFolder();
  for (const part of ["a", "b", "c"]) await writePictures(join(folder, part), indices(20));
  const { backend, charged } = await newKey();
  const there = await run({ backend, folder });
  expect(there.posts).toBeLessThanOrEqual(4);
  expect(endsOf(there.reports)).toEqual({ done: 60 });
  expect(there.reports.map(({ path }) => path.slice(folder.length))).toEqual(filesBelow(folder));
  expect(there.reports.map(({ credits, isCached }) => [credits, isCached])).toEqual(Array(60).fill([1, false]));
  const here = await run({ backend: openOffline({ concurrency: 2, networks: openNetworks(room) }), folder });
  expect(contentOf(there.out)).toEqual(contentOf(here.out));
  expect(await charged()).toBe(60);
});

test("a recipe and a conversion go in batches too", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(4));
  const { backend, charged } = await newKey();
  const steps = [readStep("resize", { width: 20, method: "fit" }), readStep("convert", { target_format: "webp" })];
  const work = { steps } as unknown as Work; // it has at least one step
  const there = await run({ backend, folder, work });
  expect(there.posts).toBe(2);
  const here = await run({ backend: openOffline({ concurrency: 2, networks: openNetworks(room) }), folder, work });
  expect(contentOf(there.out)).toEqual(contentOf(here.out));
  expect(await charged()).toBe(there.reports.reduce((sum, { credits }) => sum + credits, 0));
});

test("pictures of a batch that have the wished format already lose their metadata, and cost nothing", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(3));
  const { backend, charged } = await newKey();
  const work: Work = { steps: [readStep("convert", { target_format: "jpg" })] };
  const there = await run({ backend, folder, work });
  const here = await run({ backend: openOffline({ concurrency: 2, networks: openNetworks(room) }), folder, work });
  expect(contentOf(there.out)).toEqual(contentOf(here.out));
  expect(there.reports.map(({ outcome, credits }) => [outcome, credits])).toEqual(
    here.reports.map(({ outcome }) => [outcome, 0]),
  );
  expect(there.reports.map(({ notes }) => notes)).toEqual(here.reports.map(({ notes }) => notes));
  expect(await charged()).toBe(0);
});

test("a broken picture in a batch is named alone, and costs nothing", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(10), (index) => index === 4);
  const { backend, charged } = await newKey();
  const { reports, posts } = await run({ backend, folder });
  expect(endsOf(reports)).toEqual({ done: 9, "failed broken-image": 1 });
  expect(reports[4]).toMatchObject({ outcome: "failed", credits: 0, reason: expect.stringMatching(/damaged|broken/i) });
  expect(posts).toBe(2);
  expect(await charged()).toBe(9);
});

test("where no picture of a batch succeeds, each has its own reason", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(4), () => true);
  const { backend, charged } = await newKey();
  const { reports } = await run({ backend, folder });
  expect(endsOf(reports)).toEqual({ "failed broken-image": 4 });
  expect(await charged()).toBe(0);
});

test("a batch that was killed is repeated and charged once, also if its pictures changed meanwhile", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(6));
  const { backend, charged } = await newKey();
  const cacheName = `cache-${++count}`;
  const lost = await run({ backend: killedAfterBatch(backend), folder, cacheName });
  expect(endsOf(lost.reports)["failed network"]).toBeGreaterThan(0);
  expect(await charged()).toBe(6);
  rmSync(join(folder, nameOf(1)));
  await writePictures(folder, [7]);
  const again = await run({ backend, folder, cacheName });
  expect(endsOf(again.reports)).toEqual({ done: 6 });
  expect(await charged()).toBe(7);
  expect(again.reports.map(({ isCached }) => isCached)).toEqual(Array(6).fill(false));
  const known = await run({ backend, folder, cacheName });
  expect(known.posts).toBe(0);
  expect(filesBelow(join(room, cacheName)).filter((name) => /^.(?:batches|pending)/.test(name))).toEqual([]);
});

test("the command that is killed after its batch was worked on goes on, and each file is charged once", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(6));
  const { key, charged } = await newKey();
  const home = newFolder();
  mkdirSync(home);
  const command = commandFromSource(home);
  const args = ["compress", folder, "--quality", "60", "--out", join(home, "out"), "--json"];
  const environment = { TINTYPE_SERVER: front.origin, TINTYPE_KEY: key };
  const child = command.begin(args, { environment });
  // The first responses are lost, and the process is killed while it retries.
  let posts = 0;
  front.onCall = ({ method }) => {
    if (method !== "POST") return undefined;
    if (++posts === 4) child.kill("SIGKILL");
    return { kind: "lose-answer" };
  };
  try {
    expect(await ended(child)).toMatchObject({ stdout: "" });
  } finally {
    front.onCall = () => undefined;
  }
  const chargedBefore = await charged();
  expect(chargedBefore).toBeGreaterThan(0);
  const { code, stdout } = await command.run(args, { environment });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { outcome: string });
  expect([code, rows.map(({ outcome }) => outcome)]).toEqual([0, Array(6).fill("done")]);
  expect(await charged()).toBe(6);
});

test("one picture of a killed batch, asked for alone, is not charged again", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(3));
  const { backend, charged } = await newKey();
  const cacheName = `cache-${++count}`;
  await run({ backend: killedAfterBatch(backend), folder, cacheName, together: 3 });
  const chargedBefore = await charged();
  const one = await run({ backend, folder: join(folder, nameOf(0)), cacheName });
  expect(one.reports).toMatchObject([{ outcome: "done" }]);
  const rest = await run({ backend, folder, cacheName });
  expect(endsOf(rest.reports)).toEqual({ done: 3 });
  expect([2, 3]).toContain(chargedBefore);
  expect(await charged()).toBe(3);
});

test("two runs over the same pictures at once are charged once", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(8));
  const { backend, charged } = await newKey();
  const cacheName = `cache-${++count}`;
  const both = await Promise.all([1, 2].map(() => run({ backend, folder, cacheName })));
  for (const { reports } of both) expect(endsOf(reports)).toEqual({ done: 8 });
  expect(await charged()).toBe(8);
});

test("equal pictures in a batch are worked on once", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(3));
  for (const index of [3, 4, 5]) writeFileSync(join(folder, nameOf(index)), readFileSync(join(folder, nameOf(0))));
  const { backend, charged } = await newKey();
  const { reports } = await run({ backend, folder });
  expect(endsOf(reports)).toEqual({ done: 6 });
  expect(await charged()).toBe(3);
});

test("a batch that the credits do not suffice for goes as far as they do", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(110));
  const { backend, charged } = await newKey();
  const { reports } = await run({ backend, folder });
  const ends = endsOf(reports);
  expect(ends["done"]).toBe(100);
  expect((ends["failed out-of-credits"] ?? 0) + (ends["stopped out-of-credits"] ?? 0)).toBe(10);
  expect(await charged()).toBe(100);
});

test("a batch has no more files than the smallest plan of an account takes, and than the person allows at a time", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(50));
  const { backend } = await newKey();
  const { batches } = backend;
  const sizes: number[] = [];
  const counting: Backend = {
    ...backend,
    ...(batches && {
      batches: {
        ...batches,
        run(batch) {
          sizes.push(batch.pictures.length);
          return batches.run(batch);
        },
      },
    }),
  };
  await run({ backend: counting, folder });
  expect(Math.max(...sizes)).toBe(20);
  sizes.length = 0;
  await run({ backend: counting, folder, together: 3 });
  expect(Math.max(...sizes)).toBe(3);
});

test("a key that may not read jobs sends pictures alone", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(6));
  const { backend, charged } = await newKey(["process"]);
  const { reports, posts } = await run({ backend, folder });
  expect(endsOf(reports)).toEqual({ done: 6 });
  expect(posts).toBe(6);
  expect(await charged()).toBe(6);
});

test("through a proxy that cuts every third call all is done, and charged once", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(30));
  const { backend, charged } = await newKey();
  let calls = 0;
  front.onCall = ({ method }) => {
    if (method !== "POST" || ++calls % 3 === 0) return undefined;
    return { kind: calls % 3 === 1 ? "lose-answer" : "cut-after-first-chunk" };
  };
  try {
    const { reports } = await run({ backend, folder, together: 10 });
    expect(endsOf(reports)).toEqual({ done: 30 });
    expect(await charged()).toBe(30);
  } finally {
    front.onCall = () => undefined;
  }
});

test("a proxy that takes no large bodies gets pictures alone", async () => {
  const folder = newFolder();
  await writePictures(folder, indices(4));
  const { backend, charged } = await newKey();
  front.onCall = ({ headers }) =>
    Number(headers["content-length"]) > 8_000 ? { kind: "answer", status: 413, body: "too large" } : undefined;
  try {
    const { reports } = await run({ backend, folder });
    expect(endsOf(reports)).toEqual({ done: 4 });
    expect(await charged()).toBe(4);
  } finally {
    front.onCall = () => undefined;
  }
});
