import { usualQuality } from "../format.ts";
import { text } from "../text.ts";
import { byteLimitFields } from "./byte-limit.ts";
import type { OperationForm } from "./manifest.ts";
import { metadataField } from "./metadata.ts";

export const compressForm = {
  work: "picture",
  timeLimitMs: 180_000,
  canBeUnchanged: false,
  summary: "Make pictures smaller",
  description: "Keeps format and size in pixels, and never returns a larger file.",
  fields: {
    quality: {
      kind: "integer",
      label: "Quality",
      min: 1,
      max: 100,
      optional: true,
      say: text.invalidQuality,
      describe: `1 (smallest) to 100 (visually lossless, or lossless where the format can). The same number looks the same in every format. Left out: ${usualQuality.compress}. With max_bytes it is the best that is tried, and 100 if it is left out.`,
      example: usualQuality.compress,
    },
    ...byteLimitFields,
    ...metadataField,
  },
  oneOf: { fields: ["quality", "max_bytes"], say: text.invalidQuality },
  usual: { quality: String(usualQuality.compress) },
  example: { quality: String(usualQuality.compress) },
} as const satisfies OperationForm;
