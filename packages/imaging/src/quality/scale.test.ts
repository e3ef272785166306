import { expect, test } from "vitest";
import { type Way, ways } from "./encodings.ts";
import { likenessAt, qualityFor, settingFor } from "./scale.ts";

const qualities = Array.from({ length: 100 }, (_, i) => i + 1);

test("likeness rises with every step of quality", () => {
  for (const quality of qualities.slice(1)) expect(likenessAt(quality)).toBeGreaterThan(likenessAt(quality - 1));
});

test("a score read back gives the quality", () => {
  for (const quality of qualities) expect(qualityFor(likenessAt(quality))).toBeCloseTo(quality, 6);
});

test.each(Object.keys(ways) as Way[])("%s: settings never fall, and use the range", (way) => {
  const settings = qualities.map((quality) => settingFor(way, quality));
  expect(settings).toEqual(settings.toSorted((a, b) => a - b));
  expect(new Set(settings).size).toBeGreaterThan(50);
  expect(Math.min(...settings)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...settings)).toBeLessThanOrEqual(100);
});
