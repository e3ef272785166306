import { outputFormats } from "../format.ts";
import { text } from "../text.ts";

export const qualityRange = { kind: "integer", min: 1, max: 100, say: text.invalidQuality } as const;

/** Fields of operations that let the caller choose the result's format and quality. */
export const writtenFields = {
  target_format: {
    kind: "format",
    writable: true,
    optional: true,
    say: text.choose("target format", outputFormats),
    missing: text.selectTarget,
  },
  quality: { ...qualityRange, optional: true },
} as const;
