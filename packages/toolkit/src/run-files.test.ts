import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  type Backend,
  createRunner,
  findPictures,
  openCache,
  openNetworks,
  openOffline,
  type RunOptions,
  readStep,
} from "./index.ts";
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
const offline = openOffline({ hands: 1, networks: openNetworks(join(room, "networks")) });
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
    ...{ backend: offline, cache, work: { steps: [compress] }, hands: 2, signal: new AbortController().signal },
    ...{ destination: { out: join(folder, "out") }, isInPlace: options.destination?.isInPlace === true },
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

test("the same bytes under two names are worked on once", async () => {
  for (const name of ["a.jpg", "b.jpg", "c.jpg"]) writeFileSync(join(folder, "photos", name), photo);
  const { backend, worked } = counted();
  const reports = await run("photos", { backend });
  expect(reports.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
  expect(worked).toHaveLength(1);
});

test("in place the file keeps its mode, and its own result is not compressed a second time", async () => {
  const path = join(folder, "photos", "a.jpg");
  writeFileSync(path, photo);
  chmodSync(path, 0o640);
  const [first] = await run("photos", { destination: { isInPlace: true } });
  expect(first?.outcome).toBe("done");
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
    hands: 1,
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
  writeFileSync(join(folder, "out", ".a.jpg.tintype-4194305-0123abcd.part"), "half"); // over the largest process id
  const mine = `.b.jpg.tintype-${process.pid}-0123abcd.part`;
  writeFileSync(join(folder, "out", mine), "half");
  await run("photos");
  expect(readdirSync(join(folder, "out")).sort()).toEqual([mine, "a.jpg"]);
});

test("a refusal that the next file would meet too stops the run", async () => {
  for (const name of ["a.jpg", "b.jpg"])
    writeFileSync(join(folder, "photos", name), await drawnJpeg({ width: 50, height: name === "a.jpg" ? 40 : 41 }));
  const { DomainError } = await import("@tintype/contract");
  const backend: Backend = { ...offline, run: () => Promise.reject(new DomainError("out-of-credits")) };
  const reports = await run("photos", { backend, hands: 1 });
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
