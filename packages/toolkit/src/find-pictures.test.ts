import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findPictures } from "./find-pictures.ts";

const folder = mkdtempSync(join(tmpdir(), "tintype-find-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of [
  "img/a.jpg",
  "img/b.PNG",
  "img/notes.txt",
  "img/scan.pdf",
  "img/deep/c.webp",
  "img/deep/[1].jpg",
  "img/.hidden/d.jpg",
  "img/node_modules/e.jpg",
  "odd",
]) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), "x");
}

const find = async (wanted: string[], without?: string[]) =>
  (await findPictures(wanted, { cwd: folder, ...(without ? { without } : {}) })).map(({ path, inside }) => [
    relative(folder, path),
    inside,
  ]);

test("a folder gives all pictures below it, but none of hidden folders and node_modules", async () => {
  expect(await find(["img"])).toEqual([
    ["img/a.jpg", "a.jpg"],
    ["img/b.PNG", "b.PNG"],
    ["img/deep/[1].jpg", "deep/[1].jpg"],
    ["img/deep/c.webp", "deep/c.webp"],
  ]);
});

test("a glob's fixed part is the folder that results are laid out below", async () => {
  expect(await find(["img/**/*.webp"])).toEqual([["img/deep/c.webp", "deep/c.webp"]]);
  expect(await find(["./img/{a,b}.*"])).toEqual([
    ["img/a.jpg", "a.jpg"],
    ["img/b.PNG", "b.PNG"],
  ]);
});

test("PDFs are taken where they are named, or by a glob with their ending", async () => {
  expect(await find(["img/scan.pdf"])).toEqual([["img/scan.pdf", "scan.pdf"]]);
  expect(await find(["img/*.pdf"])).toEqual([["img/scan.pdf", "scan.pdf"]]);
  expect(await find(["img/*"])).not.toContainEqual(["img/scan.pdf", "scan.pdf"]);
});

test("a file that is named is taken whatever its ending or the signs in its name", async () => {
  expect(await find(["odd", "img/deep/[1].jpg"])).toEqual([
    ["odd", "odd"],
    ["img/deep/[1].jpg", "[1].jpg"],
  ]);
});

test("each picture is found once, and none in the folder for results", async () => {
  expect(await find(["img/a.jpg", "img"], ["img/deep"])).toEqual([
    ["img/a.jpg", "a.jpg"],
    ["img/b.PNG", "b.PNG"],
  ]);
});

test("a folder for results around all pictures leaves none of them out", async () => {
  expect(await find(["img/*.jpg"], ["."])).toEqual([["img/a.jpg", "a.jpg"]]);
  expect(await find(["img/deep"], ["img/deep"])).toHaveLength(2);
});

test.each(["", "nothing/*.jpg", "nothing.jpg", "img/*.txt"])(
  "%s leads to nothing, and the refusal names it",
  async (one) => {
    await expect(find([one])).rejects.toMatchObject({ code: "not-found", detail: expect.stringContaining(one) });
  },
);

test("no link leads out of the folder or the glob that was named, and each one out is told", async () => {
  mkdirSync(join(folder, "linked/deep"), { recursive: true });
  writeFileSync(join(folder, "linked/deep/a.jpg"), "x");
  symlinkSync(".", join(folder, "linked/loop"));
  symlinkSync("deep", join(folder, "linked/twice"));
  symlinkSync("../img/deep", join(folder, "linked/out"));
  symlinkSync("../img/a.jpg", join(folder, "linked/out.jpg"));
  symlinkSync("deep/a.jpg", join(folder, "linked/in.jpg"));
  symlinkSync("nothing.jpg", join(folder, "linked/dead.jpg"));
  symlinkSync("deep", join(folder, "linked/folder.jpg"));
  for (const wanted of ["linked", "linked/**/*.jpg"]) {
    const left: string[] = [];
    const found = await findPictures([wanted], { cwd: folder, onLinkOut: (path) => left.push(relative(folder, path)) });
    expect([found.map(({ inside }) => inside), left]).toEqual([["deep/a.jpg", "in.jpg"], ["linked/out.jpg"]]);
  }
  // These are named explicitly.
  symlinkSync("linked", join(folder, "named"));
  expect(await find(["named/deep", "linked/out.jpg"])).toEqual([
    ["named/deep/a.jpg", "a.jpg"],
    ["linked/out.jpg", "out.jpg"],
  ]);
});

test("what globs exclude is left out: by name at any depth, by path below the current folder, and among named files", async () => {
  const without = async (wanted: string[], exclude: string[], cwd = folder) =>
    (await findPictures(wanted, { cwd, exclude, allowsNone: true })).map(({ path, inside }) => [
      relative(folder, path),
      inside,
    ]);
  const [a, b] = [
    ["img/a.jpg", "a.jpg"],
    ["img/b.PNG", "b.PNG"],
  ];
  const deep = [
    ["img/deep/[1].jpg", "deep/[1].jpg"],
    ["img/deep/c.webp", "deep/c.webp"],
  ];
  expect(await without(["img"], ["*.jpg"])).toEqual([b, deep[1]]);
  for (const folderName of ["deep", "deep/", "img/deep", "./img/deep/", "**/deep", "*/deep", join(folder, "img/deep")])
    expect(await without(["img"], [folderName]), folderName).toEqual([a, b]);
  expect(await without(["img"], ["img/*.{jpg,PNG}"])).toEqual(deep);
  // From another folder the path is another one.
  expect(await without(["."], ["img/deep"], join(folder, "img"))).toHaveLength(4);
  // A folder around the current one.
  expect(await without([folder], ["deep", "linked"], join(folder, "img"))).toEqual([
    ["img/a.jpg", "img/a.jpg"],
    ["img/b.PNG", "img/b.PNG"],
  ]);
  // A shell expands a glob without quotes.
  expect(await without(["img/a.jpg", "img/b.PNG", "img/deep/[1].jpg"], ["*.PNG", "img/deep"])).toEqual([a]);
  await expect(findPictures(["img"], { cwd: folder, exclude: ["*"] })).rejects.toMatchObject({ code: "not-found" });
  await expect(findPictures(["img/a.jpg"], { cwd: folder, exclude: ["img"] })).rejects.toMatchObject({
    detail: "Every picture is excluded.",
  });
});

test("a folder and a glob without pictures are refused unless none is allowed, and a missing file always", async () => {
  mkdirSync(join(folder, "empty"));
  for (const wanted of ["empty", "img/*.tiff"]) {
    await expect(findPictures([wanted], { cwd: folder })).rejects.toMatchObject({ code: "not-found" });
    expect(await findPictures([wanted], { cwd: folder, allowsNone: true })).toEqual([]);
  }
  for (const wanted of ["nothing", "nothing.jpg", ""])
    await expect(findPictures([wanted], { cwd: folder, allowsNone: true })).rejects.toMatchObject({
      code: "not-found",
    });
});
