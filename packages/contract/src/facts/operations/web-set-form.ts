import { maxSidePx, usualQuality } from "../format.ts";
import { text } from "../text.ts";
import type { OperationForm } from "./manifest.ts";
import { metadataField } from "./metadata.ts";

/** Widths of one set. */
const mostWidths = 8;
/** 1 to `maxSidePx`, which is 16384. */
const widthPattern = "(?:[1-9][0-9]{0,3}|1[0-5][0-9]{3}|16[0-2][0-9]{2}|163[0-7][0-9]|1638[0-4])";
const formatPattern = "(?:avif|webp|jpe?g|png)";
const listOf = (one: string, most: number) => new RegExp(`^\\s*${one}(?:\\s*,\\s*${one}){0,${most - 1}}\\s*$`);

/** Texts of the markup: one line each. */
const mostLetters = 500;

export const webSetForm = {
  work: "picture",
  timeLimitMs: 600_000,
  mostSizes: mostWidths,
  canBeUnchanged: false,
  summary: "Make a picture for a web page",
  description:
    "A ZIP for each picture: every width in every format at one likeness, the <picture> markup, and set.json with a placeholder. A recipe's last step. Moving pictures are refused.",
  fields: {
    widths: {
      kind: "text",
      label: "Widths",
      pattern: listOf(widthPattern, mostWidths),
      default: "640,1280,1920",
      say: `Please give the widths as 1 to ${mostWidths} whole numbers of pixels, 1 to ${maxSidePx}, like 640,1280,1920.`,
      describe: `Pixels, 1 to ${mostWidths} of them. None is above the picture's own, unless it is an SVG.`,
    },
    formats: {
      kind: "text",
      label: "Formats",
      pattern: listOf(formatPattern, 4),
      default: "avif,webp,jpeg",
      say: "Please give the formats as a list of avif, webp, jpeg and png, like avif,webp,jpeg.",
      describe: "Of avif, webp, jpeg, png. PNG takes JPEG's place where there is transparency.",
    },
    quality: {
      kind: "integer",
      label: "Quality",
      min: 1,
      max: 100,
      default: usualQuality.compress,
      say: text.invalidQuality,
      describe: "1 (smallest) to 100 (visually lossless), the same likeness in every format.",
    },
    sizes: {
      kind: "text",
      label: "Sizes",
      pattern: new RegExp(`^.{1,${mostLetters}}$`),
      default: "100vw",
      say: `Please give sizes as the attribute of HTML has them, in one line of at most ${mostLetters} letters.`,
      describe: "The attribute sizes of the markup.",
    },
    alt: {
      kind: "text",
      label: "Alternative text",
      pattern: new RegExp(`^.{1,${mostLetters}}$`),
      optional: true,
      say: `Please give the alternative text in one line of at most ${mostLetters} letters.`,
      describe: "The attribute alt of the markup.",
    },
    ...metadataField,
  },
  example: { widths: "640,1280" },
} as const satisfies OperationForm;

/** The widths of a set as they are asked for, px. */
export const readWidths = (written: string): number[] => written.split(",").map(Number);
