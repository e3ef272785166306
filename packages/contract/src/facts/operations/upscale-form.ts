import { text } from "../text.ts";
import type { OperationForm } from "./manifest.ts";
import { metadataField } from "./metadata.ts";

export const scaleFactors = [2, 4, 8] as const;
export const upscaleModels = ["auto", "clean", "compressed"] as const;

export const upscaleForm = {
  work: "model",
  timeLimitMs: 600_000,
  canBeUnchanged: false,
  summary: "Enlarge with a neural network",
  description:
    "A network draws the result: text and faces may differ, and the report says so. 8 is done as 4, then 2. Moving pictures are refused.",
  fields: {
    scale_factor: {
      kind: "factor",
      label: "Scale factor",
      labels: { 2: "2×", 4: "4×", 8: "8×" },
      values: scaleFactors,
      default: 4,
      say: "Please choose a scale factor: 2, 4 or 8.",
      describe: "How many times wider and higher.",
      example: 2,
    },
    model: {
      kind: "choice",
      label: "Image type",
      labels: { auto: "Detect", clean: "Sharp original", compressed: "JPEG artefacts" },
      values: upscaleModels,
      default: "auto",
      say: text.choose("model", upscaleModels),
      describe: "clean: for sharp originals. compressed: for pictures with JPEG traces. auto: by what the file says.",
    },
    ...metadataField,
  },
  example: { scale_factor: "2" },
} as const satisfies OperationForm;
