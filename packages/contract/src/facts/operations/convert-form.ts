import { outputFormats } from "../format.ts";
import { text } from "../text.ts";
import { byteLimitFields } from "./byte-limit.ts";
import type { OperationForm } from "./manifest.ts";

export const convertForm = {
  work: "picture",
  timeLimitMs: 180_000,
  canBeUnchanged: true,
  summary: "Change the format",
  description: "A picture that has the target format already stays as it is, and nothing is charged.",
  overHttp: "The answer is then 200 with a JSON `message`.",
  fields: {
    source_format: {
      kind: "format",
      label: "Source format",
      writable: false,
      optional: true,
      say: "",
      missing: "",
      describe: "The source's format as you believe it; the file's content decides.",
    },
    target_format: {
      kind: "format",
      label: "Target format",
      writable: true,
      say: text.choose("target format", outputFormats),
      missing: text.selectTarget,
      describe: "The format to write.",
    },
    quality: {
      kind: "integer",
      label: "Quality",
      min: 1,
      max: 100,
      optional: true,
      say: text.invalidQuality,
      describe:
        "1 (smallest) to 100 (visually lossless, or lossless where the format can); blank: 85, and without loss into PNG, TIFF and BMP. With max_bytes it is the best that is tried.",
    },
    ...byteLimitFields,
  },
  example: { target_format: "webp" },
} as const satisfies OperationForm;
