import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  type Backend,
  type Cache,
  createRunner,
  createWorkOn,
  findPictures,
  openCache,
  openNetworks,
  openOffline,
  openSet,
  type RunOptions,
  readStep,
} from "./index.ts";
import { partOf } from "./part.ts";
import { drawnJpeg } from "./testing/drawn-jpeg.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-toolkit-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));
let folder = "";
let cacheFolder = "";
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(room, `${count}`);
  cacheFolder = join(room, `cache-${count}`);
  mkdirSync(join(folder, "photos", "deep"), { recursive: true });
});

const photo = await drawnJpeg({ width: 96, height: 64 });
const other = await drawnJpeg({ width: 80, height: 60 });
const offline = openOffline({ concurrency: 1, networks: openNetworks(join(room, "networks")) });
/** Counts the files that reach the engine. */
const counted = () => {
  const worked: string[] = [];
  const backend: Backend = {
    ...offline,
    run: (run) => {
      worked.push(run.picture.name);
      return offline.run(run);
    },
  };
  return { backend, worked };
};

const compress = readStep("compress", { quality: 60 });

async function run(where: string, options: Partial<RunOptions> = {}) {
  const cache = openCache(cacheFolder);
  const runner = createRunner({
    backend: offline,
    cache,
    work: { steps: [compress] },
    concurrency: 2,
    signal: new AbortController().signal,
    destination: { out: join(folder, "out") },
    isInPlace: options.destination?.isInPlace === true,
    ...options,
  });
  const reports = await runner.run(await findPictures([where], { cwd: folder }));
  await cache.close();
  return reports;
}

test("results lie below the folder as their sources do, and a second run works on nothing", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  writeFileSync(join(folder, "photos", "deep", "b.jpg"), other);
  const first = counted();
  const reports = await run("photos", { backend: first.backend });
  expect(reports.map(({ outcome }) => outcome)).toEqual(["done", "done"]);
  expect(readdirSync(join(folder, "out"), { recursive: true }).sort()).toEqual([
    "a.jpg",
    "deep",
    join("deep", "b.jpg"),
  ]);
  expect(readFileSync(join(folder, "out", "a.jpg")).length).toBeLessThan(photo.length);
  rmSync(join(folder, "out", "a.jpg"));
  const second = counted();
  const again = await run("photos", { backend: second.backend });
  expect(again.map(({ outcome, isCached }) => [outcome, isCached])).toEqual([
    ["done", true],
    ["done", true],
  ]);
  expect([first.worked.length, second.worked.length]).toEqual([2, 0]);
  expect(readdirSync(join(cacheFolder, "scratch"))).toEqual([]);
});

test("a measured likeness is told again from the cache, and never for work that did not ask for it", async () => {
  const source = join(folder, "photos", "a.jpg");
  writeFileSync(source, photo);
  const measuring = { steps: [readStep("compress", { quality: 60, measure: true })] } as const;
  const likeness = async (options: Partial<RunOptions>) => {
    const [report] = await run(source, { destination: { out: join(folder, "out"), suffix: "" }, ...options });
    return report?.likeness;
  };
  expect(await likeness({})).toBeUndefined();
  const measured = await likeness({ work: measuring });
  expect(measured).toBeGreaterThan(0);
  const { backend, worked } = counted();
  expect(await likeness({ work: measuring, backend })).toBe(measured);
  expect(worked).toEqual([]);
});

test("the same bytes under two names are worked on once", async () => {
  for (const name of ["a.jpg", "b.jpg", "c.jpg"]) writeFileSync(join(folder, "photos", name), photo);
  const { backend, worked } = counted();
  const reports = await run("photos", { backend });
  expect(reports.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
  expect(worked).toHaveLength(1);
});

test("two runs of one process may do the same work to the same picture at the same time", async () => {
  const path = join(folder, "photos", "a.jpg");
  writeFileSync(path, photo);
  const cache = openCache(cacheFolder);
  const bothBegan = Promise.withResolvers<void>();
  let begun = 0;
  const backend: Backend = {
    ...offline,
    async run(run) {
      begun += 1;
      if (begun === 2) bothBegan.resolve();
      await bothBegan.promise;
      return offline.run(run);
    },
  };
  const pictures = await findPictures(["photos"], { cwd: folder });
  const reports = await Promise.all(
    ["out", "other"].map((out) =>
      createRunner({
        backend,
        cache,
        work: { steps: [compress] },
        concurrency: 1,
        signal: new AbortController().signal,
        destination: { out: join(folder, out) },
      }).run(pictures),
    ),
  );
  await cache.close();
  expect(reports.flat()).toMatchObject([{ outcome: "done" }, { outcome: "done" }]);
  expect(readFileSync(join(folder, "out", "a.jpg")).equals(readFileSync(join(folder, "other", "a.jpg")))).toBe(true);
});

test("in place the file keeps its mode, its owner and its group, and its own result is not compressed a second time", async () => {
  const path = join(folder, "photos", "a.jpg");
  writeFileSync(path, photo);
  chmodSync(path, 0o640);
  // Root may give a file to anyone, and others to a group that they belong to.
  const isRoot = process.getuid?.() === 0;
  chownSync(path, isRoot ? 4242 : -1, isRoot ? 4243 : (process.getgroups?.().at(-1) ?? -1));
  const { uid, gid } = statSync(path);
  const [first] = await run("photos", { destination: { isInPlace: true } });
  expect(first?.outcome).toBe("done");
  expect(statSync(path)).toMatchObject({ uid, gid });
  expect(statSync(path).mode & 0o777).toBe(0o640);
  const once = readFileSync(path);
  const { backend, worked } = counted();
  const [second] = await run("photos", { backend, destination: { isInPlace: true } });
  expect([second?.outcome, worked]).toEqual(["unchanged", []]);
  expect(readFileSync(path).equals(once)).toBe(true);
});

test("a file that is there stays as it is, unless it is a result of ours, unchanged since", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "out", "a.jpg"), "precious");
  const [refused] = await run("photos");
  expect([refused?.outcome, refused?.code]).toEqual(["failed", "exists"]);
  expect(readFileSync(join(folder, "out", "a.jpg"), "utf8")).toBe("precious");
  rmSync(join(folder, "out", "a.jpg"));
  await run("photos");
  writeFileSync(join(folder, "photos", "a.jpg"), other);
  const [replaced] = await run("photos");
  expect(replaced?.outcome).toBe("done");
  expect(readdirSync(join(folder, "out"))).toEqual(["a.jpg"]);
});

test("two sources with one result: the second one fails and the first result stays", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  writeFileSync(join(folder, "photos", "a.jpeg"), other);
  const reports = await run("photos", {
    concurrency: 1,
    work: { steps: [readStep("convert", { target_format: "webp" })] },
  });
  expect(reports.map(({ outcome, code }) => code ?? outcome)).toEqual(["done", "same-target"]);
});

test("two sources with one result: the first has it, also where the second is ready sooner", async () => {
  writeFileSync(join(folder, "photos", "a.jpeg"), photo);
  writeFileSync(join(folder, "photos", "a.png"), await sharp(other).png().toBuffer());
  const backend: Backend = {
    ...offline,
    async run(run) {
      if (run.picture.name === "a.jpeg") await setTimeout(300);
      return offline.run(run);
    },
  };
  const reports = await run("photos", { backend, work: { steps: [readStep("convert", { target_format: "webp" })] } });
  expect(reports.map(({ outcome, code }) => code ?? outcome)).toEqual(["done", "same-target"]);
});

test("the result of one picture does not take the place of another's, nor of one that was replaced in place", async () => {
  mkdirSync(join(folder, "more"));
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  writeFileSync(join(folder, "more", "a.jpg"), other);
  await run("photos");
  expect((await run("more"))[0]?.code).toBe("exists");
  await run("more", { destination: { isInPlace: true } });
  const [refused] = await run("photos", { destination: { out: join(folder, "more") } });
  expect(refused?.code).toBe("exists");
});

test.each([
  ["the place of its result", { out: "photos" }],
  ["a link in the folder for results", { out: "out" }],
])("a picture that was compressed in place is not replaced out of place, at %s", async (_, { out }) => {
  const path = join(folder, "photos", "a.jpg");
  writeFileSync(path, photo);
  await run("photos", { destination: { isInPlace: true } });
  const once = readFileSync(path);
  if (out === "out") mkdirSync(join(folder, "out"));
  if (out === "out") symlinkSync(path, join(folder, "out", "a.jpg"));
  const small = { steps: [readStep("resize", { width: 20 })] } as const;
  const destination = { out: join(folder, out) };
  const [refused] = await run("photos", { work: small, destination });
  expect([refused?.code, readFileSync(path).equals(once)]).toEqual(["exists", true]);
  const charging: Backend = { ...counted().backend, kind: "server" };
  const [unpaid] = await run("photos", { backend: charging, work: small, destination });
  expect([unpaid?.code, readFileSync(path).equals(once)]).toEqual(["exists", true]);
});

test("in place no link is followed out of the folder of a named file, and out of place none below the folder for results", async () => {
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "private.jpg"), photo);
  symlinkSync(join(elsewhere, "private.jpg"), join(folder, "photos", "a.jpg"));
  const [kept] = await run("photos/a.jpg", { destination: { isInPlace: true } });
  expect(kept).toMatchObject({ outcome: "failed", reason: expect.stringContaining("--in-place does not follow it") });
  expect(readFileSync(join(elsewhere, "private.jpg")).equals(photo)).toBe(true);
  writeFileSync(join(folder, "photos", "deep", "b.jpg"), other);
  mkdirSync(join(folder, "out"));
  symlinkSync(elsewhere, join(folder, "out", "deep"));
  const [refused] = await run("photos");
  expect(refused).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("outside the folder for results"),
  });
  expect(readdirSync(elsewhere)).toEqual(["private.jpg"]);
});

test("a picture of the wished format that is converted in its own place stays there, and elsewhere or with a limit is a result", async () => {
  const path = join(folder, "photos", "a.jpg");
  writeFileSync(
    path,
    await sharp(photo)
      .withExif({ IFD0: { Artist: "Ann Lee" } })
      .jpeg()
      .toBuffer(),
  );
  const convert = (wish: object) => ({ steps: [readStep("convert", { target_format: "jpeg", ...wish })] }) as const;
  const [left] = await run("photos", { work: convert({}), destination: {} });
  expect(left).toMatchObject({ outcome: "unchanged", reason: expect.stringContaining("No conversion needed") });
  const [limited] = await run("photos", { work: convert({ max_bytes: 2000 }), destination: {} });
  expect(limited?.code).toBe("exists");
  const out = join(folder, "out");
  const [made] = await run("photos", { work: convert({}) });
  expect(made).toMatchObject({ outcome: "done", resultPath: join(out, "a.jpg") });
  expect((await sharp(join(out, "a.jpg")).metadata()).exif?.includes("Ann Lee")).toBe(true);
});

test("a picture that is named for another format has the right name as a result, and its own result has it too", async () => {
  const misnamed = join(folder, "photos", "a.png");
  const named = join(folder, "photos", "a.jpg");
  const work = { steps: [readStep("convert", { target_format: "jpeg" })] } as const;
  writeFileSync(
    misnamed,
    await sharp(photo)
      .withExif({ IFD0: { Model: "A-CAMERA" } })
      .toBuffer(),
  );
  const [made] = await run("photos", { work, destination: {} });
  expect(made).toMatchObject({ outcome: "done", resultPath: named });
  expect(readdirSync(join(folder, "photos")).sort()).toEqual(["a.jpg", "a.png", "deep"]);
  const own = readFileSync(named);
  rmSync(named);
  writeFileSync(misnamed, own);
  for (const destination of [{}, { isInPlace: true }, { out: join(folder, "out") }]) {
    const [same] = await run("photos/a.png", { work, destination });
    const resultPath = destination.out === undefined ? named : join(folder, "out", "a.jpg");
    expect(same).toMatchObject({ outcome: "unchanged", resultPath });
    expect(readFileSync(resultPath).equals(own)).toBe(true);
  }
  expect(readdirSync(join(folder, "out"))).toEqual(["a.jpg"]);
});

test("a picture that is its own result is not replaced by a result with other options", async () => {
  const path = join(folder, "photos", "a.jpg");
  writeFileSync(path, photo);
  const destination = { out: join(folder, "photos") };
  const [same] = await run("photos", {
    work: { steps: [readStep("convert", { target_format: "jpeg" })] },
    destination,
  });
  expect(same?.outcome).toBe("unchanged");
  const [refused] = await run("photos", { destination });
  expect([refused?.code, readFileSync(path).equals(photo)]).toEqual(["exists", true]);
});

test("on a server a taken place costs nothing, and a report tells the credits of a result that found none", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  const { backend, worked } = counted();
  const charging: Backend = {
    ...{ ...backend, kind: "server" },
    run: async (run) => ({ ...(await backend.run(run)), credits: 3 }),
  };
  const larger = { work: { steps: [readStep("resize", { percent: 400 })] as const }, failOnLarger: true };
  const [failed] = await run("photos", { backend: charging, ...larger });
  expect([failed?.code, failed?.credits, worked.length]).toEqual(["larger", 3, 1]);
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "out", "a.jpg"), "precious");
  const [refused] = await run("photos", { backend: charging });
  expect([refused?.code, refused?.credits, worked.length]).toEqual(["exists", 0, 1]);
});

test("a share of the size is taken again of an own result that is named as a source", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  const work = { steps: [readStep("resize", { percent: 50 })] as const };
  const [half] = await run("photos", { work });
  const [quarter] = await run("out", { work, destination: { out: join(folder, "quarter") } });
  expect([half?.width, quarter?.width]).toEqual([48, 24]);
});

test("a name of as many bytes as a file system takes has its result", async () => {
  const name = `${"\u5199".repeat(80)}.jpg`;
  writeFileSync(join(folder, "photos", name), photo);
  expect((await run("photos"))[0]?.outcome).toBe("done");
  expect(readdirSync(join(folder, "out"))).toEqual([name]);
});

test("a folder that cannot be written to costs no work", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  writeFileSync(join(folder, "file"), "");
  const { backend, worked } = counted();
  const [report] = await run("photos", { backend, destination: { out: join(folder, "file", "out") } });
  expect([report?.code, worked]).toEqual(["unwritable", []]);
});

test("a kept result that was damaged is made again, never used", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  await run("photos");
  const sound = readFileSync(join(folder, "out", "a.jpg"));
  rmSync(join(folder, "out"), { recursive: true });
  const results = join(cacheFolder, "results");
  for (const name of readdirSync(results, { recursive: true, encoding: "utf8" }))
    if (statSync(join(results, name)).isFile()) writeFileSync(join(results, name), "damaged");
  const [report] = await run("photos");
  expect([report?.outcome, report?.isCached]).toEqual(["done", false]);
  expect(readFileSync(join(folder, "out", "a.jpg")).equals(sound)).toBe(true);
});

test("files that a killed process left half-written are removed, those of live ones stay", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  mkdirSync(join(folder, "out"));
  const mine = partOf("b.jpg");
  const dead = mine.replace(`-${process.pid}-`, "-4194305-"); // above the largest process id
  // A process with that id may be alive in another container.
  const [others, othersOld] = ["c", "d"].map((name) => dead.replace(/b(.*)-[0-9a-f]{8}-/, `${name}$1-00000000-`));
  for (const name of [mine, dead, others, othersOld]) writeFileSync(join(folder, "out", name ?? ""), "half");
  const twoDaysAgo = new Date(Date.now() - 172_800_000);
  utimesSync(join(folder, "out", othersOld ?? ""), twoDaysAgo, twoDaysAgo);
  await run("photos");
  expect(readdirSync(join(folder, "out")).sort()).toEqual([mine, others, "a.jpg"]);
});

test("two runs that begin the same work at once have one Idempotency-Key, and a server charges them once", async () => {
  const caches = Array.from({ length: 8 }, () => openCache(cacheFolder));
  const keys = await Promise.all(caches.map((cache) => cache.beginPending("the same work", new Date())));
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(1);
});

test("a cache without room for a result fails no picture: the work is done, and on a server paid for", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  mkdirSync(cacheFolder);
  for (const name of ["results", "entries", "written"]) writeFileSync(join(cacheFolder, name), "");
  expect(await run("photos")).toMatchObject([{ outcome: "done" }]);
  const before = readFileSync(join(folder, "out", "a.jpg"));
  expect(await run("photos", { work: { steps: [readStep("compress", { quality: 30 })] } })).toMatchObject([
    { outcome: "failed", code: "exists" },
  ]);
  expect(readFileSync(join(folder, "out", "a.jpg")).equals(before)).toBe(true);
});

test("a cache that was deleted, or has no place, costs at most the picture under work", async () => {
  const bad = openCache(join(folder, "file", "cache"));
  writeFileSync(join(folder, "file"), "");
  const workOn = (cache: Cache) => createWorkOn({ backend: offline, cache, work: { steps: [compress] } });
  const working = { signal: new AbortController().signal };
  const placeless = workOn(bad)({ name: "a.jpg", bytes: photo }, working);
  await expect(placeless).rejects.toMatchObject({ code: "unwritable", message: expect.stringContaining(folder) });
  await bad.close();
  const cache = openCache(cacheFolder);
  await workOn(cache)({ name: "a.jpg", bytes: photo }, working);
  rmSync(cacheFolder, { recursive: true });
  expect((await workOn(cache)({ name: "b.jpg", bytes: other }, working)).kind).toBe("done");
  await cache.close();
  expect(readdirSync(join(cacheFolder, "scratch"))).toEqual([]);
});

test("a refusal that the next file would meet too stops the run", async () => {
  for (const name of ["a.jpg", "b.jpg"])
    writeFileSync(join(folder, "photos", name), await drawnJpeg({ width: 50, height: name === "a.jpg" ? 40 : 41 }));
  const { DomainError } = await import("@tintype/contract");
  const backend: Backend = { ...offline, run: () => Promise.reject(new DomainError("out-of-credits")) };
  const reports = await run("photos", { backend, concurrency: 1 });
  expect(reports.map(({ outcome, code }) => [outcome, code])).toEqual([
    ["failed", "out-of-credits"],
    ["stopped", "out-of-credits"],
  ]);
});

test("a result with more bytes than its source is refused when asked for", async () => {
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  const work = { steps: [readStep("convert", { target_format: "bmp" })] } as const;
  const [report] = await run("photos", { work, failOnLarger: true });
  expect(report?.code).toBe("larger");
});

const set = readStep("web-set", { widths: "24,48", formats: "webp,jpeg" });
const setFiles = (stem: string) =>
  [`${stem}-24.jpg`, `${stem}-24.webp`, `${stem}-48.jpg`, `${stem}-48.webp`, "picture.html", "set.json"].sort();

test("a web set lies as files in a folder with its picture's name, and a second run works on nothing", async () => {
  const work = { steps: [set] } as const;
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  writeFileSync(join(folder, "photos", "deep", "b.jpg"), photo);
  const first = counted();
  const reports = await run("photos", { backend: first.backend, work });
  expect(reports.map(({ outcome, resultPath, width }) => [outcome, resultPath, width])).toEqual([
    ["done", join(folder, "out", "a"), 48],
    ["done", join(folder, "out", "deep", "b"), 48],
  ]);
  expect(readdirSync(join(folder, "out", "a")).sort()).toEqual(setFiles("a"));
  // The same picture under another name is another set.
  expect(readdirSync(join(folder, "out", "deep", "b")).sort()).toEqual(setFiles("b"));
  expect(readFileSync(join(folder, "out", "a", "picture.html"), "utf8")).toContain(
    'srcset="a-24.webp 24w, a-48.webp 48w"',
  );
  const second = counted();
  const again = await run("photos", { backend: second.backend, work });
  expect(again.map(({ outcome, isCached }) => [outcome, isCached])).toEqual([
    ["done", true],
    ["done", true],
  ]);
  expect(second.worked).toEqual([]);
});

test("a web set overwrites no file of another, and follows no link out of the folder for results", async () => {
  const work = { steps: [set] } as const;
  writeFileSync(join(folder, "photos", "a.jpg"), photo);
  mkdirSync(join(folder, "out", "a"), { recursive: true });
  writeFileSync(join(folder, "out", "a", "a-24.webp"), "mine");
  expect(await run("photos", { work })).toMatchObject([{ outcome: "failed", code: "exists" }]);
  expect(readFileSync(join(folder, "out", "a", "a-24.webp"), "utf8")).toBe("mine");
  rmSync(join(folder, "out", "a"), { recursive: true });
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), join(folder, "out", "a"));
  expect(await run("photos", { work })).toMatchObject([{ outcome: "failed", code: "unwritable" }]);
  expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
});

test("a ZIP whose names lead out of its folder, or whose pictures are none, is no web set", async () => {
  const worked = await createWorkOn({ backend: offline, cache: openCache(cacheFolder), work: { steps: [set] } })(
    { name: "aaaa.jpg", bytes: photo },
    { signal: new AbortController().signal },
  );
  if (worked.kind !== "done") throw new Error("A web set is never unchanged.");
  const zip = Buffer.from(worked.bytes).toString("latin1");
  expect((await openSet(worked.bytes))?.files.map(({ name }) => name).sort()).toEqual(setFiles("aaaa"));
  for (const [from, to] of [
    ["aaaa-", "../a-"],
    ["aaaa-", "/aaa-"],
    ["RIFF", "<htm"],
    ["data:image/webp;base64,", 'data:image/webp;base64"'],
    ["PK\x05\x06", "none"],
  ] as const)
    expect(await openSet(Buffer.from(zip.replaceAll(from, to), "latin1")), to).toBeUndefined();
});

test("by force an existing file is replaced, but no source, no other picture of the run and nothing through a link", async () => {
  const [a, out] = [join(folder, "photos", "a.jpg"), join(folder, "out")];
  writeFileSync(a, photo);
  writeFileSync(join(folder, "photos", "b.jpg"), other);
  mkdirSync(out);
  writeFileSync(join(out, "a.jpg"), "somebody's");
  const elsewhere = join(folder, "elsewhere.txt");
  writeFileSync(elsewhere, "private");
  symlinkSync(elsewhere, join(out, "b.jpg"));
  expect((await run("photos")).map(({ code }) => code)).toEqual(["exists", "exists"]);
  expect(readFileSync(join(out, "a.jpg"), "utf8")).toBe("somebody's");
  const forced = await run("photos", { destination: { out, isForced: true } });
  expect(forced.map(({ outcome, code }) => [outcome, code])).toEqual([
    ["done", undefined],
    ["failed", "unwritable"],
  ]);
  expect(readFileSync(elsewhere, "utf8")).toBe("private");
  expect((await sharp(readFileSync(join(out, "a.jpg"))).metadata()).format).toBe("jpeg");
  // The result of a.jpg would have the path of a.webp, another picture of the run; that of b.jpg its own.
  const webp = await sharp(other).webp().toBuffer();
  writeFileSync(join(folder, "photos", "a.webp"), webp);
  const beside = { isForced: true };
  const convert = { steps: [readStep("convert", { target_format: "webp" })] } as const;
  const [first] = await run("photos", { work: convert, destination: beside });
  expect([first?.path, first?.code]).toEqual([a, "exists"]);
  expect(readFileSync(join(folder, "photos", "a.webp")).equals(webp)).toBe(true);
  const [itself] = await run("photos", { destination: { out: join(folder, "photos"), isForced: true } });
  expect([itself?.path, itself?.code]).toEqual([a, "exists"]);
  expect(readFileSync(a).equals(photo)).toBe(true);
});

test("results have the dates of their pictures: new, unchanged, found again, in place, and each file of a web set", async () => {
  const taken = new Date("2019-07-04T10:11:12Z");
  const path = join(folder, "photos", "a.jpg");
  const write = (bytes: Uint8Array) => {
    writeFileSync(path, bytes);
    utimesSync(path, taken, taken);
  };
  const dateOf = (file: string) => statSync(file).mtime.toISOString();
  write(photo);
  const out = join(folder, "out");
  const destination = { out, keepsDates: true };
  await run("photos", { destination });
  const made = join(out, "a.jpg");
  expect(dateOf(made)).toBe(taken.toISOString());
  utimesSync(made, new Date(), new Date());
  const found = readFileSync(made);
  await run("photos", { destination });
  expect(dateOf(made)).toBe(taken.toISOString());
  // Its own result needs no work, and is copied.
  write(found);
  const [unchanged] = await run("photos", { destination: { out: join(folder, "again"), keepsDates: true } });
  expect([unchanged?.outcome, dateOf(join(folder, "again", "a.jpg"))]).toEqual(["unchanged", taken.toISOString()]);
  write(photo);
  await run("photos", { destination: { isInPlace: true, keepsDates: true } });
  expect([readFileSync(path).equals(photo), dateOf(path)]).toEqual([false, taken.toISOString()]);
  write(photo);
  const set = { steps: [readStep("web-set", { widths: "40" })] } as const;
  await run("photos", { work: set, destination: { out: join(folder, "web"), keepsDates: true } });
  const files = readdirSync(join(folder, "web", "a"));
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(dateOf(join(folder, "web", "a", file)), file).toBe(taken.toISOString());
});
