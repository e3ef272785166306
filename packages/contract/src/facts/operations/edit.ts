import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { removeBackground } from "./remove-background.ts";

const { background, crop, margin, mask_only } = removeBackground.fields;

export const edit = {
  label: "Edit",
  creditsPerFile: 0,
  noFiles: text.selectImage,
  work: "picture",
  timeLimitMs: 60_000,
  canBeUnchanged: false,
  nameSuffix: "_bgremoved",
  fields: {
    candidate: {
      kind: "integer",
      min: 1,
      max: 3,
      default: 1,
      message: "The candidate must be between 1 and 3.",
    },
    background,
    blur: {
      kind: "integer",
      min: 1,
      max: 100,
      optional: true,
      message: "The blur must be between 1 and 100.",
    },
    shadow: {
      kind: "integer",
      min: 0,
      max: 100,
      default: 0,
      message: "The shadow must be between 0 and 100.",
    },
    crop,
    margin,
    mask_only,
  },
  auxiliaryFiles: [...removeBackground.auxiliaryFiles, { field: "matte", role: "matte", label: "Matte" }],
  example: { background: "#ffffff", shadow: "40" },
} as const satisfies OperationManifest;
