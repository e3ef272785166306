import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { printQuote } from "../../packages/cli/src/quote-command.ts";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { redModel } from "../../packages/server/src/testing/red-model.ts";
import {
  type Backend,
  createRunner,
  findPictures,
  NetworkLost,
  openCache,
  openNetworks,
  openOffline,
  readStep,
  recipeNamed,
  type Work,
} from "../../packages/toolkit/src/index.ts";
import { openAccount, openServer } from "../../packages/toolkit/src/server.ts";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-server-backend-"));
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await app.close();
  rmSync(room, { recursive: true, force: true });
});

async function newKey(scopes: string[] = ["process", "jobs:read", "usage:read"]) {
  const person = await app.person();
  const made = await person.call("/api/keys", { json: { name: "Tool", scopes } });
  return { key: ((await made.json()) as { key: string }).key, person };
}

let count = 0;
async function run(
  backend: Parameters<typeof createRunner>[0]["backend"],
  work: Work,
  photos: string,
  cacheName: string,
) {
  const out = join(room, `out-${++count}`);
  const cache = openCache(join(room, cacheName));
  const runner = createRunner({
    backend,
    cache,
    work,
    concurrency: 2,
    signal: new AbortController().signal,
    destination: { out },
  });
  const reports = await runner.run(await findPictures([photos], { cwd: room }));
  await cache.close();
  mkdirSync(out, { recursive: true });
  const results = readdirSync(out).map((name) => [name, readFileSync(join(out, name)).toString("base64")]);
  return { reports, results };
}

test("a picture that is named for another format gets the right name on a server and on this computer, for nothing", async () => {
  const photos = join(room, `misnamed-${++count}`);
  mkdirSync(photos);
  writeFileSync(join(photos, "photo.png"), await drawnJpeg({ width: 90, height: 70 }));
  const { key, person } = await newKey();
  const work: Work = { steps: [readStep("convert", { target_format: "jpeg" })] };
  const there = await run(openServer({ origin: app.baseUrl, key }), work, photos, `cache-${count}-there`);
  const offline = openOffline({ concurrency: 1, networks: openNetworks(join(room, "networks")) });
  const here = await run(offline, work, photos, `cache-${count}-here`);
  for (const { results, reports } of [there, here]) {
    expect(results.map(([name]) => name)).toEqual(["photo.jpg"]);
    expect(reports).toMatchObject([{ notes: [expect.stringContaining("No conversion needed")], credits: 0 }]);
  }
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
});

test.each([
  { steps: [readStep("compress", { quality: 70 })] },
  { steps: [readStep("resize", { width: 40, method: "fit" }), readStep("convert", { target_format: "webp" })] },
] satisfies Work[])("a server and this computer give the same bytes, %#", async (work) => {
  const photos = join(room, `same-${++count}`);
  const cacheName = `cache-${count}`;
  mkdirSync(photos);
  for (const seed of [1, 2])
    writeFileSync(join(photos, `${seed}.jpg`), await drawnJpeg({ width: 90, height: 70, seed }));
  const { key, person } = await newKey();
  const there = await run(openServer({ origin: app.baseUrl, key }), work, photos, cacheName);
  const offline = openOffline({ concurrency: 1, networks: openNetworks(join(room, "networks")) });
  const here = await run(offline, work, photos, cacheName);
  expect(there.results).toEqual(here.results);
  expect(there.reports.map(({ outcome, credits, isCached }) => [outcome, credits, isCached])).toEqual([
    ["done", 1, false],
    ["done", 1, false],
  ]);
  expect(here.reports.map(({ isCached }) => isCached)).toEqual([false, false]);
  const again = await run(openServer({ origin: app.baseUrl, key }), work, photos, cacheName);
  expect(again.reports.map(({ isCached }) => isCached)).toEqual([true, true]);
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 2 });
});

test("a server keeps no cut-out for edits, which no tool can make", async () => {
  const model = redModel();
  const withModel = await startTestApp({ environment: model.environment });
  try {
    const person = await withModel.person();
    const made = await person.call("/api/keys", { json: { name: "Tool", scopes: ["process", "jobs:read"] } });
    const { key } = (await made.json()) as { key: string };
    const photos = join(room, "cut");
    mkdirSync(photos);
    // The test's model detects red as the subject.
    const ball = '<circle cx="40" cy="30" r="15" fill="#e61e1e"/>';
    writeFileSync(
      join(photos, "a.svg"),
      `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60">${ball}</svg>`,
    );
    const work: Work = { steps: [readStep("remove-background", {})] };
    const { reports } = await run(openServer({ origin: withModel.baseUrl, key }), work, photos, "cut-cache");
    expect(reports).toMatchObject([{ outcome: "done" }]);
    const { jobs } = (await (await person.call("/api/jobs")).json()) as { jobs: { id: string }[] };
    const form = new FormData();
    form.append("crop", "true");
    const edit = await person.call(`/api/jobs/${jobs[0]?.id}/files/0/edit`, { form });
    expect(edit.status).toBe(422);
  } finally {
    await withModel.close();
    model.remove();
  }
});

test("a process that comes after a killed one sends the same Idempotency-Key, and is charged nothing more", async () => {
  const photos = join(room, "killed");
  mkdirSync(photos);
  writeFileSync(join(photos, "a.jpg"), await drawnJpeg({ width: 64, height: 64, seed: 5 }));
  const { key, person } = await newKey();
  const backend = openServer({ origin: app.baseUrl, key });
  const cache = openCache(join(room, "killed-cache"));
  const work: Work = { steps: [readStep("compress", {})] };
  // The result has arrived, and the process dies before storing it.
  const dying = {
    ...backend,
    run: async (task: Parameters<typeof backend.run>[0]) => {
      await backend.run(task);
      throw new NetworkLost("killed here");
    },
  };
  const options = { cache, work, concurrency: 1, signal: new AbortController().signal };
  const pictures = await findPictures([photos], { cwd: room });
  const destination = { out: join(room, "killed-out") };
  const [lost] = await createRunner({ ...options, backend: dying, destination }).run(pictures);
  expect(lost?.outcome).toBe("failed");
  const [done] = await createRunner({ ...options, backend, destination }).run(pictures);
  expect(done?.outcome).toBe("done");
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
});

test("a key that may not read jobs has the result of its one call, which is charged once", async () => {
  const photos = join(room, "scopes");
  mkdirSync(photos);
  writeFileSync(join(photos, "a.jpg"), await drawnJpeg({ width: 64, height: 64, seed: 6 }));
  const { key, person } = await newKey(["process"]);
  const work: Work = { steps: [readStep("compress", {})] };
  for (const isCached of [false, true]) {
    const { reports } = await run(openServer({ origin: app.baseUrl, key }), work, photos, "scopes-cache");
    expect(reports).toMatchObject([{ outcome: "done", isCached }]);
    expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
  }
});

test("a picture whose work was cut has its result under another name too", async () => {
  const photos = join(room, "renamed");
  mkdirSync(photos);
  writeFileSync(join(photos, "a.jpg"), await drawnJpeg({ width: 64, height: 64, seed: 7 }));
  const { key } = await newKey();
  const backend = openServer({ origin: app.baseUrl, key });
  const dying: Backend = {
    ...backend,
    run: async (task) => {
      await backend.run(task);
      throw new NetworkLost("killed here");
    },
  };
  const work: Work = { steps: [readStep("compress", {})] };
  const lost = await run(dying, work, photos, "renamed-cache");
  expect(lost.reports.map(({ outcome }) => outcome)).toEqual(["failed"]);
  renameSync(join(photos, "a.jpg"), join(photos, "b.jpg"));
  const { reports } = await run(backend, work, photos, "renamed-cache");
  expect(reports.map(({ outcome }) => outcome)).toEqual(["done"]);
});

test("recipes of the server are run by name, and quoted before", async () => {
  const { key } = await newKey();
  const backend = openServer({ origin: app.baseUrl, key });
  const { steps } = recipeNamed("email", await backend.recipes());
  expect(steps.map(({ operation, options }) => [operation, options["max_bytes"]])).toEqual([
    ["resize", undefined],
    ["convert", 200_000],
  ]);
  const [first, ...others] = steps;
  if (!first) throw new Error("the recipe has steps");
  const file = { width: 800, height: 600, size_bytes: 100_000, format: "png" };
  const quote = await backend.quote({ steps: [first, ...others] }, [file]);
  expect(quote).toMatchObject({ credits: 1, creditsPerFile: 1, remainingAfter: 99 });
  expect(quote.losses.length).toBeGreaterThan(0);
});

test("the command quotes more files than a batch holds, and says when credits do not suffice", async () => {
  const { key } = await newKey();
  const photos = join(room, "many");
  mkdirSync(photos);
  const photo = await drawnJpeg({ width: 40, height: 30 });
  for (let i = 0; i < 105; i++) writeFileSync(join(photos, `${i}.jpg`), photo);
  const pictures = await findPictures([photos], { cwd: room });
  const work: Work = { steps: [readStep("compress", { quality: 70 })] };
  const backend = openServer({ origin: app.baseUrl, key });
  const cache = openCache(join(room, "quoted"));
  const quoteOf = async (count: number) => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      await printQuote(pictures.slice(0, count), { work, backend, cache, isJson: true });
      return JSON.parse(String(write.mock.lastCall?.[0]));
    } finally {
      write.mockRestore();
    }
  };
  expect(await quoteOf(45)).toMatchObject({ files: 45, credits: 45, remaining_after: 55, refusals: [] });
  expect(await quoteOf(105)).toMatchObject({ credits: 105, refusals: [{ file: null, code: "out-of-credits" }] });
});

test("usage, and refusals by their codes", async () => {
  const { key } = await newKey();
  expect(await openAccount({ origin: app.baseUrl, key }).usage()).toMatchObject({ plan: "hobby", limit: 100 });
  await expect(openAccount({ origin: app.baseUrl, key: "tt_live_wrong" }).usage()).rejects.toMatchObject({
    code: "unauthorized",
  });
  const { key: narrow } = await newKey(["process"]);
  await expect(openAccount({ origin: app.baseUrl, key: narrow }).usage()).rejects.toMatchObject({
    code: "scope-missing",
  });
  const nowhere = openServer({ origin: "http://127.0.0.1:9", key });
  await expect(nowhere.version()).rejects.toBeInstanceOf(NetworkLost);
});
