import type { OperationFacts } from "./manifest.ts";

export const upscale = {
  label: "Upscale",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to upscale.",
  introduction:
    "Two, four or eight times the size. A neural network draws the new pixels, with no seams or colour shift.",
} as const satisfies OperationFacts;
