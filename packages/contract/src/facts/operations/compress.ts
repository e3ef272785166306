import type { OperationFacts } from "./manifest.ts";

export const compress = {
  label: "Compress",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to compress.",
  introduction:
    "Fewer bytes, the same picture. Never larger than what you brought, and 100 loses nothing the eye can see.",
} as const satisfies OperationFacts;
