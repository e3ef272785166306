import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { allowFolders } from "./allowed-folders.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "tintype-folders-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [photos, drafts, outside] = ["photos", "drafts", "outside"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
for (const path of [photos, drafts, outside, join(photos, "trip")]) mkdirSync(path);
for (const path of ["photos/a.png", "photos/trip/b.png", "photos/a-small.png", "drafts/c.png", "outside/secret.png"])
  writeFileSync(join(folder, path), "not looked at");
symlinkSync(join(outside, "secret.png"), join(photos, "link.png"));
symlinkSync(outside, join(photos, "way-out"));
symlinkSync(join(drafts, "c.png"), join(photos, "from-drafts.png"));
const allowed = await allowFolders([photos, drafts]);

test("paths are taken from the first folder, or whole", async () => {
  expect(await allowed.existing("a.png")).toBe(join(photos, "a.png"));
  expect(await allowed.existing(join(drafts, "c.png"))).toBe(join(drafts, "c.png"));
  expect(await allowed.existing("trip/../a.png")).toBe(join(photos, "a.png"));
});

test("what lies elsewhere is refused, and in the same words whether it is there or not", async () => {
  const refusalOf = (path: string) =>
    allowed.existing(path).then(
      () => "nothing",
      ({ message, detail }: Error & { detail?: string }) => (detail ?? message).replace(path, "PATH"),
    );
  const there = await refusalOf(join(outside, "secret.png"));
  expect(there).toContain("PATH is not in a folder that may be used.");
  for (const path of [join(outside, "none.png"), "../outside/secret.png", "link.png", "way-out/secret.png", "/"])
    expect(await refusalOf(path)).toBe(there);
  expect(await refusalOf("none.png")).toBe("There is no file at PATH.");
});

test("results go to folders that are there or not, never out of the allowed ones", async () => {
  expect(await allowed.target("new/folder")).toBe(join(photos, "new/folder"));
  await expect(allowed.target("way-out/new")).rejects.toThrow();
  await expect(allowed.target(`${photos}-2`)).rejects.toThrow();
});

test("pictures of a folder: each once, no earlier results, and no links that lead out", async () => {
  const found = await allowed.pictures([".", "a.png", drafts], "-small");
  expect(found.map(({ path }) => path.slice(folder.length + 1)).sort()).toEqual([
    "drafts/c.png",
    "photos/a.png",
    "photos/trip/b.png",
  ]);
  // An earlier result that is named explicitly is included.
  expect(await allowed.pictures(["a-small.png"], "-small")).toHaveLength(1);
});

test("a folder that is not there, or is a file, is refused at the start", async () => {
  await expect(allowFolders([join(folder, "none")])).rejects.toThrow("is no folder");
  await expect(allowFolders([join(photos, "a.png")])).rejects.toThrow("is no folder");
});
