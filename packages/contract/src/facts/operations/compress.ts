import type { OperationFacts } from "./manifest.ts";

export const compress = {
  label: "Compress",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to compress.",
  introduction:
    "Smaller files that look the same. Never larger than the original, and at 100 you will not see a difference.",
} as const satisfies OperationFacts;
