import { maxSidePx } from "../format.ts";
import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { metadataField, pageField, writtenFields } from "./shared-fields.ts";

export const resizeMethods = ["fit", "fill", "stretch"] as const;

const side = (name: "width" | "height") =>
  ({
    kind: "integer",
    label: name === "width" ? "Width" : "Height",
    min: 1,
    max: maxSidePx,
    optional: true,
    message: text.invalidSide(name),
  }) as const;

export const resize = {
  label: "Resize",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to resize.",
  introduction: "To the pixel: fit, fill or stretch. Animations stay animated.",
  work: "picture",
  timeLimitMs: 180_000,
  canBeUnchanged: false,
  fields: {
    width: side("width"),
    height: side("height"),
    percent: {
      kind: "integer",
      label: "Percent",
      min: 1,
      max: 1000,
      optional: true,
      message: "Please enter a percentage between 1 and 1000.",
    },
    method: {
      kind: "choice",
      label: "Method",
      labels: { fit: "Fit", fill: "Fill", stretch: "Stretch" },
      explanations: {
        fit: "The whole image, inside the size.",
        fill: "Fills the size and crops the edges.",
        stretch: "Exactly this size. Proportions may change.",
      },
      values: resizeMethods,
      default: "fill",
      message: text.choose("method", resizeMethods),
    },
    enlarge: {
      kind: "flag",
      optional: true,
    },
    ...writtenFields,
    ...metadataField,
    ...pageField,
  },
  exclusive: {
    field: "percent",
    without: ["width", "height"],
    message: "Use either percent or width and height, not both.",
  },
  oneOf: { fields: ["width", "height", "percent"], message: text.enterSide },
  example: { width: "1600", method: "fit" },
} as const satisfies OperationManifest;
