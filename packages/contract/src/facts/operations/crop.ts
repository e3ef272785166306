import { maxSidePx } from "../format.ts";
import type { OperationManifest } from "./manifest.ts";
import { gravityField, keptFields, pageField } from "./shared-fields.ts";

/** Aspect ratios (width to height) that the studio offers. */
export const cropRatios = ["1:1", "4:5", "3:2", "4:3", "16:9", "9:16"] as const;

/** For larger angles, a picture is rotated by a quarter turn first. */
export const maxStraightenDegrees = 45;

/** A source may have longer sides than a result of Resize. */
const maxPx = 4 * maxSidePx;

const pixels = (name: string, min: 0 | 1) =>
  ({
    kind: "integer",
    min,
    max: maxPx,
    optional: true,
    message: `${name} must be a whole number of pixels between ${min} and ${maxPx}.`,
  }) as const;

export const crop = {
  label: "Crop",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to crop.",
  isStep: true,
  work: "picture",
  timeLimitMs: 120_000,
  canBeUnchanged: false,
  fields: {
    left: pixels("left", 0),
    top: pixels("top", 0),
    width: pixels("width", 1),
    height: pixels("height", 1),
    ratio: {
      kind: "text",
      pattern: /^\s*[1-9][0-9]{0,3}(\.[0-9]{1,2})?\s*:\s*[1-9][0-9]{0,3}(\.[0-9]{1,2})?\s*$/,
      optional: true,
      message: "The ratio must be width to height, such as 4:5.",
    },
    ...gravityField,
    straighten: {
      kind: "decimal",
      min: -maxStraightenDegrees,
      max: maxStraightenDegrees,
      decimals: 1,
      optional: true,
      message: `Please straighten by -${maxStraightenDegrees} to ${maxStraightenDegrees} degrees, in tenths.`,
    },
    ...keptFields,
    ...pageField,
  },
  oneOf: {
    fields: ["width", "height", "ratio", "straighten"],
    message: "Set a width, a height, a ratio or an angle.",
  },
  example: { ratio: "4:5" },
} as const satisfies OperationManifest;
