import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { metadataField, pageField } from "./shared-fields.ts";

const quarterTurns = [90, 180, 270] as const;
const flips = ["horizontal", "vertical"] as const;

export const turn = {
  label: "Turn",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to turn.",
  isStep: true,
  work: "picture",
  timeLimitMs: 120_000,
  canBeUnchanged: false,
  fields: {
    degrees: {
      kind: "factor",
      values: quarterTurns,
      optional: true,
      say: "Please turn by 90, 180 or 270 degrees.",
    },
    flip: {
      kind: "choice",
      values: flips,
      optional: true,
      say: text.choose("flip", flips),
    },
    ...metadataField,
    ...pageField,
  },
  oneOf: { fields: ["degrees", "flip"], say: "Set degrees, flip or both." },
  example: { degrees: "90" },
} as const satisfies OperationManifest;
