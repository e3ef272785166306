import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { pageField } from "./shared-fields.ts";
import { watermark } from "./watermark.ts";

/** Operations that can be previewed: those without a neural network, which would treat any part as a whole picture. */
export const previewedOperations = ["compress", "convert", "resize", "watermark"] as const;

/** Maximum side of the part shown in an operation's preview, px. */
const maxPreviewPx = 512;

/** A whole picture in a preview has at least this on its longer side, px: smaller ones could not be recognized. */
const minPreviewPx = 16;

/**
 * The longer side of a whole picture in a preview of at most `side` px: with about half of its pixels, since previews are free and
 * must not be results.
 */
export const wholePreviewPx = ({ width, height }: { width: number; height: number }, side: number): number =>
  Math.max(minPreviewPx, Math.min(side, Math.floor(Math.max(width, height) * Math.SQRT1_2)));

/** Maximum size of a picture to preview. Previews are free and hold all pixels in memory: a larger picture would take a gigabyte. */
export const maxPreviewMegapixels = 50;

/** Steps that may precede a previewed operation. The preview shows the picture after them. */
export const previewedSteps = ["turn", "crop"] as const;

/** Greater than the side of any result. */
const maxEdgePx = 65_536;

const edge = (name: "left" | "top") =>
  ({
    kind: "integer",
    min: 0,
    max: maxEdgePx,
    optional: true,
    message: `${name} must be a whole number of pixels between 0 and ${maxEdgePx}.`,
  }) as const;

export const preview = {
  label: "Preview",
  creditsPerFile: 0,
  noFiles: text.selectImage,
  work: "picture",
  timeLimitMs: 10_000,
  canBeUnchanged: false,
  fields: {
    side: {
      kind: "integer",
      min: minPreviewPx,
      max: 1024,
      default: 512,
      message: "The side must be between 16 and 1024.",
    },
    operation: {
      kind: "choice",
      values: previewedOperations,
      optional: true,
      message: text.choose("operation", previewedOperations),
    },
    options: {
      kind: "text",
      pattern: /^\s*\{[\s\S]*\}\s*$/,
      optional: true,
      message: 'The options must be JSON, such as {"quality": 60}.',
    },
    steps: {
      kind: "text",
      pattern: /^\s*\[[\s\S]*\]\s*$/,
      optional: true,
      message: 'The steps must be JSON, such as [{"crop": {"ratio": "4:5"}}].',
    },
    left: edge("left"),
    top: edge("top"),
    part: {
      kind: "integer",
      min: 16,
      max: maxPreviewPx,
      default: maxPreviewPx,
      message: `The part must be between 16 and ${maxPreviewPx}.`,
    },
    whole: {
      kind: "flag",
      default: false,
    },
    keep: {
      kind: "flag",
      default: false,
    },
    of: {
      kind: "text",
      pattern: /^job_[0-9a-z]{1,40}$/,
      optional: true,
      message: "Please take `of` from the X-Job header of a preview with keep.",
    },
    ...pageField,
  },
  auxiliaryFiles: watermark.auxiliaryFiles,
  example: { side: "512" },
} as const satisfies OperationManifest;
