import type { OperationFacts } from "./manifest.ts";

export const resize = {
  label: "Resize",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to resize.",
  introduction: "To the pixel: fit, fill or stretch. Animations stay animated.",
} as const satisfies OperationFacts;
