import type { OperationFacts } from "./manifest.ts";

export const removeBackground = {
  label: "Remove BG",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to remove its background.",
  introduction: "A transparent background, at full resolution, with clean colours along the edges.",
} as const satisfies OperationFacts;
