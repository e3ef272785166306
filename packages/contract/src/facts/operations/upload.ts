import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";

export const upload = {
  label: "Upload",
  creditsPerFile: 0,
  noFiles: text.selectImage,
  work: "picture",
  timeLimitMs: 10_000,
  canBeUnchanged: false,
  fields: {},
  example: {},
} as const satisfies OperationManifest;
