import { maxSidePx } from "../format.ts";
import type { OperationForm } from "./manifest.ts";
import { metadataField } from "./metadata.ts";

/** Ratios that the studio offers, width to height. */
export const cropRatios = ["1:1", "4:5", "3:2", "4:3", "16:9"] as const;

/** A source may have more pixels a side than a result of Resize. */
const mostPx = 4 * maxSidePx;

const pixels = (name: string, { min, describe }: { min: 0 | 1; describe: string }) =>
  ({
    kind: "integer",
    min,
    max: mostPx,
    optional: true,
    say: `Please give ${name} as whole pixels, ${min} to ${mostPx}.`,
    describe,
  }) as const;

export const cropForm = {
  work: "picture",
  timeLimitMs: 120_000,
  canBeUnchanged: false,
  summary: "Cut a part out of a picture",
  description:
    "A box in pixels of the upright picture, or the largest box of a ratio. As a step before another operation of a recipe it costs nothing. Moving pictures are refused.",
  fields: {
    left: pixels("left", { min: 0, describe: "Pixels from the left edge; blank: 0, or the middle with a ratio." }),
    top: pixels("top", { min: 0, describe: "Pixels from the upper edge; blank: 0, or the middle with a ratio." }),
    width: { ...pixels("width", { min: 1, describe: "Blank: up to the right edge." }), example: 800 },
    height: pixels("height", { min: 1, describe: "Blank: down to the lower edge." }),
    ratio: {
      kind: "text",
      pattern: /^\s*[1-9][0-9]{0,3}(\.[0-9]{1,2})?\s*:\s*[1-9][0-9]{0,3}(\.[0-9]{1,2})?\s*$/,
      optional: true,
      say: "Please give the ratio as width to height, like 4:5.",
      describe: "Width to height, like 4:5: the largest box of this shape, inside the box that the other fields name.",
    },
    ...metadataField,
  },
  oneOf: { fields: ["width", "height", "ratio"], say: "Please give a width, a height or a ratio." },
  example: { ratio: "4:5" },
} as const satisfies OperationForm;
