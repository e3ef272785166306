import type { OperationFacts } from "./manifest.ts";

export const removeBackground = {
  label: "Remove BG",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to remove its background.",
  introduction: "The subject on nothing, at full resolution, with clean colours along the edge.",
} as const satisfies OperationFacts;
