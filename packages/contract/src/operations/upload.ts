import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";

export const upload = {
  label: "Upload",
  creditsPerFile: 0,
  work: "picture",
  timeLimitMs: 10_000,
  summary: "Check pictures",
  description: "Answers with each picture as it is, its metadata removed. Costs nothing.",
  canBeUnchanged: false,
  noFiles: text.selectImage,
  fields: {},
  example: {},
} as const satisfies OperationManifest;
