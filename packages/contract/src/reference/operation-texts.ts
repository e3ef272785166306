import { defaultQualities } from "../facts/format.ts";
import { lossNames } from "../facts/losses.ts";
import type { TaskName, tasks } from "../facts/operations/index.ts";
import { bestUnrequested } from "../facts/operations/shared-fields.ts";

/** The names of form fields for auxiliary files. */
type AuxiliaryField<Manifest> = Manifest extends { auxiliaryFiles: readonly { field: infer Name extends string }[] }
  ? Name
  : never;

/** The compiler rejects a field or an auxiliary file without a text. */
type TextsOf<Manifest extends { fields: object }> = OperationTexts & {
  fields: Record<keyof Manifest["fields"], string>;
  examples?: { [Name in keyof Manifest["fields"]]?: string | number };
} & ([AuxiliaryField<Manifest>] extends [never] ? object : { pictures: Record<AuxiliaryField<Manifest>, string> });

/** The texts about an operation in the API reference, in the command's help and for language models. */
export type OperationTexts = {
  summary: string;
  description: string;
  /** What is special about it as a step of a recipe. */
  inRecipes?: string;
  /** What each field's value means, by field name. */
  fields: Record<string, string>;
  /** Example values, by field name. */
  examples?: Record<string, string | number>;
  /** The texts of auxiliary files, by field name. */
  pictures?: Record<string, string>;
};

const metadata =
  "Metadata to keep. copyright: creator, rights, licence, credit, date. all-but-place: camera too. Never location, serial numbers, owner or thumbnails.";
const forbid = `Losses that fail the file, for free; comma-separated: ${lossNames.join(", ")}.`;
const page = "The page of a PDF. Default: 1.";
const byteLimit = {
  max_bytes: `Maximum size in bytes. The result has the best quality that fits, at most ${bestUnrequested} or the quality requested.`,
  min_quality: "With max_bytes: the lowest quality allowed.",
  allow_resize: "With max_bytes: reduce the size in pixels if min_quality does not fit.",
};
const cutOut = {
  background:
    "transparent (the default) or a colour: a CSS name, #rgb or #rrggbb. For a picture use the field background_image.",
  crop: "Crop to the subject.",
  margin: "With crop: space around the subject, in percent of its longer side.",
  mask_only: "Return the matte itself, as a grey PNG.",
};
const behind = "A picture behind the subject.";

const texts: { readonly [Name in TaskName]: TextsOf<(typeof tasks)[Name]> } = {
  compress: {
    summary: "Reduce file size",
    description: "Keeps format and size in pixels, and never returns a larger file.",
    fields: {
      quality: `1 (smallest) to 100 (visually lossless, or lossless where the format can). The same number looks the same in every format. Default: ${defaultQualities.compress}. With max_bytes it is the upper limit; default then: ${bestUnrequested}.`,
      ...byteLimit,
      min_likeness:
        "Minimum likeness (SSIMULACRA 2.1). The quality is raised to reach it, or the original is returned.",
      measure: "true: report the result's likeness to the original (SSIMULACRA 2.1).",
      keep_film: "true: keep the film of a motion photo, if max_bytes has room.",
      metadata,
      forbid,
      page,
    },
    examples: { quality: defaultQualities.compress },
  },
  resize: {
    summary: "Change the size in pixels",
    description: "With only width or only height, the aspect ratio gives the other.",
    fields: {
      width: "Pixels; blank: from the height, by the aspect ratio.",
      height: "Pixels; blank: from the width, by the aspect ratio.",
      percent: "Instead of width and height: percent of the original size.",
      method: "fit: inside the box. fill: covers the box, cropped. stretch: ignores the aspect ratio.",
      enlarge:
        "true: the result may be larger than the original. false: never. Default: fit never enlarges; fill, stretch, a single side and percent do. An SVG is drawn at any size.",
      canvas:
        "With fit: the result has exactly the size, and what the picture leaves free is a colour (a CSS name, #rgb or #rrggbb), transparent, or blur: the picture itself, blurred.",
      position: "Where the picture stands on its canvas. Default: centre.",
      padding: "Free space around the picture on its canvas, in pixels (40) or percent of the shorter side (5%).",
      gravity: "With fill: what the crop keeps. smart: what draws the eye. Default: centre.",
      dpi: "The density that the file states, in dots per inch; the pixels stay. Default: the original's.",
      target_format: "The format of the result. Default: the original's, if it can be written.",
      quality: `1 (smallest) to 100 (visually lossless, or lossless where the format can). Default: ${defaultQualities.others}; PNG, TIFF and GIF are lossless.`,
      metadata,
      forbid,
      page,
    },
    examples: { width: 1600 },
  },
  watermark: {
    summary: "Write a text or a logo on a picture",
    description:
      "The result keeps the format of the picture, and its pixels outside the mark; animations stay animated.",
    fields: {
      text: "One line of up to 100 characters: Latin, Greek, Cyrillic or Devanagari letters.",
      font: "sans: Inter. serif: Fraunces.",
      colour: "Of the text: auto (white on dark, black on light), a CSS name, #rgb or #rrggbb.",
      size: "The width of the mark, in percent of the picture's width. It is smaller where it would not fit.",
      opacity: "Percent.",
      position: "Where the mark stands.",
      margin: "Space to the edges, in percent of the picture's shorter side.",
      angle: "Degrees, clockwise.",
      tiled: "true: the mark is repeated over the whole picture.",
      metadata,
      forbid,
      page,
    },
    pictures: { logo_image: "A logo, in any accepted format; PNG, WebP and SVG keep their transparency." },
  },
  upscale: {
    summary: "Enlarge with a neural network",
    description:
      "A neural network adds the detail: check faces and text. 8 is done as 4, then 2. Animations are refused.",
    fields: {
      scale_factor: "The factor for width and height.",
      model:
        "clean: sharp originals. compressed: JPEG artefacts. sharper: adds detail for looks. auto: chosen by file.",
      metadata,
      forbid,
      page,
    },
    examples: { scale_factor: 2 },
  },
  "remove-background": {
    summary: "Cut out the subject",
    description: "Returns a PNG with alpha at full resolution, or another format, and its confidence in the subject.",
    fields: {
      profile: "auto: for most pictures. product: for firm edges. portrait: for people and hair.",
      ...cutOut,
      target_format:
        "The format of the result. Default: PNG. In a format without transparency, such as JPEG, the default background is white.",
      quality: `For JPEG, WebP or AVIF: 1 (smallest) to 100 (visually lossless, or lossless where the format can). Default: ${defaultQualities.others}.`,
      editable:
        "Keeps the original and the cut-out for 14 minutes after the job's end, for free edits (`POST /api/jobs/{id}/files/{index}/edit`). false: both are deleted once delivered.",
      metadata,
      forbid,
      page,
    },
    pictures: { background_image: behind },
  },
  convert: {
    summary: "Change the format",
    description:
      "A picture that already has the target format is not encoded again, and nothing is charged. With quality or max_bytes it is compressed; with a background it is drawn on it.",
    fields: {
      source_format: "The format you expect; the file's content decides.",
      target_format: "The format to write.",
      quality: `1 (smallest) to 100 (visually lossless, or lossless where the format can); blank: ${defaultQualities.others}; PNG, TIFF and BMP are lossless. With max_bytes it is the upper limit; blank then: ${bestUnrequested}.`,
      ...byteLimit,
      background:
        "A colour behind transparent areas: a CSS name, #rgb or #rrggbb. Default: white if the target has no transparency.",
      metadata,
      forbid,
      page,
    },
  },
  "web-set": {
    summary: "Make a picture for a web page",
    description:
      "One ZIP per picture: every width in every format at the same likeness, the <picture> markup, and set.json with a placeholder. Animations are refused.",
    inRecipes: "In a recipe it must be the last step.",
    fields: {
      widths: "1 to 8 widths in pixels, none above the original's unless it is an SVG.",
      formats: "One or more of avif, webp, jpeg, png. Transparent pictures become PNG instead of JPEG.",
      quality: "1 (smallest) to 100 (visually lossless), with the same likeness in every format.",
      sizes: "The sizes attribute of the markup.",
      alt: "The alt attribute of the markup.",
      metadata,
      forbid,
      page,
    },
  },
  crop: {
    summary: "Crop a picture",
    description:
      "A box in pixels of the upright picture, or the largest box of an aspect ratio. Animations are refused.",
    inRecipes: "Free as a step before another operation of a recipe.",
    fields: {
      left: "Pixels from the left edge; blank: 0, or centred with a ratio.",
      top: "Pixels from the top edge; blank: 0, or centred with a ratio.",
      width: "Pixels; blank: up to the right edge.",
      height: "Pixels; blank: down to the bottom edge.",
      ratio: "Width to height, like 4:5: the largest box of this shape, inside the box given by the other fields.",
      gravity: "With a ratio: what the crop keeps. smart: what draws the eye. Default: centre.",
      straighten:
        "Degrees clockwise, in tenths. The box is then relative to the rotated picture, and shrinks until no corner is empty.",
      metadata,
      forbid,
      page,
    },
    examples: { width: 800 },
  },
  turn: {
    summary: "Turn or mirror a picture",
    description: "Turned first, then mirrored. Animations are refused.",
    inRecipes: "Free as a step before another operation of a recipe.",
    fields: {
      degrees: "Degrees clockwise.",
      flip: "horizontal: left becomes right. vertical: top becomes bottom.",
      metadata,
      forbid,
      page,
    },
    examples: { degrees: 90 },
  },
  upload: {
    summary: "Check pictures",
    description: "Returns each picture as it is, with its metadata removed. Free.",
    fields: {},
  },
  preview: {
    summary: "A small picture of any accepted file, or a part of an operation's result",
    description:
      "Without an operation: a WebP of the whole picture. With one: the part of its result at `left` and `top`, in the result's format, and an estimate of the whole in `X-Preview`. With `whole`: the whole result as a WebP, reduced to `side`. Free, with a daily limit. Previews are no results: a whole picture is shown with about half of its pixels, and in 24 hours parts show a caller or a network at most half of a picture. Parts that were seen can be seen again with other options; another one gets `cannot-process` with the field `part`.",
    fields: {
      side: "Longest side of the preview, px. At most 0.7 times that of the picture, but no less than 16.",
      operation: "The operation to preview.",
      options: "The operation's options, as a JSON object.",
      steps: "With an operation: a turn, a crop or both before it, as a JSON list of recipe steps.",
      left: "With an operation: where the part begins, px of the result; blank: centred.",
      top: "With an operation: where the part begins, px of the result; blank: centred.",
      part: "With an operation: width and height of the part, px. Smaller if that would be more than half of the result or of the source.",
      whole:
        "With an operation: the whole result, reduced to `side`. A result of more than twice that size is encoded at twice that size.",
      keep: "Keeps the picture for 14 minutes for further previews without upload, which name the job from `X-Job` in `of`. The newest twelve are kept per account, and per network for guests.",
      of: "Instead of `files`: the job of a preview sent with `keep`.",
      page: "The page of a PDF, from 1. Default: 1. With an operation, its options or steps may name it.",
    },
    pictures: { logo_image: "With the operation watermark: its logo." },
  },
  edit: {
    summary: "Edit a cut-out: background, crop, shadow, matte or candidate",
    description:
      "Edits the cut-out that the server keeps for 14 minutes after the job's end, at full resolution. Free. Returns a PNG.",
    fields: {
      candidate: "The candidate to use: 1 is the result; the report has their number.",
      background: cutOut.background,
      blur: "Puts the original behind the subject, blurred: 1 (a little) to 100.",
      shadow: "A soft shadow below the subject: 0 (none) to 100 (dark).",
      crop: cutOut.crop,
      margin: cutOut.margin,
      mask_only: cutOut.mask_only,
    },
    pictures: {
      background_image: behind,
      matte: "A corrected matte: a grey PNG of the cut-out's size, white where the subject is.",
    },
  },
};

export const textsOf = (name: TaskName): OperationTexts => texts[name];

export { detailOf } from "./error-details.ts";
