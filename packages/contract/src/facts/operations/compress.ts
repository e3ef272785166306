import { defaultQualities } from "../format.ts";
import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { byteLimitFields, keptFields, pageField, writtenFields } from "./shared-fields.ts";

export const compress = {
  label: "Compress",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to compress.",
  introduction:
    "Smaller files that look the same. Never larger than the original, and at 100 you will not see a difference.",
  work: "picture",
  timeLimitMs: 180_000,
  canBeUnchanged: false,
  fields: {
    quality: { label: "Quality", ...writtenFields.quality },
    ...byteLimitFields,
    min_likeness: {
      kind: "integer",
      min: 0,
      max: 100,
      optional: true,
      message: "min_likeness must be between 0 and 100.",
    },
    measure: {
      kind: "flag",
      optional: true,
    },
    keep_film: {
      kind: "flag",
      optional: true,
    },
    ...keptFields,
    ...pageField,
  },
  oneOf: { fields: ["quality", "max_bytes"], message: text.invalidQuality },
  defaults: { quality: String(defaultQualities.compress) },
  example: { quality: String(defaultQualities.compress) },
} as const satisfies OperationManifest;
