import { text } from "../text.ts";
import type { OperationFacts, OperationForm } from "./manifest.ts";

export const upload = {
  label: "Upload",
  creditsPerFile: 0,
  work: "picture",
  timeLimitMs: 10_000,
  canBeUnchanged: false,
  noFiles: text.selectImage,
} as const satisfies OperationFacts;

export const uploadForm = {
  summary: "Check pictures",
  description: "Answers with each picture as it is, its metadata removed. Costs nothing.",
  fields: {},
  example: {},
} as const satisfies OperationForm;
