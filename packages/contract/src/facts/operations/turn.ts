import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { keptFields, pageField } from "./shared-fields.ts";

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
      message: "Please turn by 90, 180 or 270 degrees.",
    },
    flip: {
      kind: "choice",
      values: flips,
      optional: true,
      message: text.choose("flip", flips),
    },
    ...keptFields,
    ...pageField,
  },
  oneOf: { fields: ["degrees", "flip"], message: "Set degrees, flip or both." },
  example: { degrees: "90" },
} as const satisfies OperationManifest;
