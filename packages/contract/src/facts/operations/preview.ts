import { text } from "../text.ts";
import type { OperationFacts } from "./manifest.ts";

export const preview = {
  label: "Preview",
  creditsPerFile: 0,
  noFiles: text.selectImage,
} as const satisfies OperationFacts;
