import { text } from "../text.ts";
import { byteLimitFields } from "./byte-limit.ts";
import type { OperationForm } from "./manifest.ts";

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
      describe:
        "1 (smallest) to 100 (visually lossless, or lossless where the format can). The same number looks the same in every format. With max_bytes it is the best that is tried, and may be left out.",
      example: 75,
    },
    ...byteLimitFields,
  },
  oneOf: { fields: ["quality", "max_bytes"], say: text.invalidQuality },
  usual: { quality: "75" },
  example: { quality: "75" },
} as const satisfies OperationForm;
