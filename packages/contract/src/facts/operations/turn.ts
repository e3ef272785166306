import type { OperationFacts } from "./manifest.ts";

export const turn = {
  label: "Turn",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to turn.",
  isStep: true,
} as const satisfies OperationFacts;
