import { outputFormats } from "@tintype/contract";
import { expect, test } from "vitest";
import { writtenAs } from "./output-format.ts";

test("what can be written keeps its format, without a word", () => {
  for (const format of outputFormats)
    for (const task of ["compress", "resize", "upscale"] as const)
      expect(writtenAs({ format, hasAlpha: true }, task)).toEqual({ format });
});

test("a HEIC becomes AVIF where bytes count, and else what opens everywhere", () => {
  expect(writtenAs({ format: "heic", hasAlpha: false }, "compress").format).toBe("avif");
  expect(writtenAs({ format: "heic", hasAlpha: false }, "resize")).toEqual({
    format: "jpeg",
    note: "HEIC cannot be written; the result is JPEG.",
  });
  expect(writtenAs({ format: "heic", hasAlpha: true }, "upscale").format).toBe("png");
});

test("an SVG stays one in compress, and is drawn else", () => {
  expect(writtenAs({ format: "svg", hasAlpha: true }, "compress")).toEqual({ format: "svg" });
  expect(writtenAs({ format: "svg", hasAlpha: true }, "resize").format).toBe("png");
});
