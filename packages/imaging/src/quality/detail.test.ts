import { expect, test } from "vitest";
import { detailOf } from "./detail.ts";

/** A gradient of `step` per pixel to the right and half of that downwards, in all channels. */
function slope(
  step: number,
  { channels = 3, scale = 1, make = (n: number): Uint8Array | Uint16Array => new Uint8Array(n) } = {},
) {
  const [width, height] = [50, 30];
  const data = make(width * height * channels);
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / channels);
    data[i] = (((pixel % width) * step + Math.floor(pixel / width) * (step / 2)) % 256) * scale;
  }
  return { width, height, channels, data } as Parameters<typeof detailOf>[0];
}

test("detail is the mean difference of neighbours, in any depth and number of channels", () => {
  const expected = Math.log(1 + 2 + 1);
  expect(detailOf(slope(2))).toBeCloseTo(expected, 5);
  expect(detailOf(slope(2, { channels: 1 }))).toBeCloseTo(expected, 5);
  expect(detailOf(slope(2, { channels: 4 }))).toBeCloseTo(expected, 5);
  expect(detailOf(slope(2, { scale: 257, make: (n) => new Uint16Array(n) }))).toBeCloseTo(expected, 5);
});

test("drawings and single lines have none", () => {
  const flat = { width: 40, height: 40, channels: 3 as const, data: new Uint8Array(4800).fill(90) };
  expect(detailOf(flat)).toBeUndefined();
  expect(detailOf({ width: 1, height: 4, channels: 3, data: new Uint8Array(12) })).toBeUndefined();
  expect(detailOf({ width: 4, height: 1, channels: 1, data: new Uint8Array([1, 2, 3, 4]) })).toBeUndefined();
});
