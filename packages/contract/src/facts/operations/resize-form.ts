import { maxSidePx, usualQuality } from "../format.ts";
import { text } from "../text.ts";
import type { OperationForm } from "./manifest.ts";
import { metadataField } from "./metadata.ts";
import { writtenFields } from "./written-fields.ts";

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
      say: "Please enter a percentage between 1 and 1000.",
      describe: "In place of width and height: of the picture's own sides.",
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
      say: text.choose("method", resizeMethods),
      describe: "fit: inside the box. fill: covers the box, the centre is cut out. stretch: the ratio is ignored.",
    },
    enlarge: {
      kind: "flag",
      optional: true,
      describe:
        "true: the result may have more pixels than the picture. false: never. Left out: fit never enlarges, and fill, stretch, a single side or a percent give what they say. An SVG is drawn at any size.",
    },
    ...writtenFields(
      "The format of the result. Left out: the picture's own, where it can be written.",
      `1 (smallest) to 100 (visually lossless, or lossless where the format can). Left out: ${usualQuality.others}, and PNG, TIFF and GIF lose nothing.`,
    ),
    ...metadataField,
  },
  exclusive: {
    field: "percent",
    without: ["width", "height"],
    say: "Please give percent, or width and height, not both.",
  },
  oneOf: { fields: ["width", "height", "percent"], say: text.enterSide },
  example: { width: "1600", method: "fit" },
} as const satisfies OperationForm;
