import type { OperationForm } from "./manifest.ts";

export const uploadForm = {
  work: "picture",
  timeLimitMs: 10_000,
  canBeUnchanged: false,
  summary: "Check pictures",
  description: "Answers with each picture as it is, its metadata removed. Costs nothing.",
  fields: {},
  example: {},
} as const satisfies OperationForm;
