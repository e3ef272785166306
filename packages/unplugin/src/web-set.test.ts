import type { WebSet } from "@tintype/contract";
import { expect, test } from "vitest";
import type { ImportedSet } from "./imported-set.ts";
import { checkOptions, isMeant } from "./pictures.ts";
import { idOf, moduleOf, readId, readImport, resolveBeside } from "./web-set.ts";

test("an import with ?web-set asks for a set, with its options; another does not", () => {
  expect(readImport("./photo.jpg?web-set&widths=640,1280&alt=A%20lake")).toEqual({
    path: "./photo.jpg",
    options: { widths: "640,1280", alt: "A lake" },
  });
  expect(readImport("./photo.jpg?web-set")).toEqual({ path: "./photo.jpg", options: {} });
  for (const id of ["./photo.jpg", "./photo.jpg?url", "./web-set.js"]) expect(readImport(id)).toBeUndefined();
});

test("the id of a set's module can be read back, whatever letters are in its path", () => {
  const request = { path: 'C:\\a "b"\\ü%20?#.jpg', options: { alt: "a & b" } };
  expect(readId(idOf(request))).toEqual(request);
  expect(readId("/src/photo.jpg.js")).toBeUndefined();
});

test("a relative import lies beside the module that imports it, whatever its query", () => {
  expect(resolveBeside("./photo.jpg", "/src/page.vue?type=script")).toBe("/src/photo.jpg");
  expect(resolveBeside("../photo.jpg", "/src/page.js")).toBe("/photo.jpg");
  expect(resolveBeside("/a/photo.jpg", undefined)).toBe("/a/photo.jpg");
  expect(resolveBeside("photo.jpg", "/src/page.js")).toBeUndefined();
});

test("a set's module gives the addresses of its files where the markup names them", () => {
  const file = { type: "image/avif", width: 640, height: 480, bytes: 10 };
  const set: WebSet = {
    width: 1280,
    height: 960,
    sizes: "100vw",
    alt: 'A "lake"',
    placeholder: "data:image/webp;base64,AA==",
    hasTransparency: false,
    files: [
      { ...file, name: "a.avif" },
      { ...file, name: "b.avif", width: 1280, height: 960 },
      { ...file, name: "a.jpg", type: "image/jpeg" },
      { ...file, name: "b.jpg", type: "image/jpeg", width: 1280, height: 960 },
    ],
  };
  const source = moduleOf(set, ["'/1.avif'", "base + '2.avif'", "'/3.jpg'", "'/4.jpg'"]);
  const run = new Function("base", source.replace("export default", "return")) as (base: string) => ImportedSet;
  const imported = run("/assets/");
  expect(imported.sources).toEqual([
    { type: "image/avif", srcset: "/1.avif 640w, /assets/2.avif 1280w", sizes: "100vw" },
  ]);
  expect(imported.img).toEqual({
    src: "/4.jpg",
    srcset: "/3.jpg 640w, /4.jpg 1280w",
    sizes: "100vw",
    width: 1280,
    height: 960,
    alt: 'A "lake"',
  });
  expect(imported.html).toContain('srcset="/1.avif 640w, /assets/2.avif 1280w"');
  expect(imported.html).not.toMatch(/[\uE000\uE001]/);
});

test("options are checked before a build begins", () => {
  expect(() => checkOptions({ quality: 75 } as object)).toThrow('There is no option "quality". There are: compress,');
  expect(() => checkOptions({ concurrency: 0 })).toThrow("concurrency must be between 1 and 64.");
  expect(() => checkOptions({ server: { origin: "https://one.example", key: "" } })).toThrow("{ origin, key }");
  expect(() => checkOptions({ server: "https://one.example" } as object)).toThrow("server must be { origin, key }.");
  expect(() => checkOptions({ server: { origin: "nothing", key: "tt_1" } })).toThrow();
  checkOptions({ concurrency: 2, compress: { quality: 60 }, strict: true });
});

test("include and exclude choose by path, also where an expression is global", () => {
  const options = { include: /\/hero\//g, exclude: /\.min\./ };
  expect(isMeant("assets/hero/a.png", options)).toBe(true);
  expect(isMeant("assets/hero/a.png", options)).toBe(true);
  expect(isMeant("assets/a.png", options)).toBe(false);
  expect(isMeant("assets/hero/a.min.png", options)).toBe(false);
  expect(isMeant("assets/hero/a.js", options)).toBe(false);
});
