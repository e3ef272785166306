import { maxSidePx } from "../format.ts";
import { text } from "../text.ts";
import type { OperationForm } from "./manifest.ts";

export const resizeMethods = ["fit", "fill", "stretch"] as const;

const side = (name: "width" | "height", other: "width" | "height") =>
  ({
    kind: "integer",
    label: name === "width" ? "Width" : "Height",
    min: 1,
    max: maxSidePx,
    optional: true,
    say: text.invalidSide(name),
    describe: `Pixels; blank: from the ${other}, by the ratio.`,
  }) as const;

export const resizeForm = {
  work: "picture",
  timeLimitMs: 180_000,
  canBeUnchanged: false,
  summary: "Change the size in pixels",
  description: "One of width and height may be left out; the ratio gives the other.",
  fields: {
    width: { ...side("width", "height"), example: 1600 },
    height: side("height", "width"),
    percent: {
      kind: "integer",
      label: "Percent",
      min: 1,
      max: 1000,
      optional: true,
      say: "Please give the percent as 1 to 1000.",
      describe: "In place of width and height: of the picture's own sides.",
    },
    method: {
      kind: "choice",
      label: "Method",
      labels: { fit: "Fit", fill: "Fill", stretch: "Stretch" },
      explanations: {
        fit: "The whole picture, inside the box.",
        fill: "The whole box; what stands over is cut off evenly.",
        stretch: "Exactly the box, whatever becomes of the shape.",
      },
      values: resizeMethods,
      default: "fill",
      say: text.choose("method", resizeMethods),
      describe: "fit: inside the box. fill: covers the box, the centre is cut out. stretch: the ratio is ignored.",
    },
  },
  oneOf: { fields: ["width", "height", "percent"], say: text.enterSide },
  example: { width: "1600", method: "fit" },
} as const satisfies OperationForm;
