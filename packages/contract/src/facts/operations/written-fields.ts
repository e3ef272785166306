import { outputFormats } from "../format.ts";
import { text } from "../text.ts";

/** Fields of operations that let the caller choose the result's format and quality. */
export const writtenFields = {
  target_format: {
    kind: "format",
    writable: true,
    optional: true,
    say: text.choose("target format", outputFormats),
    missing: text.selectTarget,
  },
  quality: { kind: "integer", min: 1, max: 100, optional: true, say: text.invalidQuality },
} as const;
