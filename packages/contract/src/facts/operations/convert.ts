import type { OperationFacts } from "./manifest.ts";

export const convert = {
  label: "Convert",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to convert.",
  introduction: "JPEG, PNG, WebP, BMP, GIF, TIFF and AVIF, from those and from HEIC and SVG.",
} as const satisfies OperationFacts;
