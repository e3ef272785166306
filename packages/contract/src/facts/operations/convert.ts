import type { OperationFacts } from "./manifest.ts";

export const convert = {
  label: "Convert",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to convert.",
  introduction: "To JPEG, PNG, WebP, BMP, GIF, TIFF or AVIF, from any of those and from HEIC and SVG.",
} as const satisfies OperationFacts;
