import { usualQuality } from "../facts/format.ts";
import type { TaskName, tasks } from "../facts/operations/index.ts";

/** The names of form fields for a picture in addition to the file. */
type PictureName<Manifest> =
  | (Manifest extends { secondPicture: { field: infer Name extends string } } ? Name : never)
  | (Manifest extends { mendedMatte: { field: infer Name extends string } } ? Name : never);

/** The compiler rejects a field or an additional picture without a text. */
type TextsOf<Manifest extends { fields: object }> = OperationTexts & {
  fields: Record<keyof Manifest["fields"], string>;
  examples?: { [Name in keyof Manifest["fields"]]?: string | number };
} & ([PictureName<Manifest>] extends [never] ? object : { pictures: Record<PictureName<Manifest>, string> });

/** The texts about an operation in the API reference, in the command's help and for language models. */
export type OperationTexts = {
  summary: string;
  description: string;
  /** What each field's value means, by field name. */
  fields: Record<string, string>;
  /** Example values, by field name. */
  examples?: Record<string, string | number>;
  /** The texts of additional pictures, by field name. */
  pictures?: Record<string, string>;
};

const metadata =
  "Kept metadata. copyright: creator, rights, licence, credit, date. all-but-place: camera too. Never location, serial numbers, owner or thumbnails.";
const page = "Of a PDF. Left out: 1.";
const byteLimit = {
  max_bytes: "The most bytes that the result may have; it gets the best quality that fits.",
  min_quality: "With max_bytes: the lowest quality that may be taken.",
  allow_resize: "With max_bytes: where not even min_quality fits, the picture may lose pixels.",
};
const cutOut = {
  background:
    "transparent (the default), or a colour: a CSS name, #rgb or #rrggbb. A picture goes into the field background_image.",
  crop: "Cut to the subject.",
  margin: "With crop: free space around the subject, percent of its longer side.",
  mask_only: "Gives the matte itself, as a grey PNG.",
};
const behind = "A picture to put behind the subject.";

const texts: { readonly [Name in TaskName]: TextsOf<(typeof tasks)[Name]> } = {
  compress: {
    summary: "Make pictures smaller",
    description: "Keeps format and size in pixels, and never returns a larger file.",
    fields: {
      quality: `1 (smallest) to 100 (visually lossless, or lossless where the format can). The same number looks the same in every format. Left out: ${usualQuality.compress}. With max_bytes it is the best that is tried, and 100 if it is left out.`,
      ...byteLimit,
      min_likeness: "The least likeness of the result: the quality is raised to keep it, or the original comes back.",
      measure: "true: the result's likeness to the original (SSIMULACRA 2.1) is told.",
      keep_film: "true: the film of a motion photo stays, where max_bytes has room.",
      metadata,
      page,
    },
    examples: { quality: usualQuality.compress },
  },
  resize: {
    summary: "Change the size in pixels",
    description: "Width or height may be left out: the ratio gives it.",
    fields: {
      width: "Pixels; blank: from the height, by the ratio.",
      height: "Pixels; blank: from the width, by the ratio.",
      percent: "In place of width and height: of the picture's own sides.",
      method: "fit: inside the box. fill: covers the box, the centre is cut out. stretch: the ratio is ignored.",
      enlarge:
        "true: the result may have more pixels than the picture. false: never. Left out: fit never enlarges, and fill, stretch, a single side or a percent give what they say. An SVG is drawn at any size.",
      target_format: "The format of the result. Left out: the picture's own, where it can be written.",
      quality: `1 (smallest) to 100 (visually lossless, or lossless where the format can). Left out: ${usualQuality.others}, and PNG, TIFF and GIF lose nothing.`,
      metadata,
      page,
    },
    examples: { width: 1600 },
  },
  upscale: {
    summary: "Enlarge with a neural network",
    description:
      "A network draws the result: text and faces may differ. 8 is done as 4, then 2. Moving pictures are refused.",
    fields: {
      scale_factor: "How many times wider and higher.",
      model: "clean: sharp originals. compressed: JPEG traces. sharper: adds detail for looks. auto: by the file.",
      metadata,
      page,
    },
    examples: { scale_factor: 2 },
  },
  "remove-background": {
    summary: "Cut out the subject",
    description:
      "Gives a PNG with alpha at full resolution, or another format, and tells how sure it is of the subject.",
    fields: {
      profile: "auto: for most pictures. product: for firm edges. portrait: for people and hair.",
      ...cutOut,
      target_format:
        "The format of the result. Left out: PNG. A format without transparency, such as JPEG, has white where there is no background.",
      quality: `Of a JPEG, WebP or AVIF: 1 (smallest) to 100 (visually lossless, or lossless where the format can). Left out: ${usualQuality.others}.`,
      editable:
        "Keeps the original and the cut-out for 14 minutes after the job's end, for free edits (`POST /api/jobs/{id}/files/{index}/edit`). false: both are deleted once delivered.",
      metadata,
      page,
    },
    pictures: { background_image: behind },
  },
  convert: {
    summary: "Change the format",
    description:
      "A picture that has the target format already is not coded again, and nothing is charged. With quality or max_bytes it is compressed, and with a background it is drawn on that.",
    fields: {
      source_format: "The source's format as you believe it; the file's content decides.",
      target_format: "The format to write.",
      quality: `1 (smallest) to 100 (visually lossless, or lossless where the format can); blank: ${usualQuality.others}, and without loss into PNG, TIFF and BMP. With max_bytes it is the best that is tried.`,
      ...byteLimit,
      background:
        "A colour behind transparent areas: a CSS name, #rgb or #rrggbb. Left out: white where the target has no transparency.",
      metadata,
      page,
    },
  },
  "web-set": {
    summary: "Make a picture for a web page",
    description:
      "A ZIP for each picture: every width in every format at one likeness, the <picture> markup, and set.json with a placeholder. A recipe's last step. Moving pictures are refused.",
    fields: {
      widths: "Pixels, 1 to 8 of them. None is above the picture's own, unless it is an SVG.",
      formats: "Of avif, webp, jpeg, png. PNG takes JPEG's place where there is transparency.",
      quality: "1 (smallest) to 100 (visually lossless), the same likeness in every format.",
      sizes: "The attribute sizes of the markup.",
      alt: "The attribute alt of the markup.",
      metadata,
      page,
    },
  },
  crop: {
    summary: "Cut a part out of a picture",
    description:
      "A box in pixels of the upright picture, or the largest box of a ratio. As a step before another operation of a recipe it costs nothing. Moving pictures are refused.",
    fields: {
      left: "Pixels from the left edge; blank: 0, or the middle with a ratio.",
      top: "Pixels from the upper edge; blank: 0, or the middle with a ratio.",
      width: "Blank: up to the right edge.",
      height: "Blank: down to the lower edge.",
      ratio: "Width to height, like 4:5: the largest box of this shape, inside the box that the other fields name.",
      straighten:
        "Degrees clockwise, in tenths. The box then lies in the turned picture's bounds, and shrinks until no corner is empty.",
      metadata,
      page,
    },
    examples: { width: 800 },
  },
  turn: {
    summary: "Turn or mirror a picture",
    description:
      "Turned first, then mirrored. As a step before another operation of a recipe it costs nothing. Moving pictures are refused.",
    fields: {
      degrees: "How far, clockwise.",
      flip: "horizontal: left becomes right. vertical: the upper side becomes the lower one.",
      metadata,
      page,
    },
    examples: { degrees: 90 },
  },
  upload: {
    summary: "Check pictures",
    description: "Answers with each picture as it is, its metadata removed. Costs nothing.",
    fields: {},
  },
  preview: {
    summary: "A small picture of any accepted file, or a part of an operation's result",
    description:
      "Without an operation: a WebP of the whole picture. With one: the part of its result that `left` and `top` name, in the result's own format, and in `X-Preview` an estimate of the whole. With `whole`: all of its result as a WebP, reduced to `side`. Costs nothing, and is bounded by the day.",
    fields: {
      side: "Longest side of the preview, px.",
      operation: "Shows what this operation makes of a part of the picture.",
      options: "The operation's options, as a JSON object.",
      steps: "With an operation: what comes before it, a turn, a crop or both, as the JSON list of a recipe's steps.",
      left: "With an operation: where the shown part begins, px of the result; blank: in the middle.",
      top: "With an operation: where the shown part begins, px of the result; blank: in the middle.",
      part: "With an operation: width and height of the shown part, px.",
      whole:
        "With an operation: shows the whole result, reduced to `side`, and no part. A result of more than twice that size is coded at twice that size.",
      keep: "Keeps the picture for 14 minutes: further previews name the job in `of`, and need no upload. `X-Job` names it. The newest twelve are kept per person, and per network for guests.",
      of: "In place of `files`: the job of a preview that was kept.",
      page: "Of a PDF: the page, from 1; left out: the first. With an operation, its options or steps may name it.",
    },
  },
  edit: {
    summary: "Change a cut-out's background, crop, shadow or matte, or take another candidate",
    description:
      "Works on the cut-out that the server keeps for 14 minutes after the job's end, at full resolution. Costs nothing. Answers with a PNG.",
    fields: {
      candidate: "Which of the cut-out's candidates: 1 is the result, and the report tells how many there are.",
      background: cutOut.background,
      blur: "Puts the original behind the subject, blurred: 1 (a little) to 100.",
      shadow: "A soft shadow below the subject: 0 (none) to 100 (dark).",
      crop: cutOut.crop,
      margin: cutOut.margin,
      mask_only: cutOut.mask_only,
    },
    pictures: {
      background_image: behind,
      matte: "A mended matte: a grey PNG of the cut-out's own size, white where the subject is.",
    },
  },
};

export const textsOf = (name: TaskName): OperationTexts => texts[name];
