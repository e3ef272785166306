import { expect, test } from "vitest";
import { entriesToForget, keptLimitBytes, maxKeptBytes } from "./kept-limits.ts";

const hour = 3600_000;
const result = (id: string, more = {}) => ({
  id,
  sizeBytes: 10,
  keptAtMs: 0,
  kind: "result" as const,
  isSaved: false,
  ...more,
});

test("after 24 hours a result goes, whatever room there is", () => {
  const entries = [result("old"), result("new", { keptAtMs: 1 * hour })];
  expect(entriesToForget(entries, { nowMs: 24 * hour, limitBytes: 1000 })).toEqual(["old"]);
});

test("for more room originals go first, then saved results, then the oldest", () => {
  const entries = [
    result("first"),
    result("second", { keptAtMs: 1 }),
    result("saved", { keptAtMs: 2, isSaved: true }),
    result("originals", { keptAtMs: 3, kind: "batch" }),
  ];
  const forget = (neededBytes: number) => entriesToForget(entries, { nowMs: hour, limitBytes: 40, neededBytes });
  expect(forget(0)).toEqual([]);
  expect(forget(1)).toEqual(["originals"]);
  expect(forget(15)).toEqual(["originals", "saved"]);
  expect(forget(25)).toEqual(["originals", "saved", "first"]);
});

test("a browser with little room keeps a quarter of it", () => {
  expect(keptLimitBytes(undefined)).toBe(maxKeptBytes);
  expect(keptLimitBytes(100e9)).toBe(maxKeptBytes);
  expect(keptLimitBytes(400e6)).toBe(100e6);
});
