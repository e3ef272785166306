import { expect, test } from "vitest";
import { countOf, formatBytes, formatChange } from "./size.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [34_000_000, "34.0 MB"],
  [502_888, "503 KB"],
  [7_400_000_000, "7.4 GB"],
])("%d bytes are %s", (bytes, words) => expect(formatBytes(bytes)).toBe(words));

test("a change is told as smaller, larger or the same", () => {
  expect(formatChange(1000, 360)).toBe("64% smaller");
  expect(formatChange(1000, 1030)).toBe("3% larger");
  expect(formatChange(1000, 1002)).toBe("same size");
});

test("one is one, the rest are many", () => {
  expect([countOf(0, "picture"), countOf(1, "picture"), countOf(2, "picture")]).toEqual([
    "0 pictures",
    "1 picture",
    "2 pictures",
  ]);
});
