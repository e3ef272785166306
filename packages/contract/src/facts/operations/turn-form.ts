import { text } from "../text.ts";
import type { OperationForm } from "./manifest.ts";
import { metadataField } from "./metadata.ts";

const quarterTurns = [90, 180, 270] as const;
const flips = ["horizontal", "vertical"] as const;

export const turnForm = {
  work: "picture",
  timeLimitMs: 120_000,
  canBeUnchanged: false,
  summary: "Turn or mirror a picture",
  description:
    "Turned first, then mirrored. As a step before another operation of a recipe it costs nothing. Moving pictures are refused.",
  fields: {
    degrees: {
      kind: "factor",
      values: quarterTurns,
      optional: true,
      say: "Please turn by 90, 180 or 270 degrees.",
      describe: "How far, clockwise.",
      example: 90,
    },
    flip: {
      kind: "choice",
      values: flips,
      optional: true,
      say: text.choose("flip", flips),
      describe: "horizontal: left becomes right. vertical: the upper side becomes the lower one.",
    },
    ...metadataField,
  },
  oneOf: { fields: ["degrees", "flip"], say: "Please give degrees, a flip, or both." },
  example: { degrees: "90" },
} as const satisfies OperationForm;
