import type { InputFormat } from "../format.ts";
import { outputFormats } from "../format.ts";
import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { byteLimitFields, keptFields, pageField, writtenFields } from "./shared-fields.ts";

export const convert = {
  label: "Convert",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to convert.",
  introduction:
    "To JPEG, PNG, WebP, BMP, GIF, TIFF, AVIF or ICO, from any of those and from HEIC, JPEG XL, JPEG 2000, PSD, PDF and SVG.",
  work: "picture",
  timeLimitMs: 180_000,
  canBeUnchanged: true,
  fields: {
    source_format: {
      kind: "format",
      label: "Source format",
      writable: false,
      optional: true,
      message: "",
      missing: "",
    },
    target_format: {
      kind: "format",
      label: "Target format",
      writable: true,
      message: text.choose("target format", outputFormats),
      missing: text.selectTarget,
    },
    quality: { label: "Quality", ...writtenFields.quality },
    ...byteLimitFields,
    background: {
      kind: "colour",
      optional: true,
      message: "The background must be transparent or a colour such as white or #ffffff.",
    },
    ...keptFields,
    ...pageField,
  },
  example: { target_format: "webp" },
} as const satisfies OperationManifest;

type ConvertOptions = {
  target_format: string;
  quality?: number | undefined;
  max_bytes?: number | undefined;
  background?: string | undefined;
};

/** Whether convert changes only the metadata of a picture of this format: no quality, byte limit or background is requested. */
export const keepsFormat = (
  { target_format: target, quality, max_bytes: maxBytes, background = "transparent" }: ConvertOptions,
  format: InputFormat,
): boolean => target === format && quality === undefined && maxBytes === undefined && background === "transparent";
