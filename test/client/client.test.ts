import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { taskEndpoints } from "@tintype/contract/schemas";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type JobEvent, type Progress, Tintype, TintypeError } from "../../packages/client/src/node.ts";
import { allowances } from "../../packages/server/src/features/credits/tables.ts";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { noisePng, samplePng } from "../../packages/server/src/testing/pictures.ts";
import { type Front, startFront } from "./front.ts";

let app: TestApp;
let front: Front;
let folder: string;
beforeAll(async () => {
  app = await startTestApp({
    environment: { TINTYPE_URL_INPUT: "on", TINTYPE_URL_ALLOW: "127.0.0.1/32" },
  });
  front = await startFront(app.baseUrl);
  folder = mkdtempSync(join(tmpdir(), "tintype-client-"));
});
afterAll(async () => {
  await front.close();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  front.calls.length = 0;
  front.onCall = () => undefined;
});

/** A client with a new person's key, and a function that returns their usage count. */
async function somebody(plan: "hobby" | "plus" = "hobby") {
  const person = await app.person(plan);
  const made = await person.call("/api/keys", {
    json: { name: "Client", scopes: ["process", "jobs:read", "usage:read", "recipes:write"] },
  });
  const { key } = (await made.json()) as { key: string };
  const t = new Tintype({ key, baseUrl: front.origin });
  return { t, used: async () => (await t.usage()).serviceCount };
}

const picture = (seed = 0) => ({ name: `photo${seed}.png`, data: samplePng(120, 80, seed) });
const posts = () => front.calls.filter(({ method, path }) => method === "POST" && !path.startsWith("/api/quote"));
const results = () => front.calls.filter(({ path }) => path.endsWith("/result"));
const streams = () => front.calls.filter(({ path }) => path.endsWith("/events"));
const caught = async (call: Promise<unknown>): Promise<TintypeError> => {
  const thrown: unknown = await call.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!(thrown instanceof TintypeError)) throw new Error("The call threw no TintypeError.", { cause: thrown });
  return thrown;
};
const formatOf = async (blob: Blob) => (await sharp(await blob.arrayBuffer()).metadata()).format;

test("each operation of the manifest is a method", () => {
  const t = new Tintype();
  for (const name of Object.keys(taskEndpoints)) expect(t).toHaveProperty(name, expect.any(Function));
});

test("a picture comes back with its report and its price", async () => {
  const { t, used } = await somebody();
  const { blob, name, files, report, credits, requestId } = await t.convert(picture(), {
    targetFormat: "webp",
    maxBytes: 2000,
  });
  expect([name, await formatOf(blob)]).toEqual(["photo0.webp", "webp"]);
  expect(blob.size).toBeLessThanOrEqual(2000);
  expect(files).toEqual([{ name, blob }]);
  expect(report.files).toMatchObject([
    { file: "photo0.png", outcome: "done", resultBytes: blob.size, width: 120, height: 80 },
  ]);
  expect(credits).toEqual({ charged: 1, remaining: 99, limit: 100 });
  expect(requestId).toMatch(/^req_/);
  expect(await used()).toBe(1);
  expect((await t.history()).lines).toMatchObject([{ operation: "convert", credits: 1, givenBack: 0 }]);
});

test("a path, a file URL, bytes, a Blob and streams are the same picture", async () => {
  const { t } = await somebody();
  const bytes = samplePng(64, 64);
  const path = join(folder, "löwe.png");
  writeFileSync(path, bytes);
  const inputs = [
    path,
    pathToFileURL(path),
    createReadStream(path),
    { name: "löwe.png", data: Buffer.from(bytes) },
    { name: "löwe.png", data: new Uint8Array(bytes).buffer },
    { name: "löwe.png", data: new Blob([new Uint8Array(bytes)]).stream() },
    new File([new Uint8Array(bytes)], "löwe.png"),
  ];
  const results = await Promise.all(inputs.map((input) => t.resize(input, { width: 32 })));
  const [first, ...others] = await Promise.all(results.map(async ({ blob }) => Buffer.from(await blob.arrayBuffer())));
  expect((await sharp(first).metadata()).width).toBe(32);
  for (const other of others) expect(other.equals(first ?? Buffer.alloc(0))).toBe(true);
  expect(results.map(({ name }) => name)).toEqual(inputs.map(() => "löwe.png"));
});

test("a batch comes back as a ZIP and as its pictures, with a line for each file", async () => {
  const { t, used } = await somebody();
  const broken = { name: "notes.txt", data: Buffer.from("no picture") };
  const { blob, name, files, report, credits } = await t.compress([picture(1), broken, picture(2)], { quality: 60 });
  expect([name, blob.type]).toEqual(["tintype.zip", "application/zip"]);
  expect(files.map((file) => file.name)).toEqual(["photo1.png", "photo2.png"]);
  for (const file of files) expect(await formatOf(file.blob)).toBe("png");
  expect(report.files.map(({ file, outcome }) => [file, outcome])).toEqual([
    ["photo1.png", "done"],
    ["notes.txt", "failed"],
    ["photo2.png", "done"],
  ]);
  expect(credits?.charged).toBe(2);
  expect(await used()).toBe(2);
});

test("bytes without a name have the extension of their format, as their results do", async () => {
  const { t } = await somebody();
  const { data } = picture();
  expect((await t.compress(Buffer.from(data), { quality: 60 })).name).toBe("image.png");
  const batch = await t.convert([new Blob([new Uint8Array(data)]), picture(1).data], { targetFormat: "webp" });
  expect(batch.files.map(({ name }) => name)).toEqual(["image.webp", "image (2).webp"]);
});

test("a web set comes back as its ZIP and as its files, and several as the ZIPs of each", async () => {
  const { t } = await somebody();
  const { name, files, report, credits } = await t.webSet(picture(), { widths: "60", formats: "webp,jpeg" });
  expect(name).toBe("photo0.zip");
  expect(files.map((file) => file.name)).toEqual(["photo0-60.webp", "photo0-60.jpg", "picture.html", "set.json"]);
  expect(await formatOf(files[1]?.blob ?? new Blob())).toBe("jpeg");
  expect(report.files).toMatchObject([{ outcome: "done", result: name, width: 60, height: 40 }]);
  expect(credits?.charged).toBe(1);
  const several = await t.webSet([picture(1), picture(2)], { widths: "60", formats: "webp" });
  expect(several.files.map((file) => file.name)).toEqual(["photo1.zip", "photo2.zip"]);
});

test("a picture that is of the target format already comes back with its metadata filtered alone, for nothing", async () => {
  const { t, used } = await somebody();
  const { data } = picture();
  const named = await sharp(data)
    .withExif({ IFD0: { Artist: "Ann Lee", Model: "A-CAMERA" } })
    .png()
    .toBuffer();
  for (const call of [{}, { onProgress: () => {} }]) {
    const { blob, report } = await t.convert({ name: "a.png", data: named }, { targetFormat: "png" }, call);
    const result = Buffer.from(await blob.arrayBuffer());
    const { exif } = await sharp(result).metadata();
    expect([exif?.includes("Ann Lee"), exif?.includes("A-CAMERA")]).toEqual([true, false]);
    expect((await sharp(result).raw().toBuffer()).equals(await sharp(data).raw().toBuffer())).toBe(true);
    expect(report.files).toMatchObject([{ file: "a.png", outcome: "unchanged", sourceBytes: named.length }]);
    const misnamed = await t.convert({ name: "b.jpg", data: named }, { targetFormat: "png" }, call);
    expect([misnamed.name, misnamed.report.files[0]?.outcome]).toEqual(["b.png", "unchanged"]);
  }
  expect(await used()).toBe(0);
});

test("a call whose answer is lost is made again and costs once", async () => {
  const { t, used } = await somebody();
  front.onCall = ({ method }, times) => (method === "POST" && times === 1 ? { kind: "lose-answer" } : undefined);
  const { blob, credits } = await t.compress(picture(), { quality: 50 });
  expect(await formatOf(blob)).toBe("png");
  expect(posts().map(({ headers }) => headers["idempotency-key"])).toEqual([
    posts()[0]?.headers["idempotency-key"],
    posts()[0]?.headers["idempotency-key"],
  ]);
  expect(credits?.charged).toBe(0);
  expect(await used()).toBe(1);
});

test("a result that is cut off on its way is had again and costs once", async () => {
  const { t, used } = await somebody();
  front.onCall = ({ path }) =>
    path.endsWith("/result") && results().length === 1 ? { kind: "lose-answer" } : undefined;
  const stages = new Set<string>();
  const { blob } = await t.resize(picture(), { width: 40 }, { onProgress: ({ stage }) => stages.add(stage) });
  expect((await sharp(await blob.arrayBuffer()).metadata()).width).toBe(40);
  expect(stages).toEqual(new Set(["upload", "work"]));
  expect(posts()).toHaveLength(2);
  expect(await used()).toBe(1);
  expect(results().length).toBeGreaterThan(1);
});

test("calls under one key are charged once, whatever client makes them", async () => {
  const { t, used } = await somebody();
  const call = { idempotencyKey: "order-4711" };
  await t.compress(picture(), { quality: 50 }, call);
  await t.compress(picture(), { quality: 50 }, call);
  expect(await used()).toBe(1);
  expect(await caught(t.compress(picture(), { quality: 51 }, call))).toMatchObject({
    code: "idempotency-mismatch",
    retryable: false,
  });
});

test("a refusal says by code what was wrong, and is not tried again", async () => {
  const { t } = await somebody();
  const problem = await caught(t.compress(picture(), { quality: 101 }));
  expect(problem).toMatchObject({
    name: "TintypeError",
    code: "invalid-request",
    status: 400,
    retryable: false,
    field: "quality",
    requestId: expect.stringMatching(/^req_/),
  });
  expect(problem.message).toMatch(/quality/);
  expect(posts()).toHaveLength(1);
});

test("a path that leads to nothing is named, and so is an address without its protocol", async () => {
  await expect(new Tintype({ baseUrl: front.origin }).compress(join(folder, "nothing.jpg"))).rejects.toMatchObject({
    name: "TintypeError",
    code: "invalid-request",
    message: expect.stringContaining("nothing.jpg cannot be read."),
  });
  expect(() => new Tintype({ baseUrl: "localhost:3000" })).toThrow('https://tintype.example, not "localhost:3000"');
});

test("a folder in place of a picture is named, and so is a file that changes before it is sent; the process goes on", async () => {
  const path = join(folder, "changing.png");
  writeFileSync(path, picture().data);
  const t = new Tintype({ baseUrl: front.origin });
  const changed = new Tintype({
    baseUrl: front.origin,
    key() {
      writeFileSync(path, picture(1).data.subarray(1));
      return "tt_live_none";
    },
  });
  for (const call of [{}, { onProgress: () => {} }])
    for (const [client, file] of [
      [t, folder],
      [changed, path],
    ] as const)
      expect(await caught(client.compress(file, { quality: 50 }, call))).toMatchObject({
        code: "invalid-request",
        retryable: false,
        message: expect.stringMatching(/^The file .+ cannot be read, or changed while it was sent\.$/),
      });
});

test("a file's name comes over as it is, whatever signs are in it", async () => {
  const { t } = await somebody();
  const name = "grün; \u{1F600} 'a' (1).png";
  const { blob, report } = await t.upload({ name, data: picture().data });
  expect(report.files[0]?.file).toBe(name);
  expect(Buffer.compare(Buffer.from(await blob.arrayBuffer()), Buffer.from(picture().data))).toBe(0);
});

test("a result that cannot be small enough says how small it can be", async () => {
  const { t, used } = await somebody();
  const noise = { name: "noise.png", data: noisePng(200, 200) };
  const problem = await caught(t.convert(noise, { targetFormat: "jpeg", maxBytes: 500 }));
  expect(problem).toMatchObject({ code: "size-unreachable", smallestBytes: expect.any(Number) });
  expect(await used()).toBe(0);
});

test("a caller without credits learns when they come back", async () => {
  const { t, used } = await somebody();
  await t.compress(picture(), { quality: 50 });
  await app.db.update(allowances).set({ monthUsed: 100 });
  const problem = await caught(t.compress(picture(3), { quality: 50 }));
  expect(problem).toMatchObject({ code: "out-of-credits", status: 403, retryable: false });
  expect(problem.resetsAt).toEqual(new Date("2026-04-01T00:00:00Z"));
  expect(await used()).toBe(100);
  const wrong = new Tintype({ key: "tt_live_none", baseUrl: front.origin });
  expect(await caught(wrong.usage())).toMatchObject({ code: "unauthorized", status: 401 });
});

test("a busy server is asked again after as long as it says", async () => {
  const { t } = await somebody();
  front.onCall = ({ method }, times) =>
    method === "POST" && times === 1 ? { kind: "answer", status: 503, headers: { "retry-after": "1" } } : undefined;
  await t.compress(picture(), { quality: 50 });
  const [first, second] = posts();
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);

  front.onCall = () => ({ kind: "answer", status: 429, headers: { "retry-after": "60" }, body: "<h1>Slow down</h1>" });
  const began = performance.now();
  const problem = await caught(t.compress(picture(), { quality: 50 }, { timeoutMs: 20_000 }));
  expect(problem).toMatchObject({ code: "unexpected-answer", status: 429, retryable: true, retryAfterMs: 60_000 });
  expect(performance.now() - began).toBeLessThan(10_000);
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])("a call that may take %i ms does not end at once", async (timeoutMs) => {
  const { t } = await somebody();
  expect((await t.upload(picture(), {}, { timeoutMs })).report.files).toHaveLength(1);
});

test("a call that takes too long ends by itself", async () => {
  const { t } = await somebody();
  front.onCall = () => ({ kind: "silence" });
  expect(await caught(t.compress(picture(), {}, { timeoutMs: 300 }))).toMatchObject({ code: "timed-out" });
  expect(await caught(t.usage({ timeoutMs: 300 }))).toMatchObject({ code: "timed-out" });
});

test("a call that is not followed is one call, with a signal too, and a wait that the server asks for is told", async () => {
  const { t, used } = await somebody();
  const limited = { status: 429, headers: { "retry-after": "1", "content-type": "text/plain" }, body: "later" };
  front.onCall = ({ method }, times) => (method === "POST" && times === 1 ? { kind: "answer", ...limited } : undefined);
  const waits: number[] = [];
  const { signal } = new AbortController();
  const options = { follow: false, signal, onWait: ({ waitMs }: { waitMs: number }) => waits.push(waitMs) };
  const { blob } = await t.compress(picture(), { quality: 50 }, options);
  expect([await formatOf(blob), waits, posts().length, results().length, streams().length]).toEqual([
    "png",
    [1000],
    2,
    0,
    0,
  ]);
  expect(await used()).toBe(1);
});

test("work that takes longer than its time is cancelled, and costs nothing, also where nobody watches it", async () => {
  const { t, used } = await somebody();
  await app.whileEnginesAreHeld(async () => {
    expect(await caught(t.compress(picture(), {}, { timeoutMs: 1_000 }))).toMatchObject({ code: "timed-out" });
    // On a busy machine the time-out may expire before the upload ends.
    await expect
      .poll(async () => [(await t.jobs.list()).jobs.every(({ state }) => state === "cancelled"), await used()])
      .toEqual([true, 0]);
  });
});

test("a call that is not followed costs nothing either once it is aborted", async () => {
  const { t, used } = await somebody();
  const caller = new AbortController();
  const reason = new Error("The page is closed.");
  await app.whileEnginesAreHeld(async () => {
    const call = t.compress(picture(), {}, { follow: false, signal: caller.signal });
    await expect.poll(used).toBe(1);
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect
      .poll(async () => [(await t.jobs.list()).jobs.map(({ state }) => state), await used()])
      .toEqual([["cancelled"], 0]);
  });
});

test("a key in another header than Authorization is refused, and the header is named", async () => {
  for (const value of ["tt_live_0000", "Bearer tt_test_0000"]) {
    const body = new FormData();
    body.append("files", new File([new Uint8Array(picture().data)], "a.png"));
    const answer = await fetch(`${app.baseUrl}/api/upload`, { method: "POST", headers: { "X-Api-Key": value }, body });
    expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
      401,
      "Your API key is in the header `x-api-key`. Send it as `Authorization: Bearer` followed by the key.",
    ]);
  }
});

test("keys, webhooks, edits and receipts have calls of their own", async () => {
  const person = await app.person("plus");
  const t = new Tintype({ key: () => person.token, baseUrl: front.origin });
  const { id, key } = await t.keys.create({ name: "Build", scopes: ["process", "jobs:read"] });
  expect((await t.keys.list()).map(({ lastFour }) => lastFour)).toEqual([key.slice(-4)]);
  const rotated = await t.keys.rotate(id, { overlapHours: 0 });
  expect(rotated.key).not.toBe(key);
  await t.keys.delete(rotated.id);
  expect((await t.keys.list()).map((one) => one.id)).not.toContain(rotated.id);
  expect([await t.webhooks.list(), (await t.webhooks.deliveries()).deliveries]).toEqual([[], []]);
  const { secret } = await t.webhooks.secret();
  expect((await t.webhooks.rotateSecret({ overlapHours: 1 })).secret).not.toBe(secret);
  const job = await t.jobs.start({ operation: "resize", options: { width: 20 } }, picture());
  await expect.poll(async () => (await t.jobs.get(job.id)).state).toBe("done");
  const { receipt, jws } = await t.jobs.receipt(job.id);
  expect([receipt.job, jws.split(".").length]).toEqual([job.id, 3]);
  expect((await t.receiptKeys()).keys).toHaveLength(1);
  expect(await caught(t.jobs.edit(job.id, 0, { background: "red" }))).toMatchObject({ status: expect.any(Number) });
});

test("work that is aborted is cancelled, and costs nothing", async () => {
  const { t, used } = await somebody();
  const reason = new Error("No longer needed.");
  await app.whileEnginesAreHeld(async () => {
    const later = new AbortController();
    const { signal } = later;
    const onProgress = ({ stage }: Progress) => stage === "work" && later.abort(reason);
    await expect(t.compress(picture(), {}, { signal, onProgress })).rejects.toBe(reason);
    await expect.poll(async () => (await t.jobs.list()).jobs.map(({ state }) => state)).toEqual(["cancelled"]);
    expect(await used()).toBe(0);

    // Aborted before the response arrives: the client finds out the job's id and cancels it.
    const sooner = new AbortController();
    const second = t.compress(picture(1), {}, { signal: sooner.signal });
    await expect.poll(() => posts().length).toBe(2);
    sooner.abort(reason);
    await expect(second).rejects.toBe(reason);
    await expect
      .poll(async () => [(await t.jobs.list()).jobs.every(({ state }) => state === "cancelled"), await used()])
      .toEqual([true, 0]);
    await expect(t.compress(picture(), {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

test("upload and work tell their progress, each from its beginning to its end", async () => {
  const { t } = await somebody();
  const told: Progress[] = [];
  await t.compress([picture(1), picture(2)], { quality: 50 }, { onProgress: (progress) => told.push(progress) });
  for (const stage of ["upload", "work"]) {
    const steps = told.filter((one) => one.stage === stage).map(({ progress }) => progress);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(1);
  }
});

test("a job's events go on where a connection broke off, up to its end", async () => {
  const { t, used } = await somebody();
  const files = [picture(), picture(1)];
  const events: JobEvent[] = [];
  const id = await app.whileEnginesAreHeld(async (letThrough) => {
    const { id, state } = await t.jobs.start({ operation: "compress", options: { quality: 60 } }, files);
    expect(state).toMatch(/queued|running/);
    front.onCall = ({ path }) => {
      if (!path.endsWith("/events")) return undefined;
      if (streams().length === 1) return { kind: "cut-after-first-chunk" };
      letThrough(files.length);
      return undefined;
    };
    for await (const event of t.jobs.events(id)) events.push(event);
    return id;
  });
  expect(events[0]).toMatchObject({ type: "snapshot", job: { id } });
  expect(events.at(-1)).toMatchObject({ progress: 1 });
  expect(streams().map(({ headers }) => headers["last-event-id"])).toEqual([undefined, expect.stringMatching(/^\d+$/)]);
  expect((await t.jobs.get(id)).state).toBe("done");
  expect((await t.jobs.download(id)).files.map(({ name }) => name)).toEqual(["photo0.png", "photo1.png"]);
  // The server notes the delivery after its last byte.
  await expect
    .poll(() =>
      t.jobs.download(id).then(
        () => "there",
        ({ code }: TintypeError) => code,
      ),
    )
    .toBe("gone");
  expect(await used()).toBe(2);
});

test("events end with the job as it stands, where the server says that its end was told", async () => {
  const { t } = await somebody();
  await app.whileEnginesAreHeld(async () => {
    const { id } = await t.jobs.start({ operation: "compress", options: { quality: 60 } }, picture());
    front.onCall = ({ path }) => {
      if (!path.endsWith("/events")) return undefined;
      return streams().length === 1 ? { kind: "cut-after-first-chunk" } : { kind: "answer", status: 204 };
    };
    const events = [];
    for await (const event of t.jobs.events(id)) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(["snapshot", "snapshot"]);
    await t.jobs.cancel(id);
  });
});

test("a job that is cancelled gives its credits back", async () => {
  const { t, used } = await somebody();
  await app.whileEnginesAreHeld(async () => {
    const { id } = await t.jobs.start({ operation: "compress", options: { quality: 60 } }, picture());
    expect(await used()).toBe(1);
    expect((await t.jobs.cancel(id)).state).toBe("cancelled");
    expect(await used()).toBe(0);
  });
});

test("recipes are kept, run by name or by steps, and priced beforehand", async () => {
  const { t, used } = await somebody();
  const steps = [{ resize: { width: 50 } }, { convert: { targetFormat: "webp", maxBytes: 5000 } }];
  const { id, creditsPerFile } = await t.recipes.create({ name: "shop", steps });
  expect(creditsPerFile).toBe(1);
  const kept = (await t.recipes.list()).find((recipe) => recipe.id === id);
  expect(kept?.steps[1]).toMatchObject({ convert: { targetFormat: "webp", maxBytes: 5000 } });
  const files = [{ width: 120, height: 80, sizeBytes: 9000, format: "png" }];
  expect(await t.quote({ recipe: "shop", files })).toMatchObject({ credits: 1, creditsPerFile: 1, refusals: [] });
  expect(await t.quote({ operation: "upscale", options: { scaleFactor: 4 }, files })).toMatchObject({ credits: 1 });

  const byName = await t.run("shop", picture());
  const bySteps = await t.run({ steps }, picture());
  expect([byName.name, await formatOf(byName.blob)]).toEqual(["photo0.webp", "webp"]);
  expect(await bySteps.blob.text()).toBe(await byName.blob.text());
  expect((await t.recipes.replace(id, { name: "shop 2", steps: steps.slice(0, 1) })).name).toBe("shop 2");
  expect((await t.recipes.get(id)).steps).toHaveLength(1);
  await t.recipes.delete(id);
  expect(await caught(t.recipes.get(id))).toMatchObject({ code: "not-found" });
  expect(await used()).toBe(2);
});

test("an address goes to the server, which fetches it or says why not", async () => {
  const { t, used } = await somebody();
  const asked: string[] = [];
  const store = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "image/png" }).end(picture().data);
  });
  await new Promise<void>((listening) => store.listen(0, "127.0.0.1", listening));
  const { port } = store.address() as AddressInfo; // a TCP server has one
  try {
    const fetched = await t.resize(new URL(`http://127.0.0.1:${port}/photos/a.png`), { width: 30 });
    const { format, width } = await sharp(await fetched.blob.arrayBuffer()).metadata();
    expect([fetched.name, format, width]).toEqual(["a.png", "png", 30]);
    const kept = await t.upload(`http://127.0.0.1:${port}/photos/b.png`);
    expect(Buffer.compare(Buffer.from(await kept.blob.arrayBuffer()), Buffer.from(picture().data))).toBe(0);
    expect(asked).toEqual(["/photos/a.png", "/photos/b.png"]);
  } finally {
    store.closeAllConnections();
    store.close();
  }
  const problem = await caught(t.compress(new URL("http://10.0.0.1/a.png"), { quality: 60 }));
  expect(problem).toMatchObject({ code: "url-refused", status: 422 });
  await expect(t.preview("https://pictures.example/a.png")).rejects.toThrow("takes no addresses");
  expect(await used()).toBe(1);
});

test("the generated files are those of the present contract", async () => {
  // @ts-expect-error a plain .mjs file without types
  const { generateClient } = await import("../../scripts/generate-client.mjs");
  const fresh = join(folder, "generated");
  await (generateClient as (folder: string) => Promise<void>)(fresh);
  const list = (root: string) =>
    (readdirSync(root, { recursive: true, encoding: "utf8" }) as string[])
      .filter((path) => path.endsWith(".ts"))
      .sort();
  const kept = "packages/client/src/generated";
  expect(list(fresh)).toEqual(list(kept));
  for (const path of list(kept))
    expect(readFileSync(join(fresh, path), "utf8"), path).toBe(readFileSync(join(kept, path), "utf8"));
});
