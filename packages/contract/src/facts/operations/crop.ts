import type { OperationFacts } from "./manifest.ts";

export const crop = {
  label: "Crop",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to crop.",
  isStep: true,
} as const satisfies OperationFacts;
