import { InferenceSession, Tensor } from "onnxruntime-node";
import { expect, test } from "vitest";
import { convolutionTflite } from "../testing/tflite-model.ts";
import { convertTflite } from "./convert-tflite.ts";
import { ModelError } from "./model-error.ts";

/** By channel, row, column and colour: all differ, so an exchanged dimension shows. */
const weightOf = (channel: number, y: number, x: number, colour: number) =>
  (channel + 1) * (y + 0.5) * (x === 0 ? 0.25 : -0.5) * (colour + 1);
const places = [0, 1].flatMap((channel) =>
  [0, 1].flatMap((y) => [0, 1].flatMap((x) => [0, 1, 2].map((colour) => [channel, y, x, colour] as const))),
);
const bytesOf = (values: Float16Array | Float32Array) => new Uint8Array(values.buffer);
const biases = [0.5, 3];
const model = {
  weights: bytesOf(Float16Array.from(places, (place) => weightOf(...place))),
  bias: bytesOf(Float32Array.from(biases)),
};

test("a converted network computes what its TensorFlow Lite file says", async () => {
  const pixel = (y: number, x: number, colour: number) => (y < 3 && x < 3 ? Math.sin(1 + 9 * y + 3 * x + colour) : 0);
  const expected = [0, 1].flatMap((channel) =>
    [0, 2].flatMap((top) =>
      [0, 2].map((left) => {
        const sum = places
          .filter(([own]) => own === channel)
          .reduce(
            (all, [, y, x, colour]) => all + weightOf(channel, y, x, colour) * pixel(top + y, left + x, colour),
            0,
          );
        return 1 / (1 + Math.exp(-Math.min(6, Math.max(0, sum + (biases[channel] ?? 0)))));
      }),
    ),
  );
  const planes = [0, 1, 2].flatMap((colour) => [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => pixel(y, x, colour))));
  const session = await InferenceSession.create(convertTflite(convolutionTflite(model)), { logSeverityLevel: 3 });
  const { output } = await session.run({ input: new Tensor("float32", Float32Array.from(planes), [1, 3, 3, 3]) });
  expect(output?.dims).toEqual([1, 2, 2, 2]);
  const values = [...((output?.data ?? []) as Float32Array)]; // the model declares float32
  for (const [i, value] of values.entries()) expect(value).toBeCloseTo(expected[i] ?? Number.NaN, 5);
  expect(new Set(values.map((value) => value.toFixed(3))).size).toBeGreaterThan(4);
});

test("a file that is no such model, a damaged one and one with another operator are refused as models", () => {
  const whole = convolutionTflite(model);
  expect(() => convertTflite(Buffer.from("plain text, no model"))).toThrow(ModelError);
  for (const length of [12, 100, whole.length >> 1, whole.length - 40])
    expect(() => convertTflite(whole.subarray(0, length))).toThrow(ModelError);
  expect(() => convertTflite(convolutionTflite({ ...model, operators: [6, 3, 25] }))).toThrow("has operator 25");
});
