import { maxSidePx } from "../format.ts";
import { text } from "../text.ts";
import type { OperationFacts, OperationForm } from "./manifest.ts";

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

export const resize = {
  label: "Resize",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to resize.",
  introduction: "To the pixel: inside a box, filling it, or stretched. Moving pictures keep moving.",
} as const satisfies OperationFacts;

export const resizeForm = {
  work: "picture",
  timeLimitMs: 180_000,
  canBeUnchanged: false,
  summary: "Change the size in pixels",
  description: "One of width and height may be left out; the ratio gives the other.",
  fields: {
    width: { ...side("width", "height"), example: 1600 },
    height: side("height", "width"),
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
  oneOf: { fields: ["width", "height"], say: text.enterSide },
  example: { width: "1600", method: "fit" },
} as const satisfies OperationForm;
