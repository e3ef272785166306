import { outputFormats } from "@tintype/contract";
import { expect, test } from "vitest";
import { outputFormat } from "./output-format.ts";

test("a format that can be written is kept, without a word", () => {
  for (const format of outputFormats.filter((one) => one !== "ico"))
    for (const task of ["compress", "resize", "upscale"] as const)
      expect(outputFormat({ format, hasAlpha: true }, task)).toEqual({ format });
});

// product: heic-becomes-avif
test("a HEIC becomes AVIF where bytes count, and else what opens everywhere", () => {
  expect(outputFormat({ format: "heic", hasAlpha: false }, "compress").format).toBe("avif");
  expect(outputFormat({ format: "heic", hasAlpha: false }, "resize")).toEqual({
    format: "jpeg",
    note: { code: "format-not-written", from: "heic", to: "jpeg" },
  });
  expect(outputFormat({ format: "heic", hasAlpha: true }, "upscale").format).toBe("png");
});

test("an SVG stays one in compress, and is drawn else", () => {
  expect(outputFormat({ format: "svg", hasAlpha: true }, "compress")).toEqual({ format: "svg" });
  expect(outputFormat({ format: "svg", hasAlpha: true }, "resize").format).toBe("png");
});

test("an icon stays one in compress, and one of its sizes is a PNG else", () => {
  expect(outputFormat({ format: "ico", hasAlpha: true }, "compress")).toEqual({ format: "ico" });
  expect(outputFormat({ format: "ico", hasAlpha: true }, "resize")).toEqual({
    format: "png",
    note: { code: "icon-not-written" },
  });
});

test("what is only read becomes what opens everywhere, and compress refuses it", () => {
  expect(outputFormat({ format: "jxl", hasAlpha: false }, "resize").format).toBe("jpeg");
  expect(outputFormat({ format: "jp2", hasAlpha: true }, "resize").format).toBe("png");
  expect(outputFormat({ format: "jxl", hasAlpha: true }, "upscale").format).toBe("png");
  expect(() => outputFormat({ format: "jxl", hasAlpha: false }, "compress")).toThrow("Use convert");
});
