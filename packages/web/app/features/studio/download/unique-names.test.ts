import { expect, test } from "vitest";
import { uniqueNames } from "./unique-names.ts";

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
