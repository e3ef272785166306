import { type CodedSentence, writeSentence } from "./coded-sentence.ts";
import { formats, type InputFormat } from "./format.ts";
import { grouped, likenessMissed } from "./sentence-parts.ts";
import { text } from "./text.ts";

/** The groups of metadata, in the order in which a note lists them. */
export const metadataGroups = {
  copyright: "copyright",
  creator: "creator",
  licence: "licence",
  "credit-line": "credit line",
  date: "date",
  camera: "camera",
  "camera-settings": "camera settings",
  location: "location",
  "serial-numbers": "serial numbers",
  "owner-name": "owner’s name",
  description: "description",
  thumbnail: "thumbnail",
  "maker-notes": "maker notes",
  "other-details": "other details",
} as const;
export type MetadataGroup = keyof typeof metadataGroups;

/** Content of an SVG that a browser would run or fetch. */
const activeContents = {
  "active-addresses": "addresses that run scripts",
  "event-handlers": "event handlers",
  "other-files": "references to other files",
  scripts: "scripts",
} as const;
export type ActiveContent = keyof typeof activeContents;

const label = (format: InputFormat) => formats[format].label;
const groupNames = (groups: readonly MetadataGroup[]) => groups.map((group) => metadataGroups[group]).join(", ");

/** What was lost or decided while a file was processed: the sentence of each code. */
const sentences = {
  // What a file has besides its primary picture.
  "gain-map-left-out": "The HDR gain map was left out.",
  "gain-map-kept": "The HDR gain map was kept.",
  "depth-map-left-out": "The depth map was left out.",
  "depth-map-kept": "The depth map was kept.",
  "mattes-left-out": "The portrait mattes were left out.",
  "mattes-kept": "The portrait mattes were kept.",
  "film-left-out": "The film of the motion photo was left out.",
  "film-kept": "The film of the motion photo was kept.",
  "further-pictures-left-out": ({ count }: { count: number }) =>
    count === 1
      ? "The second picture in the file was left out."
      : `${count} further pictures in the file were left out.`,
  "further-pictures-kept": "The further pictures in the file were kept.",
  "layers-left-out": "The layers were left out: only the flattened picture is read.",
  "credentials-left-out": "Content credentials (C2PA) were left out: they vouch for the original file only.",
  "trailing-data-left-out": "Data after the end of the picture was left out.",
  metadata: ({ kept, removed }: { kept: readonly MetadataGroup[]; removed: readonly MetadataGroup[] }) =>
    [
      ...(kept.length > 0 ? [`Kept: ${groupNames(kept)}.`] : []),
      ...(removed.length > 0 ? [`Removed: ${groupNames(removed)}.`] : []),
    ].join(" "),
  "video-left-out": "Only the still image is kept; its video is left out.",

  // Of several pictures, one.
  "first-frame-kept": ({ frames }: { frames: number }) => `Only the first of ${frames} frames is kept.`,
  "first-page-kept": ({ pages }: { pages: number }) => `Only the first of ${pages} pages is kept.`,
  "first-picture-kept": ({ pictures }: { pictures: number }) => `Only the first of ${pictures} pictures is kept.`,
  "main-picture-kept": ({ pictures }: { pictures: number }) => `Only the main one of ${pictures} pictures is kept.`,
  "largest-icon-kept": ({ images }: { images: number }) => `Only the largest of ${images} images in the icon is kept.`,
  "chosen-page": ({ page, pages }: { page: number; pages: number }) => `Page ${page} of ${pages}.`,

  // What the format of the result cannot store. "May": foreseen from the header alone.
  "animation-lost": ({ frames, format }: { frames: number; format: InputFormat }) =>
    `Only the first of ${frames} frames is kept: ${label(format)} does not move.`,
  "animation-may-be-lost": ({ format }: { format: InputFormat }) =>
    `If it moves, only its first frame is kept: ${label(format)} does not move.`,
  "transparency-lost": ({ format }: { format: InputFormat }) =>
    `Transparent areas are now white: ${label(format)} has no transparency.`,
  "transparency-may-be-lost": ({ format }: { format: InputFormat }) =>
    `If it has transparent areas, they become white: ${label(format)} has no transparency.`,
  "partial-transparency-lost":
    "Partly transparent areas are now opaque or fully transparent: GIF has no partial transparency.",
  "partial-transparency-may-be-lost":
    "If it has partly transparent areas, they become opaque or fully transparent: GIF has no partial transparency.",
  "background-now-white": ({ format }: { format: InputFormat }) =>
    `The background is now white: ${label(format)} has no transparency.`,
  "profile-lost": ({ format }: { format: InputFormat }) =>
    `Colours are converted to sRGB: ${label(format)} holds no colour profile.`,
  "profile-may-be-lost": ({ format }: { format: InputFormat }) =>
    `If it has a colour profile, its colours are converted to sRGB: ${label(format)} holds none.`,
  "depth-lost": ({ format }: { format: InputFormat }) =>
    `Colours are reduced to 8 bits a channel: Tintype writes ${label(format)} with 8.`,
  "depth-may-be-lost": ({ format }: { format: InputFormat }) =>
    `If it has 16 bits a channel, they are reduced to 8: Tintype writes ${label(format)} with 8.`,
  "format-not-written": ({ from, to }: { from: InputFormat; to: InputFormat }) =>
    `${label(from)} cannot be written; the result is ${label(to)}.`,
  "icon-not-written": "The result is one image, as PNG. Use convert to make an icon of it.",
  "too-long-for-format": ({ format, longest }: { format: InputFormat; longest: number }) =>
    `${label(format)} holds up to ${grouped(longest)} pixels a side; the result is PNG.`,
  "short-frames-slowed": "Frames of less than 20 ms are shown for 20 ms: browsers play a GIF no faster.",
  "icon-sizes": ({ sizes }: { sizes: readonly number[] }) =>
    sizes.length > 1
      ? `The icon has the sizes ${sizes.slice(0, -1).join(", ")} and ${sizes.at(-1)} px.`
      : `The icon has one size, ${sizes[0]} px.`,

  // Colours.
  "cmyk-converted": "Colours for print (CMYK) are converted to sRGB.",
  "lab-converted": "Colours in Lab are converted to sRGB.",
  "duotone-read-as-grey": "The inks of a duotone are left out: it is read as grey.",
  "high-range-reduced": "High dynamic range is reduced to what ordinary screens show.",
  "colour-space-assumed": "The colour space is not supported; sRGB is assumed.",
  "channels-left-out": ({ count }: { count: number }) =>
    count === 1
      ? "A channel beyond colour and transparency was left out."
      : `${count} channels beyond colour and transparency were left out.`,
  "animation-colours-converted": "Colours of an animation are converted to sRGB.",
  "apng-colours-converted": "Colours of an animated PNG are converted to sRGB.",
  "apng-depth-reduced": "Colours of an animated PNG are reduced to 8 bits per channel.",
  "depth-reduced-by-quality": ({ below }: { below: number }) =>
    `16 bits a channel are reduced to 8 below a quality of ${below}.`,
  "float-reduced-to-8": "Numbers in floating point are reduced to 8 bits a channel.",
  "float-reduced-to-16": "Numbers in floating point are reduced to 16 bits a channel.",
  "bright-values-clipped": "Values above 1 (brighter than white) were clipped.",
  "range-stretched": ({ min, max }: { min: number; max: number }) =>
    `Its numbers go from ${min} to ${max}; they are shown as black to white.`,
  "colours-converted-for-background": "Colours are converted to sRGB to go with the new background.",
  "depth-reduced-for-background": "Colours are reduced to 8 bits a channel to go with the new background.",
  "colours-converted-for-edit": "Colours are converted to sRGB for the new picture.",
  "depth-reduced-for-edit": "Colours are reduced to 8 bits a channel for the new picture.",

  // Drawings, documents and raw files.
  "text-path-not-drawn": "Text on a path (textPath) was not rendered.",
  "embedded-html-not-drawn": "Embedded HTML (foreignObject) was not rendered.",
  "drawing-stands-still": "The drawing moves; it is drawn as it begins.",
  "css-colours-may-be-missing":
    "Colours in a notation of CSS that is not known here (such as oklch or color-mix) may be missing.",
  "css-shapes-not-applied": "Shapes and masks that are written in CSS are not applied.",
  "css-transforms-not-applied":
    "Turns and shifts that are written as properties of their own (rotate, scale, translate) are not applied.",
  "css-paths-not-drawn": "Paths that are written in a style sheet are not drawn.",
  "calculated-sizes-may-be-missing": "Sizes that have to be calculated (calc) may be missing.",
  "fonts-may-be-missing": ({ fonts }: { fonts: readonly string[] }) =>
    `The text asks for ${fonts.length === 1 ? `the font ${fonts[0]}` : `the fonts ${fonts.join(", ")}`}; where the server has no such font, it is drawn in another.`,
  "background-colour-not-drawn": "The background colour of the drawing (background-color) is not drawn.",
  "linked-images-not-drawn": "Pictures at other addresses are never fetched, and are not drawn.",
  "embedded-image-unreadable": "An embedded image cannot be read and was left out.",
  "style-sheet-too-long": "The style sheet is too long to be followed in full.",
  "turned-shape-may-be-misplaced":
    "A shape that turns about the middle of itself may stand elsewhere than in a browser.",
  "active-content-removed": ({ removed }: { removed: readonly ActiveContent[] }) =>
    `The drawing lost ${removed.map((content) => activeContents[content]).join(", ")}.`,
  "page-drawn-small": ({ dpi }: { dpi: number }) => `The page is large, and was drawn at ${dpi} dpi.`,
  "pdf-fonts-missing": "Some text is missing, since its font is not part of the PDF.",
  "raw-preview-used": ({ kind, width, height }: { kind: string; width: number; height: number }) =>
    `This is a camera raw file (${kind}): its largest preview, ${width} x ${height} px, is used.`,

  // What an operation decided.
  "not-enlarged": "The picture has fewer pixels than the size that was asked for, and was not enlarged.",
  "set-not-enlarged": ({ width }: { width: number }) => `The picture is ${width} px wide, and was not enlarged.`,
  "set-format-left-out": ({ format }: { format: InputFormat }) =>
    `The ${label(format)} files are left out, because another format of the set is no larger.`,
  "scaled-down-to-fit": ({
    width,
    height,
    maxBytes,
    format,
  }: {
    width: number;
    height: number;
    maxBytes: number;
    format: InputFormat;
  }) => `The image was scaled down to ${width} x ${height} pixels to fit into ${maxBytes} bytes as ${label(format)}.`,
  "quality-raised": ({ quality, likeness }: { quality: number; likeness: number }) =>
    `The quality was raised to ${quality} to keep a likeness of ${likeness}.`,
  "likeness-missed": (missed: { likeness: number; maxBytes?: number | undefined; best?: number | undefined }) =>
    `${likenessMissed({ ...missed, result: "smaller result" })} The original came back.`,
  "drawn-by-lines": "Drawn at the larger size by its lines: no network was needed.",
  "invented-detail": "Drawn by a network: text and faces may differ.",
  sharpened: "Detail was added for a sharper look.",
  "enlarged-twice": "Enlarged 4 times, then 2 times.",
  "compression-repaired": "The picture shows traces of compression; the model for such pictures was used.",
  "person-missing": text.personMissing,
  "test-key": ({ longestPx }: { longestPx: number }) =>
    `This is a result of a test key: marked, still, and at most ${longestPx} px.`,
} as const;

/** A note on a file, as it is stored and sent: a code with the parameters of its sentence. */
export type Note = CodedSentence<typeof sentences>;

export const noteText = (note: Note): string => writeSentence(sentences, note);

export const isNoteCode = (code: string): code is Note["code"] => Object.hasOwn(sentences, code);
