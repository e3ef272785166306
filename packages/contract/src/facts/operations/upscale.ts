import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { keptFields, pageField } from "./shared-fields.ts";

export const scaleFactors = [2, 4, 8] as const;
export const upscaleModels = ["auto", "clean", "compressed", "sharper"] as const;

export const upscale = {
  label: "Upscale",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to upscale.",
  introduction:
    "Two, four or eight times the size. A neural network draws the new pixels, with no seams or colour shift.",
  work: "model",
  timeLimitMs: 600_000,
  canBeUnchanged: false,
  fields: {
    scale_factor: {
      kind: "factor",
      label: "Scale factor",
      labels: { 2: "2×", 4: "4×", 8: "8×" },
      values: scaleFactors,
      default: 4,
      message: "Please choose a scale factor: 2, 4 or 8.",
    },
    model: {
      kind: "choice",
      label: "Model",
      labels: { auto: "Automatic", clean: "Clean photo", compressed: "JPEG artefacts", sharper: "Sharper" },
      values: upscaleModels,
      default: "auto",
      message: text.choose("model", upscaleModels),
    },
    ...keptFields,
    ...pageField,
  },
  example: { scale_factor: "2" },
} as const satisfies OperationManifest;
