import { text } from "../text.ts";
import type { OperationFacts } from "./manifest.ts";

export const edit = {
  label: "Edit",
  creditsPerFile: 0,
  noFiles: text.selectImage,
} as const satisfies OperationFacts;
