import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { digest } from "./digest.ts";
import { cacheFolder, createWorkOn, openCache, openNetworks, openOffline, readStep } from "./index.ts";
import { drawnJpeg } from "./testing/drawn-jpeg.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-cache-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));
const offline = openOffline({ concurrency: 1, networks: openNetworks(join(room, "networks")) });
const photo = await drawnJpeg({ width: 60, height: 40 });
const facts = { format: "jpeg", width: 1, height: 1, sizeBytes: 5 } as const;

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const placeOf = (sha256: string) => join(sha256.slice(0, 2), sha256.slice(2));

/** Stores one result in a cache with a limit of 0 bytes. */
async function keepOne(folder: string) {
  const cache = openCache(folder, { maxBytes: 0 });
  const bytes = Buffer.from("bytes");
  const result = { ...facts, sha256: digest(bytes) };
  await cache.keep(digest("key"), { kind: "done", source: facts, result, notes: [] }, bytes);
  await cache.close();
  return placeOf(result.sha256);
}

test("a folder that holds anything else is no cache, and nothing in it is touched", async () => {
  const folder = join(room, "holidays");
  write(join(folder, "results", "finals.txt"), "mine");
  await expect(cacheFolder(folder)).rejects.toMatchObject({
    code: "invalid-request",
    detail: expect.stringContaining(`${folder} is no cache of Tintype and is not empty`),
  });
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(["results", join("results", "finals.txt")]);
});

test("results are removed from a folder with our mark alone, and there only plain files with names of our own", async () => {
  const unmarked = join(room, "unmarked");
  write(join(unmarked, "results", "ab", digest("x").slice(2)), "mine");
  await keepOne(unmarked);
  expect(readdirSync(join(unmarked, "results"), { recursive: true })).toHaveLength(4);

  const marked = await cacheFolder(join(room, "marked"));
  expect(await cacheFolder(marked)).toBe(marked);
  write(join(marked, "results", "ab", "diary.txt"), "mine");
  write(join(marked, "results", "diary.txt"), "mine");
  write(join(room, "elsewhere", digest("y").slice(2)), "mine");
  symlinkSync(join(room, "elsewhere"), join(marked, "results", digest("y").slice(0, 2)));
  const kept = await keepOne(marked);
  const left = readdirSync(join(marked, "results"), { recursive: true });
  expect(left).toEqual(expect.arrayContaining([join("ab", "diary.txt"), "diary.txt"]));
  expect(left).not.toContain(kept);
  expect(readdirSync(join(room, "elsewhere"))).toHaveLength(1);
});

test.each([
  ["a page of HTML", "<html><script>alert(1)</script></html>", {}],
  ["another format than the entry tells", undefined, { format: "png" }],
  ["a size that is no number", undefined, { width: "9" }],
  ["a path for a digest", undefined, { sha256: "../../../photo.jpg" }],
])("a cache that was prepared with %s gives no result", async (_, text, wrong) => {
  const folder = join(room, digest(JSON.stringify([text, wrong])).slice(0, 8));
  const cache = openCache(folder);
  const bytes = text === undefined ? photo : Buffer.from(text);
  const result = { ...facts, sha256: digest(bytes), ...wrong };
  const planted = JSON.stringify({ kind: "done", source: facts, result, notes: [] });
  write(join(folder, "results", placeOf(digest(bytes))), "");
  writeFileSync(join(folder, "results", placeOf(digest(bytes))), bytes);
  const find: typeof cache.find = async (key) => {
    write(join(folder, "entries", placeOf(key)), planted);
    return cache.find(key);
  };
  const workOn = createWorkOn({
    backend: offline,
    cache: { ...cache, find },
    work: { steps: [readStep("compress", { quality: 50 })] },
  });
  const worked = await workOn({ name: "a.jpg", bytes: photo }, { signal: new AbortController().signal });
  await cache.close();
  expect(worked).toMatchObject({ kind: "done", isCached: false });
});
