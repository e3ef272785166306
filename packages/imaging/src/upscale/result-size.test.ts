import type { DomainError } from "@tintype/contract";
import { expect, test } from "vitest";
import { formatForSize } from "../formats/output-format.ts";
import { checkResultSize } from "./result-size.ts";

const limits = { megapixelsIn: 25, megapixelsOut: 25 };
const sentence = (factor: 2 | 4 | 8, width: number, height: number) => {
  try {
    checkResultSize({ width, height }, { factor, limits });
    return undefined;
  } catch (problem) {
    return (problem as DomainError).detail; // nothing else is thrown here
  }
};

test("a result that fits is let through, to the last pixel", () => {
  expect(sentence(4, 1250, 1250)).toBeUndefined();
  expect(sentence(4, 1250, 1251)).toBeDefined();
});

test("a result that does not fit is refused with the factor that would", () => {
  expect(sentence(8, 1000, 1000)).toBe(
    "Enlarged 8 times, the image would have 64.0 megapixels; your plan allows 25. Enlarging it 4 times would fit.",
  );
  expect(sentence(8, 2000, 1500)).toContain("Enlarging it 2 times would fit.");
});

test("if no factor fits, the size that would is told", () => {
  expect(sentence(2, 4000, 3000)).toContain("it can have at most 2886 x 2165 pixels");
  expect(sentence(2, 2886, 2165)).toBeUndefined();
});

test("a side longer than the format can hold makes it PNG, and says so", () => {
  expect(formatForSize("webp", { width: 16_383, height: 10 })).toEqual({ format: "webp" });
  expect(formatForSize("webp", { width: 16_384, height: 10 })).toEqual({
    format: "png",
    note: { code: "too-long-for-format", format: "webp", longest: 16_383 },
  });
  expect(formatForSize("tiff", { width: 90_000, height: 10 })).toEqual({ format: "tiff" });
});
