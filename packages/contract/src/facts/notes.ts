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
  "film-left-out": "The motion photo’s video was left out.",
  "film-kept": "The motion photo’s video was kept.",
  "further-pictures-left-out": ({ count }: { count: number }) =>
    count === 1 ? "The second image in the file was left out." : `${count} more images in the file were left out.`,
  "further-pictures-kept": "The other images in the file were kept.",
  "layers-left-out": "The layers were left out: only the flattened image is used.",
  "credentials-left-out": "Content credentials (C2PA) were left out: they apply to the original file only.",
  "trailing-data-left-out": "Data after the end of the image was left out.",
  metadata: ({ kept, removed }: { kept: readonly MetadataGroup[]; removed: readonly MetadataGroup[] }) =>
    [
      ...(kept.length > 0 ? [`Kept: ${groupNames(kept)}.`] : []),
      ...(removed.length > 0 ? [`Removed: ${groupNames(removed)}.`] : []),
    ].join(" "),
  "video-left-out": "Only the still image was kept, not its video.",

  // Of several pictures, one.
  "first-frame-kept": ({ frames }: { frames: number }) => `Only the first of ${frames} frames was kept.`,
  "first-page-kept": ({ pages }: { pages: number }) => `Only the first of ${pages} pages was kept.`,
  "first-picture-kept": ({ pictures }: { pictures: number }) => `Only the first of ${pictures} images was kept.`,
  "main-picture-kept": ({ pictures }: { pictures: number }) => `Only the main one of ${pictures} images was kept.`,
  "largest-icon-kept": ({ images }: { images: number }) => `Only the largest of the icon’s ${images} images was kept.`,
  "chosen-page": ({ page, pages }: { page: number; pages: number }) => `Page ${page} of ${pages}.`,

  // What the format of the result cannot store. "May": foreseen from the header alone.
  "animation-lost": ({ frames, format }: { frames: number; format: InputFormat }) =>
    `Only the first of ${frames} frames was kept: ${label(format)} cannot be animated.`,
  "animation-may-be-lost": ({ format }: { format: InputFormat }) =>
    `If it is animated, only its first frame is kept: ${label(format)} cannot be animated.`,
  "transparency-lost": ({ format }: { format: InputFormat }) =>
    `Transparent areas are now white: ${label(format)} has no transparency.`,
  "transparency-may-be-lost": ({ format }: { format: InputFormat }) =>
    `Any transparent areas become white: ${label(format)} has no transparency.`,
  "partial-transparency-lost":
    "Semi-transparent areas are now opaque or fully transparent: GIF has nothing in between.",
  "partial-transparency-may-be-lost":
    "Any semi-transparent areas become opaque or fully transparent: GIF has nothing in between.",
  "background-now-white": ({ format }: { format: InputFormat }) =>
    `The background is now white: ${label(format)} has no transparency.`,
  "profile-lost": ({ format }: { format: InputFormat }) =>
    `Colours were converted to sRGB: ${label(format)} cannot hold a colour profile.`,
  "profile-may-be-lost": ({ format }: { format: InputFormat }) =>
    `If it has a colour profile, its colours are converted to sRGB: ${label(format)} cannot hold one.`,
  "depth-lost": ({ format }: { format: InputFormat }) =>
    `Reduced to 8 bits per channel: ${label(format)} is saved with 8.`,
  "depth-may-be-lost": ({ format }: { format: InputFormat }) =>
    `If it has 16 bits per channel, it is reduced to 8: ${label(format)} is saved with 8.`,
  "format-not-written": ({ to }: { from: InputFormat; to: InputFormat }) => `Saved as ${label(to)}.`,
  "icon-not-written": "Saved as one PNG. To make an icon of it, use Convert.",
  "too-long-for-format": ({ format, longest }: { format: InputFormat; longest: number }) =>
    `Saved as PNG: ${label(format)} holds up to ${grouped(longest)} pixels per side.`,
  "density-not-stored": ({ format }: { format: InputFormat }) => `${label(format)} stores no dpi.`,
  "short-frames-slowed": "Frames shorter than 20 ms now last 20 ms: browsers play GIFs no faster.",
  "icon-sizes": ({ sizes }: { sizes: readonly number[] }) =>
    sizes.length > 1
      ? `Icon sizes: ${sizes.slice(0, -1).join(", ")} and ${sizes.at(-1)} px.`
      : `Icon size: ${sizes[0]} px.`,

  // Colours.
  "cmyk-converted": "Print colours (CMYK) were converted to sRGB.",
  "lab-converted": "Lab colours were converted to sRGB.",
  "duotone-read-as-grey": "The duotone’s inks were left out: the image is now grey.",
  "high-range-reduced": "HDR was reduced to standard dynamic range.",
  "colour-space-assumed": "The colour space is not supported, so sRGB was assumed.",
  "channels-left-out": ({ count }: { count: number }) =>
    count === 1
      ? "A channel other than colour and transparency was left out."
      : `${count} channels other than colour and transparency were left out.`,
  "animation-colours-converted": "The animation’s colours were converted to sRGB.",
  "apng-colours-converted": "The animated PNG’s colours were converted to sRGB.",
  "apng-depth-reduced": "The animated PNG was reduced to 8 bits per channel.",
  "depth-reduced-by-quality": ({ below }: { below: number }) =>
    `Reduced from 16 to 8 bits per channel, as always below quality ${below}.`,
  "float-reduced-to-8": "Floating-point values were reduced to 8 bits per channel.",
  "float-reduced-to-16": "Floating-point values were reduced to 16 bits per channel.",
  "bright-values-clipped": "Values above 1 (brighter than white) were clipped.",
  "range-stretched": ({ min, max }: { min: number; max: number }) =>
    `Values from ${min} to ${max} are shown as black to white.`,
  "colours-converted-for-background": "Colours were converted to sRGB to match the new background.",
  "depth-reduced-for-background": "Reduced to 8 bits per channel to match the new background.",
  "colours-converted-for-canvas": "Colours were converted to sRGB to match the canvas.",
  "colours-converted-for-mark": "Colours were converted to sRGB to match the watermark.",
  "depth-reduced-for-mark": "Reduced to 8 bits per channel to match the watermark.",
  "colours-converted-for-edit": "Colours were converted to sRGB for the edit.",
  "depth-reduced-for-edit": "Reduced to 8 bits per channel for the edit.",

  // Drawings, documents and raw files.
  "text-path-not-drawn": "Text on a path (textPath) is missing.",
  "embedded-html-not-drawn": "Embedded HTML (foreignObject) is missing.",
  "drawing-stands-still": "Only the start of the animation is shown.",
  "css-colours-may-be-missing": "Colours in newer CSS notations (such as oklch or color-mix) may be missing.",
  "css-shapes-not-applied": "Shapes and masks set in CSS are not applied.",
  "css-transforms-not-applied": "The CSS properties rotate, scale and translate are not applied.",
  "css-paths-not-drawn": "Paths set in CSS are missing.",
  "calculated-sizes-may-be-missing": "Sizes calculated in CSS (calc) may be missing.",
  "fonts-may-be-missing": ({ fonts }: { fonts: readonly string[] }) =>
    `Text in ${fonts.join(", ")} may appear in ${fonts.length === 1 ? "another font" : "other fonts"}.`,
  "background-colour-not-drawn": "The drawing’s background colour (background-color) is missing.",
  "linked-images-not-drawn": "Linked images are missing: they are never fetched.",
  "embedded-image-unreadable": "An embedded image is damaged and was left out.",
  "style-sheet-too-long": "The style sheet is too long to be applied in full.",
  "turned-shape-may-be-misplaced": "A shape rotated about its own centre may be out of place.",
  "active-content-removed": ({ removed }: { removed: readonly ActiveContent[] }) =>
    `Removed from the drawing: ${removed.map((content) => activeContents[content]).join(", ")}.`,
  "page-drawn-small": ({ dpi }: { dpi: number }) => `The page is large and was rendered at ${dpi} dpi.`,
  "pdf-fonts-missing": "Some text is missing: its font is not in the PDF.",
  "raw-preview-used": ({ kind, width, height }: { kind: string; width: number; height: number }) =>
    `The largest preview in the camera raw file (${kind}) was used: ${width} x ${height} px.`,

  // What an operation decided.
  "not-enlarged": ({ width, height }: { width: number; height: number }) =>
    `Kept at ${width} x ${height} (not enlarged).`,
  "set-not-enlarged": ({ width }: { width: number }) => `Kept at ${width} px wide (not enlarged).`,
  "set-format-left-out": ({ format }: { format: InputFormat }) =>
    `${label(format)} was left out: another format in the set is no larger.`,
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
  }) => `Scaled down to ${width} x ${height} to fit into ${maxBytes} bytes as ${label(format)}.`,
  "quality-raised": ({ quality, likeness }: { quality: number; likeness: number }) =>
    `Quality was raised to ${quality} to keep a likeness of ${likeness}.`,
  "likeness-missed": (missed: { likeness: number; maxBytes?: number | undefined; best?: number | undefined }) =>
    `${likenessMissed({ ...missed, result: "smaller result" })} The original came back.`,
  "drawn-by-lines": "Redrawn from its vectors at the larger size, without AI.",
  "invented-detail": "AI-generated detail: check faces and text.",
  sharpened: "Detail was added for a sharper look.",
  "enlarged-twice": "Enlarged in two steps: 4 times, then 2 times.",
  "compression-repaired": "JPEG clean-up applied.",
  "person-missing": text.personMissing,
  "test-key": ({ longestPx }: { longestPx: number }) =>
    `Made with a test key: watermarked, not animated and at most ${longestPx} px.`,
} as const;

/** A note on a file, as it is stored and sent: a code with the parameters of its sentence. */
export type Note = CodedSentence<typeof sentences>;

export const noteText = (note: Note): string => writeSentence(sentences, note);

export const isNoteCode = (code: string): code is Note["code"] => Object.hasOwn(sentences, code);
