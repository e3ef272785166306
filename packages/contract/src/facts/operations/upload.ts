import { text } from "../text.ts";
import type { OperationFacts, OperationForm } from "./manifest.ts";

export const upload = {
  label: "Upload",
  creditsPerFile: 0,
  noFiles: text.selectImage,
} as const satisfies OperationFacts;

export const uploadForm = {
  work: "picture",
  timeLimitMs: 10_000,
  canBeUnchanged: false,
  summary: "Check pictures",
  description: "Answers with each picture as it is, its metadata removed. Costs nothing.",
  fields: {},
  example: {},
} as const satisfies OperationForm;
