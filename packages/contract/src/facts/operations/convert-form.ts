import { type InputFormat, outputFormats, usualQuality } from "../format.ts";
import { text } from "../text.ts";
import { byteLimitFields } from "./byte-limit.ts";
import type { OperationForm } from "./manifest.ts";
import { metadataField } from "./metadata.ts";

export const convertForm = {
  work: "picture",
  timeLimitMs: 180_000,
  canBeUnchanged: true,
  summary: "Change the format",
  description:
    "A picture that has the target format already is not coded again, and nothing is charged. With quality or max_bytes it is compressed, and with a background it is drawn on that.",
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
      describe: `1 (smallest) to 100 (visually lossless, or lossless where the format can); blank: ${usualQuality.others}, and without loss into PNG, TIFF and BMP. With max_bytes it is the best that is tried.`,
    },
    ...byteLimitFields,
    background: {
      kind: "colour",
      optional: true,
      say: "Please give the background as transparent, or a colour like white or #ffffff.",
      describe:
        "A colour behind transparent areas: a CSS name, #rgb or #rrggbb. Left out: white where the target has no transparency.",
    },
    ...metadataField,
  },
  example: { target_format: "webp" },
} as const satisfies OperationForm;

type Wish = {
  target_format: string;
  quality?: number | undefined;
  max_bytes?: number | undefined;
  background?: string | undefined;
};

/** Whether convert leaves a picture of this format as it is, but for its metadata: there is no wish for fewer bytes or a background. */
export const keepsFormat = (
  { target_format: target, quality, max_bytes: maxBytes, background = "transparent" }: Wish,
  format: InputFormat,
): boolean => target === format && quality === undefined && maxBytes === undefined && background === "transparent";
