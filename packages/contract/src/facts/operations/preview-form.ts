import { text } from "../text.ts";
import type { OperationForm } from "./manifest.ts";

/** Operations that a preview can show: those without a network, which makes a whole result of any part. */
export const previewedOperations = ["compress", "convert", "resize"] as const;

/** Sides of the part that a preview of an operation shows, px. */
export const mostPreviewedPx = 512;

/** Longer than the side of any result. */
const mostEdgePx = 65_536;

const edge = (name: "left" | "top") =>
  ({
    kind: "integer",
    min: 0,
    max: mostEdgePx,
    optional: true,
    say: `Please give ${name} as whole pixels, 0 to ${mostEdgePx}.`,
    describe: `With an operation: where the shown part begins, px of the result; blank: in the middle.`,
  }) as const;

export const previewForm = {
  work: "picture",
  timeLimitMs: 10_000,
  canBeUnchanged: false,
  summary: "A small picture of any accepted file, or a part of an operation's result",
  description:
    "Without an operation: a WebP of the whole picture. With one: the part of its result that `left` and `top` name, in the result's own format, and in `X-Preview` an estimate of the whole. Costs nothing, and is bounded by the day.",
  fields: {
    side: {
      kind: "integer",
      min: 16,
      max: 1024,
      default: 512,
      say: "Please give the side as 16 to 1024.",
      describe: "Longest side of the preview, px.",
    },
    operation: {
      kind: "choice",
      values: previewedOperations,
      optional: true,
      say: text.choose("operation", previewedOperations),
      describe: "Shows what this operation makes of a part of the picture.",
    },
    options: {
      kind: "text",
      pattern: /^\s*\{[\s\S]*\}\s*$/,
      optional: true,
      say: 'Please give the options as JSON: {"quality": 60}.',
      describe: "The operation's options, as a JSON object.",
    },
    left: edge("left"),
    top: edge("top"),
    part: {
      kind: "integer",
      min: 16,
      max: mostPreviewedPx,
      default: mostPreviewedPx,
      say: `Please give the part as 16 to ${mostPreviewedPx}.`,
      describe: "With an operation: width and height of the shown part, px.",
    },
    keep: {
      kind: "flag",
      default: false,
      describe:
        "Keeps the picture for 14 minutes: further previews name the job in `of`, and need no upload. `X-Job` names it. Of a network the newest twelve are kept.",
    },
    of: {
      kind: "text",
      pattern: /^job_[0-9a-z]{1,40}$/,
      optional: true,
      say: "Please take `of` from the X-Job header of a preview with keep.",
      describe: "In place of `files`: the job of a preview that was kept.",
    },
  },
  example: { side: "512" },
} as const satisfies OperationForm;
