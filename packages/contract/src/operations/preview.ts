import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";

export const preview = {
  label: "Preview",
  creditsPerFile: 0,
  work: "picture",
  timeLimitMs: 60_000,
  summary: "A small picture of any accepted file",
  description: "Answers with WebP. Costs nothing.",
  canBeUnchanged: false,
  noFiles: text.selectImage,
  fields: {
    side: {
      kind: "integer",
      min: 16,
      max: 4096,
      default: 512,
      say: "Please give the side as 16 to 4096.",
      describe: "Longest side of the preview, px.",
    },
  },
  example: { side: "512" },
} as const satisfies OperationManifest;
