import type { OperationFacts } from "./manifest.ts";

export const resize = {
  label: "Resize",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to resize.",
  introduction: "To the pixel: inside a box, filling it, or stretched. Moving pictures keep moving.",
} as const satisfies OperationFacts;
