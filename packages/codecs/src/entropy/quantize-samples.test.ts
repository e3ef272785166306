import { expect, test } from "vitest";
import type { Raster } from "../raster/raster.ts";
import { drawLogo, drawPhoto } from "../testing/drawn-pictures.ts";
import { quantizeSamples } from "./quantize-samples.ts";

const size = { width: 61, height: 47 };

test.each(["average", "left"] as const)(
  "each difference to its prediction (%s) is a multiple of the step",
  (prediction) => {
    const picture = drawPhoto(size);
    const [step, rowBytes] = [6, 61 * 3];
    const quantized = quantizeSamples(picture, { step, prediction });
    for (const [i, value] of quantized.entries()) {
      const left = i % rowBytes < 3 ? 0 : (quantized[i - 3] as number);
      const above = i < rowBytes ? 0 : (quantized[i - rowBytes] as number);
      const predicted = prediction === "left" ? left : (left + above) >> 1;
      expect(Math.abs(value - predicted) % step).toBe(0);
    }
  },
);

test("a step between whole numbers gives the nearest whole differences", () => {
  const picture = drawPhoto(size);
  const quantized = quantizeSamples(picture, { step: 2.5, prediction: "left" });
  const multiples = new Set(Array.from({ length: 103 }, (_, i) => Math.round(i * 2.5)));
  for (const [i, value] of quantized.entries())
    expect(multiples).toContain(Math.abs(value - (i % (61 * 3) < 3 ? 0 : (quantized[i - 3] as number))));
});

test("errors are small, and do not add up", () => {
  const picture = drawPhoto(size);
  const quantized = quantizeSamples(picture, { step: 6, prediction: "average" });
  let sum = 0;
  for (const [i, value] of quantized.entries()) {
    const error = value - (picture.data[i] as number);
    expect(Math.abs(error)).toBeLessThan(24);
    sum += error;
  }
  expect(Math.abs(sum / quantized.length)).toBeLessThan(0.5);
});

const side = 64;

/** Grey with noise, a function of the position. */
const noisy = (noiseAt: (x: number, y: number) => number): Raster<Uint8Array> => ({
  width: side,
  height: side,
  channels: 1,
  data: Uint8Array.from({ length: side * side }, (_, i) => 128 + noiseAt(i % side, Math.floor(i / side))),
});

/** The root mean square error in columns `left` to `right`. */
function errorWithin(
  picture: Raster<Uint8Array>,
  { step, left, right }: { step: number; left: number; right: number },
) {
  const quantized = quantizeSamples(picture, { step, prediction: "average" });
  const squares = [...quantized.keys()]
    .filter((i) => i % side >= left && i % side < right)
    .map((i) => ((quantized[i] as number) - (picture.data[i] as number)) ** 2);
  return Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / squares.length);
}

/** Between -1 and 1, without a period inside the picture. */
const noise = (x: number, y: number) => Math.sin(x * 12.9898 + y * 78.233 + x * y);

test("a lively part errs twice as much as an even one beside it", () => {
  const halves = noisy((x, y) => noise(x, y) * (x < side / 2 ? 8 : 60));
  const even = errorWithin(halves, { step: 8, left: 4, right: side / 2 - 4 });
  const lively = errorWithin(halves, { step: 8, left: side / 2 + 4, right: side - 4 });
  expect(lively / even).toBeGreaterThan(1.6);
  expect(lively / even).toBeLessThan(2.6);
});

test("with large steps a smooth part errs half as much as an even one beside it", () => {
  const halves = noisy((x, y) => noise(x, y) * (x < side / 2 ? 3 : 9) + y / 2);
  const smooth = errorWithin(halves, { step: 36, left: 4, right: side / 2 - 4 });
  const even = errorWithin(halves, { step: 36, left: side / 2 + 4, right: side - 4 });
  expect(smooth / even).toBeLessThan(0.75);
});

test.each([
  [1, 1],
  [1, 9],
  [9, 1],
  [2, 3],
])("a picture of %i x %i is quantized too", (width, height) => {
  for (const channels of [1, 2, 3, 4] as const) {
    const data = Uint8Array.from({ length: width * height * channels }, (_, i) => (i * 37) % 256);
    const quantized = quantizeSamples({ width, height, channels, data }, { step: 2, prediction: "average" });
    for (const [i, value] of quantized.entries()) {
      const isSeen = channels % 2 === 1 || data[i - (i % channels) + channels - 1] !== 0;
      if (isSeen) expect(Math.abs(value - (data[i] as number))).toBeLessThan(10);
    }
  }
});

test("alpha stays as it is where it is 0 or 255", () => {
  const { data } = drawLogo(size);
  const quantized = quantizeSamples(drawLogo(size), { step: 20, prediction: "average" });
  for (let i = 3; i < data.length; i += 4) if (data[i] === 0 || data[i] === 255) expect(quantized[i]).toBe(data[i]);
});
