import fc from "fast-check";
import { expect, test } from "vitest";
import { uniqueNames } from "./result-names.ts";

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
