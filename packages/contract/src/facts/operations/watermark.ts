import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { keptFields, pageField, placeLabels, places } from "./shared-fields.ts";

const fonts = ["sans", "serif"] as const;

const percent = (name: string, { min, max }: { min: number; max: number }) =>
  ({ kind: "integer", min, max, message: `The ${name} must be between ${min} and ${max} percent.` }) as const;

export const watermark = {
  label: "Watermark",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to watermark.",
  introduction: "Your name or logo on every image, in a corner or all over. Animations too.",
  work: "picture",
  timeLimitMs: 120_000,
  canBeUnchanged: false,
  fields: {
    text: {
      kind: "text",
      label: "Text",
      pattern: /^\P{Cc}{1,100}$/u,
      optional: true,
      message: "The text must be one line of up to 100 characters.",
    },
    font: {
      kind: "choice",
      label: "Font",
      labels: { sans: "Sans", serif: "Serif" },
      values: fonts,
      default: "sans",
      message: text.choose("font", fonts),
    },
    colour: {
      kind: "colour",
      label: "Colour",
      keywords: ["auto"],
      isOpaque: true,
      default: "auto",
      message: "The colour must be auto, or a colour such as white or #ffffff.",
    },
    size: { ...percent("size", { min: 1, max: 100 }), label: "Size (%)", default: 30 },
    opacity: { ...percent("opacity", { min: 1, max: 100 }), label: "Opacity (%)", default: 50 },
    position: {
      kind: "choice",
      label: "Position",
      labels: placeLabels,
      values: places,
      default: "southeast",
      message: text.choose("position", places),
    },
    margin: { ...percent("margin", { min: 0, max: 40 }), label: "Margin (%)", default: 3 },
    angle: {
      kind: "decimal",
      label: "Angle",
      min: -180,
      max: 180,
      decimals: 1,
      default: 0,
      message: "The angle must be between -180 and 180 degrees, in tenths.",
    },
    tiled: { kind: "flag", label: "Repeat over the whole image", default: false },
    ...keptFields,
    ...pageField,
  },
  oneOf: { fields: ["text", "logo_image"], message: "Type a text or choose a logo." },
  auxiliaryFiles: [{ field: "logo_image", role: "logo", label: "Logo" }],
  example: { text: "© Example" },
} as const satisfies OperationManifest;
