import fc from "fast-check";
import { expect, test } from "vitest";
import { resultName, uniqueNames } from "./result-names.ts";

test("equal names are numbered before their ending, whatever their case", () => {
  expect(uniqueNames(["a.png", "A.png", "a.png", "a (2).png", "a", "a"])).toEqual([
    "a.png",
    "A (2).png",
    "a (3).png",
    "a (2) (2).png",
    "a",
    "a (2)",
  ]);
});

test("never two names become one", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "A", "a (2)", "b.x", "b (2).x", ".x", "x.")), (names) => {
      expect(new Set(uniqueNames(names).map((name) => name.toLowerCase())).size).toBe(names.length);
    }),
  );
});

test.each([
  ["photo.jpg", "webp", "webp", "photo.webp"], // a WebP that was called .jpg
  ["photo.png", "jpeg", "jpeg", "photo.jpg"],
  ["photo.JPEG", "jpeg", "jpeg", "photo.JPEG"],
  ["scan.tif", "tiff", "tiff", "scan.tif"],
  ["photo", "jpeg", "jpeg", "photo"],
  ["version 1.2", "jpeg", "jpeg", "version 1.2"],
  ["photo.jpg", "jpeg", "webp", "photo.webp"],
  ["photo.webp", "jpeg", "webp", "photo.webp"],
] as const)(
  "a result carries the extension of its format: %s, %s to %s, is %s",
  (name, sourceFormat, resultFormat, result) => {
    expect(resultName(["compress"], { name, sourceFormat, resultFormat })).toBe(result);
  },
);
