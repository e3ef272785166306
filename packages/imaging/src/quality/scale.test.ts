import { expect, test } from "vitest";
import type { Encoding } from "./encodings.ts";
import { measured } from "./measured.ts";
import { encoderSetting, qualityFor, targetScore } from "./scale.ts";

const qualities = Array.from({ length: 100 }, (_, i) => i + 1);

test("likeness rises with every step of quality", () => {
  for (const quality of qualities.slice(1)) expect(targetScore(quality)).toBeGreaterThan(targetScore(quality - 1));
});

test("a score read back gives the quality", () => {
  for (const quality of qualities) expect(qualityFor(targetScore(quality))).toBeCloseTo(quality, 6);
});

test.each(Object.keys(measured) as Encoding[])("%s: settings never fall, and use the range", (encoding) => {
  const settings = qualities.map((quality) => encoderSetting(encoding, quality));
  expect(settings).toEqual(settings.toSorted((a, b) => a - b));
  expect(new Set(settings).size).toBeGreaterThan(50);
  expect(Math.min(...settings)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...settings)).toBeLessThanOrEqual(100);
});

test.each(["webp-plain", "webp-sharp", "avif-420", "avif-444"] as const)(
  "%s: settings never fall with quality, whatever the detail, and much detail in WebP has lower ones",
  (encoding) => {
    for (const detail of [0, 1.6, 2, 2.8, 3.2, 5]) {
      const settings = qualities.map((quality) => encoderSetting(encoding, quality, detail));
      expect(settings).toEqual(settings.toSorted((a, b) => a - b));
    }
    if (encoding.startsWith("webp"))
      for (const quality of [20, 40, 60, 75, 90])
        expect(encoderSetting(encoding, quality, 3.2)).toBeLessThan(encoderSetting(encoding, quality, 1.6));
  },
);
