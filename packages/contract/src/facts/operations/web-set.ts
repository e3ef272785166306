import type { OperationFacts } from "./manifest.ts";

export const webSet = {
  label: "Web set",
  creditsPerFile: 1,
  noFiles: "Please select at least one image for a web set.",
  isLastStep: true,
} as const satisfies OperationFacts;
