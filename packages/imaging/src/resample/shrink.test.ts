import { resized, rowsOf, writeInto } from "@tintype/codecs/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resampleLanczos } from "./lanczos.ts";
import { isShrinkable, shrinkSteps } from "./shrink.ts";
import { finish } from "./steps.ts";
import type { ResampleTarget } from "./window.ts";

type Size = { width: number; height: number; channels: 1 | 3 | 4 };

/** Noise from a seed: over the full range, or from `from` to `to`. */
function noise({ width, height, channels }: Size, seed: number, { from, to }: Range = { from: 0, to: 255 }) {
  let state = (Math.abs(seed) % 2147483646) + 1;
  const data = Uint8Array.from({ length: width * height * channels }, () => {
    state = (state * 48271) % 2147483647;
    return from + (state % (to - from + 1));
  });
  return { data, width, height, channels };
}
type Range = { from: number; to: number };

function shrink(raster: ReturnType<typeof noise>, target: ResampleTarget): Uint8Array {
  const source = rowsOf(raster);
  if (!isShrinkable(source)) throw new Error("the test's picture is not one for the kernel");
  const result = resized(raster, target);
  finish(shrinkSteps(source, target, writeInto(result)));
  return result.data;
}

/** The same picture by the general resampler in Float32 linear light, as 0..255 before rounding. */
function exactly(raster: ReturnType<typeof noise>, target: ResampleTarget): Float32Array {
  const stored = { ...raster, data: Float32Array.from(raster.data, (value) => value / 255) };
  return resampleLanczos(stored, { ...target, light: "linear" }).data.map((value) => Math.min(value, 1) * 255);
}

const side = fc.integer({ min: 1, max: 40 });
const share = fc.double({ min: 0.05, max: 1, noNaN: true });

test("it is Lanczos-3 in linear light, within one level, for any brightness, smaller size, window and number of channels", () => {
  fc.assert(
    fc.property(
      side,
      side,
      share,
      share,
      fc.constantFrom(1, 3, 4),
      fc.integer(),
      (width, height, x, y, channels, seed) => {
        // Contrast so low that no halo is limited.
        const to = 10 + (Math.abs(seed) % 246);
        const raster = noise({ width, height, channels }, seed, { from: Math.ceil(to * 0.85), to });
        const window = {
          left: width * 0.1,
          top: height * 0.2,
          width: Math.max(1, width * 0.8),
          height: Math.max(1, height * 0.7),
        };
        for (const shown of [{ left: 0, top: 0, width, height }, window]) {
          const target = {
            width: Math.max(1, Math.floor(shown.width * x)),
            height: Math.max(1, Math.floor(shown.height * y)),
            window: shown,
          };
          fc.pre(shown.width / target.width <= 16 && shown.height / target.height <= 16);
          const wanted = exactly(raster, target);
          shrink(raster, target).forEach((value, i) => {
            const alpha = channels === 4 ? (wanted[i - (i % 4) + 3] ?? 0) : 255;
            // Errors of nearly transparent colours count in proportion to alpha.
            const gap = Math.abs(value - (wanted[i] ?? 0)) * (i % 4 === 3 ? 1 : alpha / 255);
            expect(gap).toBeLessThan(1.01);
          });
        }
      },
    ),
    { numRuns: 150 },
  );
});

test("lines of one pixel keep their light: black and white become 188, not 128", () => {
  const { data, ...rest } = noise({ width: 400, height: 60, channels: 3 }, 1);
  const lines = { ...rest, data: data.map((_, i) => (Math.floor(i / 3) % 2 === 0 ? 0 : 255)) };
  const result = shrink(lines, { width: 100, height: 15 });
  const middle = result.subarray(100 * 3 * 7 + 60, 100 * 3 * 7 + 240);
  expect(middle.every((value) => Math.abs(value - 188) <= 1)).toBe(true);
});

test("every flat colour stays exactly as it is", () => {
  for (const channels of [1, 3, 4] as const)
    for (let value = 0; value < 256; value++) {
      const raster = noise({ width: 23, height: 19, channels }, 1);
      raster.data.forEach((_, i) => {
        raster.data[i] = channels === 4 && i % 4 === 3 ? 255 : value;
      });
      const result = shrink(raster, { width: 9, height: 13 });
      expect(result.every((got, i) => got === (channels === 4 && i % 4 === 3 ? 255 : value))).toBe(true);
    }
});

test.each([
  { grey: 20, lowest: 11 },
  { grey: 51, lowest: 34 },
  { grey: 128, lowest: 99 },
  { grey: 230, lowest: 226 },
])("beside a hard edge of white, grey $grey stays at $lowest or more, in 8 bits and in 16", ({ grey, lowest }) => {
  const { data, ...rest } = noise({ width: 200, height: 24, channels: 3 }, 1);
  const step = { ...rest, data: data.map((_, i) => (Math.floor(i / 3) % 200 < 100 ? grey : 255)) };
  const deep = { ...step, data: Uint16Array.from(step.data, (value) => value * 257) };
  for (let width = 60; width < 100; width += 3) {
    const result = shrink(step, { width, height: 9 });
    expect(Math.min(...result)).toBeGreaterThanOrEqual(lowest);
    expect(result.subarray(width * 3 - 60, width * 3).every((value) => value === 255)).toBe(true);
    const deepResult = resampleLanczos(deep, { width, height: 9, light: "linear" }).data;
    expect(Math.min(...deepResult) / 257).toBeGreaterThan(lowest - 0.5);
  }
});

test("the same size is the same picture, to the bit, on either axis", () => {
  const raster = noise({ width: 30, height: 20, channels: 3 }, 7);
  expect(shrink(raster, { width: 30, height: 20 })).toEqual(raster.data);
});

test("the colour of what cannot be seen leaves no fringe", () => {
  const raster = noise({ width: 64, height: 64, channels: 4 }, 1);
  for (let i = 0; i < 64 * 64; i++)
    raster.data.set((i % 64) + Math.floor(i / 64) < 63 ? [200, 30, 40, 255] : [0, 255, 0, 0], i * 4);
  const result = shrink(raster, { width: 27, height: 22 });
  for (let i = 0; i < result.length; i += 4) {
    const [r = 0, g = 0, b = 0, alpha = 0] = result.subarray(i, i + 4);
    if (alpha > 8)
      expect([r, g, b].map((value, c) => Math.abs(value - ([200, 30, 40][c] ?? 0)) <= 2)).toEqual([true, true, true]);
    if (alpha === 0) expect([r, g, b]).toEqual([0, 0, 0]);
  }
});

test("a long way down goes in two steps and keeps the light", () => {
  const { data, ...rest } = noise({ width: 900, height: 1300, channels: 1 }, 3);
  const board = { ...rest, data: data.map((_, i) => (((i % 900) + Math.floor(i / 900)) % 2 === 0 ? 0 : 255)) };
  const result = shrink(board, { width: 7, height: 3 });
  expect(result.every((value) => Math.abs(value - 188) <= 1)).toBe(true);
});
