import { expect, test } from "vitest";
import { testLimits } from "../testing/run-operation.ts";
import { predictStep } from "./predict-step.ts";

const losses = (format: "png" | "jpeg" | "gif", options: object) =>
  predictStep(
    { operation: "convert", options: { min_quality: 40, allow_resize: false, ...options } },
    { picture: { format, width: 4, height: 4, frames: 1 }, limits: testLimits },
  ).losses.filter(({ code }) => code.includes("transparency"));

test("the loss of transparency is predicted, unless a background is chosen", () => {
  const hardened = { code: "partial-transparency-may-be-lost" };
  expect(losses("png", { target_format: "gif" })).toEqual([hardened]);
  expect(losses("jpeg", { target_format: "gif" })).toEqual([]);
  expect(losses("png", { target_format: "gif", background: "#ff0000" })).toEqual([]);
  expect(losses("gif", { target_format: "jpeg" })).toEqual([{ code: "transparency-may-be-lost", format: "jpeg" }]);
  expect(losses("gif", { target_format: "jpeg", background: "#ff0000" })).toEqual([]);
});
