import { maxSidePx } from "../format.ts";
import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { gravityField, keptFields, pageField, placeLabels, places, writtenFields } from "./shared-fields.ts";

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
    canvas: {
      kind: "colour",
      label: "Canvas",
      keywords: ["blur"],
      optional: true,
      message: "The canvas must be transparent, blur, or a colour such as white or #ffffff.",
    },
    position: {
      kind: "choice",
      label: "Position",
      labels: placeLabels,
      values: places,
      optional: true,
      message: text.choose("position", places),
    },
    padding: {
      kind: "text",
      label: "Padding",
      pattern: /^([0-9]{1,5}(px)?|[0-9]{1,2}([.][0-9])?%)$/,
      optional: true,
      message: "The padding must be pixels or a percentage, such as 40 or 5%.",
    },
    ...gravityField,
    dpi: {
      kind: "integer",
      label: "Density for print (dpi)",
      min: 1,
      max: 9600,
      optional: true,
      message: "dpi must be between 1 and 9600.",
    },
    ...writtenFields,
    ...keptFields,
    ...pageField,
  },
  oneOf: { fields: ["width", "height", "percent"], message: text.enterSide },
  example: { width: "1600", method: "fit" },
} as const satisfies OperationManifest;

/** The space of `padding` on each side of a box, px. Percent are of its shorter side. */
export function paddingPx(padding: string | undefined, box: { width: number; height: number }): number {
  const number = Number.parseFloat(padding ?? "0");
  return padding?.endsWith("%") ? Math.round((Math.min(box.width, box.height) * number) / 100) : number;
}
