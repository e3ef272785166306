import type { OperationForm } from "./manifest.ts";
import { removeBackgroundForm } from "./remove-background-form.ts";

const { background, crop, margin, mask_only } = removeBackgroundForm.fields;

export const editForm = {
  work: "picture",
  timeLimitMs: 60_000,
  canBeUnchanged: false,
  nameSuffix: "_bgremoved",
  summary: "Change a cut-out's background, crop, shadow or matte",
  description:
    "Works on the cut-out that the server keeps for 14 minutes after the job's end, at full resolution. Costs nothing. Answers with a PNG.",
  fields: {
    background,
    blur: {
      kind: "integer",
      min: 1,
      max: 100,
      optional: true,
      say: "Please give the blur as 1 to 100.",
      describe: "Puts the original behind the subject, blurred: 1 (a little) to 100.",
    },
    shadow: {
      kind: "integer",
      min: 0,
      max: 100,
      default: 0,
      say: "Please give the shadow as 0 to 100.",
      describe: "A soft shadow below the subject: 0 (none) to 100 (dark).",
    },
    crop,
    margin,
    mask_only,
  },
  secondPicture: removeBackgroundForm.secondPicture,
  mendedMatte: {
    field: "matte",
    describe: "A mended matte: a grey PNG of the cut-out's own size, white where the subject is.",
  },
  example: { background: "#ffffff", shadow: "40" },
} as const satisfies OperationForm;
