import type { UsageRow } from "@tintype/contract";
import { expect, test } from "vitest";
import { barsOf, filterRows, keyLabel, keyValue, partsOf, spanDays, spans } from "./sum-usage.ts";

const shop = { id: "key_1", name: "Shop", last_four: "wxyz" };
const rows: UsageRow[] = [
  { day: "2026-10-31", operation: "compress", key: null, files: 2, credits: 2 },
  { day: "2026-11-01", operation: "compress", key: shop, files: 3, credits: 3 },
  { day: "2026-11-01", operation: "upscale", key: { ...shop, id: "key_2", name: null }, files: 1, credits: 4 },
];

test("a span ends today, UTC, and has its number of days", () => {
  const [week] = spans;
  expect(spanDays(week, new Date("2026-11-03T23:59:00Z"))).toEqual({ from: "2026-10-28", to: "2026-11-03" });
});

test("each day of the span has a bar, and a long span has one for each month", () => {
  const span = { from: "2026-10-30", to: "2026-11-02" };
  expect(barsOf(span, rows, "day").map(({ label, credits }) => [label, credits])).toEqual([
    ["Oct 30", 0],
    ["Oct 31", 2],
    ["Nov 1", 7],
    ["Nov 2", 0],
  ]);
  expect(barsOf(span, rows, "month").map(({ label, credits }) => [label, credits])).toEqual([
    ["Oct 2026", 2],
    ["Nov 2026", 7],
  ]);
});

test("rows are chosen by tool and key, and summed by either with the most first", () => {
  expect(filterRows(rows, { operation: "compress", key: "website" })).toEqual([rows[0]]);
  expect(partsOf(rows, { groupBy: ({ operation }) => operation, nameOf: ({ operation }) => operation })).toEqual([
    { value: "compress", label: "compress", credits: 5, files: 5 },
    { value: "upscale", label: "upscale", credits: 4, files: 1 },
  ]);
  expect(partsOf(rows, { groupBy: keyValue, nameOf: keyLabel }).map(({ label }) => label)).toEqual([
    "A removed key",
    "Shop …wxyz",
    "Website",
  ]);
});
