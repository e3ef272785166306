import { text } from "../text.ts";
import type { OperationFacts, OperationForm } from "./manifest.ts";

export const preview = {
  label: "Preview",
  creditsPerFile: 0,
  noFiles: text.selectImage,
} as const satisfies OperationFacts;

export const previewForm = {
  work: "picture",
  timeLimitMs: 10_000,
  canBeUnchanged: false,
  summary: "A small picture of any accepted file",
  description: "Answers with WebP. Costs nothing.",
  fields: {
    side: {
      kind: "integer",
      min: 16,
      max: 2048,
      default: 512,
      say: "Please give the side as 16 to 2048.",
      describe: "Longest side of the preview, px.",
    },
  },
  example: { side: "512" },
} as const satisfies OperationForm;
