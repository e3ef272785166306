import { expect, test } from "vitest";
import { cacheLimitBytes, entriesToEvict, maxCacheBytes } from "./cache-limits.ts";

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
  expect(entriesToEvict(entries, { nowMs: 24 * hour, limitBytes: 1000 })).toEqual(["old"]);
});

test("for more room originals go first, then saved results, then the oldest", () => {
  const entries = [
    result("first"),
    result("second", { keptAtMs: 1 }),
    result("saved", { keptAtMs: 2, isSaved: true }),
    result("originals", { keptAtMs: 3, kind: "batch" }),
  ];
  const evicted = (neededBytes: number) => entriesToEvict(entries, { nowMs: hour, limitBytes: 40, neededBytes });
  expect(evicted(0)).toEqual([]);
  expect(evicted(1)).toEqual(["originals"]);
  expect(evicted(15)).toEqual(["originals", "saved"]);
  expect(evicted(25)).toEqual(["originals", "saved", "first"]);
});

test("a browser with little room keeps a quarter of it", () => {
  expect(cacheLimitBytes(undefined)).toBe(maxCacheBytes);
  expect(cacheLimitBytes(100e9)).toBe(maxCacheBytes);
  expect(cacheLimitBytes(400e6)).toBe(100e6);
});
