import { expect, test } from "vitest";
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

test("alpha stays as it is where it is 0 or 255", () => {
  const { data } = drawLogo(size);
  const quantized = quantizeSamples(drawLogo(size), { step: 20, prediction: "average" });
  for (let i = 3; i < data.length; i += 4) if (data[i] === 0 || data[i] === 255) expect(quantized[i]).toBe(data[i]);
});
