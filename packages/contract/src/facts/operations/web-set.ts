import { defaultQualities, maxSidePx } from "../format.ts";
import type { OperationManifest } from "./manifest.ts";
import { keptFields, pageField, qualityRange } from "./shared-fields.ts";

/** Maximum number of widths in a set. */
const maxWidths = 8;
/** 1 to `maxSidePx`, which is 16384. */
const widthPattern = "(?:[1-9][0-9]{0,3}|1[0-5][0-9]{3}|16[0-2][0-9]{2}|163[0-7][0-9]|1638[0-4])";
const formatPattern = "(?:avif|webp|jpe?g|png)";
const listOf = (one: string, max: number) => new RegExp(`^\\s*${one}(?:\\s*,\\s*${one}){0,${max - 1}}\\s*$`);

/** Maximum length of each text of the markup, which is a single line. */
const maxLength = 500;

export const webSet = {
  label: "Web set",
  creditsPerFile: 1,
  noFiles: "Please select at least one image for a web set.",
  isLastStep: true,
  work: "picture",
  timeLimitMs: 600_000,
  maxSizes: maxWidths,
  canBeUnchanged: false,
  fields: {
    widths: {
      kind: "text",
      label: "Widths",
      hint: `In pixels, separated by commas. Up to ${maxWidths}.`,
      pattern: listOf(widthPattern, maxWidths),
      default: "640,1280,1920",
      message: `The widths must be 1 to ${maxWidths} whole numbers of pixels up to ${maxSidePx}, such as 640,1280,1920.`,
    },
    formats: {
      kind: "text",
      label: "Formats",
      pattern: listOf(formatPattern, 4),
      default: "avif,webp,jpeg",
      items: { avif: "AVIF", webp: "WebP", jpeg: "JPEG", png: "PNG" },
      message: "The formats must be a list of avif, webp, jpeg and png, such as avif,webp,jpeg.",
    },
    quality: { label: "Quality", ...qualityRange, default: defaultQualities.compress },
    sizes: {
      kind: "text",
      label: "Sizes",
      hint: "How wide the page shows the image. 100vw is the full window; (min-width: 800px) 50vw, 100vw is half of a large one.",
      pattern: new RegExp(`^.{1,${maxLength}}$`),
      default: "100vw",
      message: `sizes must be a value of the HTML attribute, on one line of at most ${maxLength} characters.`,
    },
    alt: {
      kind: "text",
      label: "Alternative text",
      pattern: new RegExp(`^.{1,${maxLength}}$`),
      optional: true,
      message: `The alternative text must be one line of at most ${maxLength} characters.`,
    },
    ...keptFields,
    ...pageField,
  },
  example: { widths: "640,1280" },
} as const satisfies OperationManifest;

/** The requested widths of a set, px. */
export const readWidths = (written: string): number[] => written.split(",").map(Number);
