import { type CodedSentence, writeSentence } from "./coded-sentence.ts";
import { type ErrorCode, errors, isErrorCode } from "./error.ts";
import { formats, type InputFormat, inputFormats } from "./format.ts";
import { type Loss, losses } from "./losses.ts";
import { whoAllows } from "./mode.ts";
import { auxiliaryFilesOf, type TaskName } from "./operations/index.ts";
import { grouped, likenessMissed } from "./sentence-parts.ts";
import { text } from "./text.ts";

/** Operations that take no animation. */
const stillOnly = {
  upscale: "Animated images cannot be upscaled. Send a single frame.",
  "remove-background": "The background of animated images cannot be removed. Send a still image.",
  "web-set": "Animated images cannot become a web set. Send a still image.",
  crop: "Animated images cannot be cropped. Send a still image.",
  turn: "Animated images cannot be turned. Send a still image.",
} as const;
export type StillOnlyTask = keyof typeof stillOnly;
export const isStillOnly = (name: string): name is StillOnlyTask => Object.hasOwn(stillOnly, name);

/** Kinds of files that are recognized and not read. */
const unreadKinds = {
  "motion-jpeg-2000": "a video (Motion JPEG 2000)",
  jpm: "a document (JPM)",
  "rare-jpeg": "JPEG-LS or another rare kind of JPEG",
  "jpeg-xr": "JPEG XR",
  cursor: "a cursor (CUR)",
  icns: "an Apple icon (ICNS)",
  openexr: "OpenEXR",
  "radiance-hdr": "Radiance HDR",
  postscript: "PostScript",
  gimp: "a GIMP file (XCF)",
  dds: "a DDS texture",
  qoi: "QOI",
  bpg: "BPG",
  fits: "FITS",
  dicom: "DICOM",
  mng: "MNG",
  jng: "JNG",
  emf: "an Enhanced Metafile (EMF)",
  wmf: "a Windows Metafile (WMF)",
  raf: "a camera raw file (RAF)",
  rw2: "a camera raw file (RW2)",
  orf: "a camera raw file (ORF)",
  x3f: "a camera raw file (X3F)",
  crw: "a camera raw file (CRW)",
  cr3: "a camera raw file (CR3)",
  video: "a video",
  avi: "a video (AVI)",
  gzip: "a gzip archive (unpack a compressed SVG first)",
  zip: "a ZIP archive",
  netpbm: "a Netpbm image",
  "web-page": "a web page",
} as const;
export type UnreadKind = keyof typeof unreadKinds;

/** Coding processes of JPEG that are not read. */
const jpegCodings = {
  lossless: "is coded without loss",
  hierarchical: "is coded in a hierarchy of sizes",
  "jpeg-ls": "is JPEG-LS",
} as const;
export type UnreadJpegCoding = keyof typeof jpegCodings;

/** What is wrong with a damaged GIF. */
const gifFaults = {
  "bad-signature": "it does not start like a GIF",
  "cut-off-header": "it ends inside its header",
  "no-frame": "it has no image",
  "no-pixels": "it has no pixels",
  "unknown-block": "there is an unknown block between its images",
  "no-palette": "an image in it has no colours",
  "cut-off": "it is cut off",
  "large-frame": "a frame is larger than its canvas",
  "bad-frame": "a frame cannot be decoded",
} as const;

const label = (format: InputFormat) => formats[format].label;
const inMegapixels = (megapixels: number) => megapixels.toFixed(1);
/** The formats that are read, as text. */
const acceptedFormats = () => {
  const labels = inputFormats.map(label);
  return `${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}`;
};

/** Why a file failed, or is unchanged: the sentence of each code. An error code of the catalogue has the catalogue's. */
const sentences = {
  // Limits. Megapixels have one decimal.
  "picture-too-large": ({ megapixels, limit }: { megapixels: number; limit: number }) =>
    `The image has ${inMegapixels(megapixels)} megapixels; ${whoAllows()} allows ${limit}.`,
  "animation-too-large": ({ frames, megapixels, limit }: { frames: number; megapixels: number; limit: number }) =>
    `The ${frames} frames have ${inMegapixels(megapixels)} megapixels together; ${whoAllows()} allows ${limit} for an animation.`,
  "too-many-frames": ({ frames, limit }: { frames: number; limit: number }) =>
    `The image has ${frames} frames; the limit is ${limit}.`,
  "more-frames-than": ({ limit }: { limit: number }) => `The image has more than ${limit} frames.`,
  "result-too-large": ({ megapixels, limit }: { megapixels: number; limit: number }) =>
    `The result would have ${inMegapixels(megapixels)} megapixels; ${whoAllows()} allows ${limit}.`,
  "result-animation-too-large": ({
    frames,
    megapixels,
    limit,
  }: {
    frames: number;
    megapixels: number;
    limit: number;
  }) =>
    `The ${frames} frames of the result would have ${inMegapixels(megapixels)} megapixels together; ${whoAllows()} allows ${limit} for an animation.`,
  "result-too-long": ({ width, height, limit }: { width: number; height: number; limit: number }) =>
    `The result would be ${width} x ${height} pixels; a side can have up to ${grouped(limit)}.`,
  "set-too-large": ({ sizes, megapixels, limit }: { sizes: number; megapixels: number; limit: number }) =>
    `The ${sizes} sizes would have ${inMegapixels(megapixels)} megapixels together; ${whoAllows()} allows ${limit} for a set.`,
  "enlarged-too-large": ({
    factor,
    megapixels,
    limit,
    fitting,
  }: {
    factor: number;
    megapixels: number;
    limit: number;
    /** What would fit: a smaller factor, or for twice a smaller picture, px. */
    fitting: number | { width: number; height: number };
  }) =>
    `Enlarged ${factor} times, the image would have ${inMegapixels(megapixels)} megapixels; ${whoAllows()} allows ${limit}. ${
      typeof fitting === "number"
        ? `Enlarging it ${fitting} times would fit.`
        : `To be enlarged twice, it can have at most ${fitting.width} x ${fitting.height} pixels.`
    }`,
  "drawing-not-filled": "The drawing is much longer than the size to fill. Use the method fit or stretch.",
  "drawing-too-long": ({ limit }: { limit: number }) =>
    `The drawing is too wide or too high to be rendered at its own size; the limit is ${grouped(limit)} pixels per side. Resize can make it smaller.`,
  "drawing-unmeasured": ({ limit }: { limit: number }) =>
    `The drawing is more than ${grouped(limit)} pixels wide or high.`,
  "format-too-long": ({
    format,
    longest,
    width,
    height,
  }: {
    format: InputFormat;
    longest: number;
    width: number;
    height: number;
  }) => `${label(format)} holds up to ${grouped(longest)} pixels per side; this image has ${width} x ${height}.`,
  "jpeg-too-long": ({ width, height, limit }: { width: number; height: number; limit: number }) =>
    `The image has ${width} x ${height} pixels; JPEG allows up to ${grouped(limit)} per side.`,
  "preview-too-large": ({ limit }: { limit: number }) => `Previews are limited to images of ${limit} megapixels.`,
  "animation-not-written": "An animation of this size cannot be written.",
  "more-bytes-than": ({
    maxBytes,
    smallestBytes,
    allowResize,
  }: {
    maxBytes: number;
    smallestBytes: number;
    allowResize: boolean;
  }) =>
    `The image does not fit into ${maxBytes} bytes; the smallest possible result has ${smallestBytes}. ${allowResize ? "Allow more bytes." : "Allow more bytes, a lower min_quality, or allow_resize."}`,
  "likeness-unreachable": (missed: { likeness: number; maxBytes?: number | undefined; best?: number | undefined }) =>
    likenessMissed({ ...missed, result: "result" }),
  "out-of-memory": "The image needs more memory than is available. Try a smaller one.",
  "disk-full": "The disk of this process is full. It takes no work until there is room.",

  // Files and formats that are not read.
  "empty-file": "The file is empty.",
  "unread-file": ({ kind }: { kind?: UnreadKind | undefined }) =>
    `${kind === undefined ? "This file is not an image we can read." : `This file is ${unreadKinds[kind]}, which is not supported.`} Send ${acceptedFormats()}.`,
  "samples-not-read": ({ type }: { type: string }) =>
    `This image has samples of the type "${type}", which is not supported. Save it with 8 or 16 bits per channel.`,
  "channels-not-read": ({ channels }: { channels: number }) =>
    `This image has ${channels} channels. Only colour and transparency are supported.`,
  "psd-multichannel": "This Photoshop file has spot colours (multichannel), which is not supported.",
  "psd-mode": ({ mode }: { mode: number }) => `This Photoshop file has colour mode ${mode}, which is not supported.`,
  "psd-32-bits": "This Photoshop file has 32 bits per channel. Save a copy with 8 or 16.",
  "psd-spot-colour": ({ colour }: { colour: string | number }) =>
    `This Photoshop file has the spot colour ${typeof colour === "number" ? `of channel ${colour}` : `“${colour}”`}, which is not supported. Merge its spot channels, or export it as PDF or PNG.`,
  "psd-compression": ({ compression }: { compression: number }) =>
    `This Photoshop file has its merged image in compression ${compression}, which is not supported.`,
  "psd-not-merged":
    "This Photoshop file has layers but no merged image. Save it with “Maximize compatibility”, or export it as PNG.",
  "jxl-colour-space": "This JPEG XL has a colour space that is not supported, such as CMYK. Export it as PNG or JPEG.",
  "jxl-too-large": ({ limit, megapixels }: { limit: number; megapixels: number }) =>
    `A JPEG XL can have up to ${limit} megapixels; this one has ${megapixels}.`,
  "png-chunks": ({ limit }: { limit: number }) => `This PNG cannot be processed. It has more than ${limit} chunks.`,
  "png-texts": ({ megabytes }: { megabytes: number }) =>
    `This PNG cannot be processed. Its text chunks unpack to more than ${megabytes} MB.`,
  "png-of-xcode":
    "This PNG was converted by Xcode for an app (CgBI), and only Apple devices can read it. Send the PNG it was made from.",
  "apng-too-long": ({ limit, width, height }: { limit: number; width: number; height: number }) =>
    `An animated PNG can have up to ${grouped(limit)} pixels per side; this one has ${width} x ${height}.`,
  "jpeg-scans": ({ limit }: { limit: number }) => `This JPEG cannot be processed. It has more than ${limit} scans.`,
  "jpeg-coding": ({ coding }: { coding: UnreadJpegCoding }) => unreadJpeg(jpegCodings[coding]),
  "jpeg-depth": ({ bits }: { bits: number }) => unreadJpeg(`has ${bits} bits per channel`),
  "webp-chunks": ({ limit }: { limit: number }) =>
    `This WebP cannot be processed. It has more than ${limit} chunks besides its frames.`,
  "heif-codec": ({ codec }: { codec: string }) => `HEIF with ${codec} is not supported.`,
  "video-only": "This file is a video. Only images can be processed.",
  "jp2-depth": ({ bits, limit }: { bits: number; limit: number }) =>
    unreadJp2(`has ${bits} bits per channel; up to ${limit} are supported.`),
  "jp2-profile": ({ space }: { space: string }) => unreadJp2(`has a profile for ${space}, which is not supported.`),
  "jp2-colour-space": ({ space }: { space: string | number }) =>
    unreadJp2(`has the colour space ${typeof space === "number" ? `number ${space}` : space}, which is not supported.`),
  "jp2-channels": ({ channels, limit }: { channels: number; limit: number }) =>
    unreadJp2(`has ${channels} channels; up to ${limit} are supported.`),
  "jp2-samples": ({
    limitMillions,
    millions,
    channels,
  }: {
    limitMillions: number;
    millions: number;
    channels: number;
  }) =>
    `A JPEG 2000 can have up to ${limitMillions} million samples; this one has ${millions} million in ${channels} channels.`,
  "jp2-points":
    "This JPEG 2000 has far fewer pixels than its header states, which is not supported. Export it as PNG or TIFF.",
  "tiff-pages": ({ limit }: { limit: number }) => unreadTiff(`It has more than ${limit} pages.`),
  "tiff-tags": "This TIFF cannot be processed. It has too many tags.",
  "tiff-compression": ({ compression }: { compression: string }) =>
    unreadTiff(`It is compressed by ${compression}. ${tiffAdvice}`),
  "tiff-jpeg-depth": ({ bits }: { bits: number }) =>
    unreadTiff(`It is a JPEG of ${bits} bits a channel. ${tiffAdvice}`),
  "tiff-pixel-format": ({ compression }: { compression: number }) =>
    unreadTiff(`Its pixel format is not supported in compression ${compression}. ${tiffAdvice}`),
  "tiff-samples": ({ sampleFormat, bits }: { sampleFormat: number; bits: number }) =>
    `This TIFF has samples of format ${sampleFormat} with ${bits} bits, which is not supported. Save it with 8 or 16 bits per channel.`,
  "tiff-mixed-depths": ({ bits }: { bits: readonly number[] }) =>
    `This TIFF has channels of different bit depths (${bits.join(", ")}), which is not supported. Save it with 8 or 16 bits per channel.`,
  "raw-without-preview": ({ kind }: { kind: string }) =>
    `This is a camera raw file (${kind}) without a preview in it. Export it as JPEG or TIFF from your photo program.`,
  "bmp-huffman": "This BMP is compressed with Huffman 1D, which is not supported.",
  "icon-images": ({ images, limit }: { images: number; limit: number }) =>
    `This icon has ${images} images; the limit is ${limit}.`,
  "gif-damaged": ({ fault }: { fault: keyof typeof gifFaults }) => `The GIF is damaged: ${gifFaults[fault]}.`,
  "svg-nested-entities": "This SVG cannot be rendered. Its entities refer to other entities.",
  "svg-long-entities": "This SVG cannot be rendered. Its entities expand to too much text.",
  "svg-too-slow":
    "This SVG would take too long to render: it has too many elements, filters or characters, or repeats them too often.",
  "svg-embedded-compressed": "This SVG cannot be rendered: an embedded image is compressed.",
  "svg-embedded-too-large": ({ limit }: { limit: number }) =>
    `This SVG cannot be rendered: an embedded image is larger than ${limit} megapixels.`,
  "svg-without-size": "This SVG has no size and draws nothing that gives it one. Is it a collection of symbols?",
  "pdf-password": "This PDF is protected by a password. Save it without one.",
  "pdf-xfa": "This PDF is an XFA form, which is not supported. Print it to a PDF first.",
  "pdf-too-complex": "This page of the PDF needs more memory than is available.",
  "pdf-page-missing": ({ page, pages }: { page: number; pages: number }) =>
    `This PDF has ${pages === 1 ? "one page" : `${pages} pages`}; there is no page ${page}.`,
  "pdf-not-stripped":
    "A PDF cannot be returned unchanged, because its metadata would remain. Convert it, for example to PNG.",
  "pages-of-pdf-only": ({ format }: { format: InputFormat }) => `Only a PDF has pages; this file is ${label(format)}.`,

  // What an operation cannot do with this file.
  "same-format": text.sameFormat,
  "nothing-saved": text.nothingSaved,
  "still-only": ({ operation }: { operation: StillOnlyTask }) => stillOnly[operation],
  "format-not-kept": ({ format }: { format: InputFormat }) =>
    `${label(format)} can be read but not written, so compress cannot keep the format. Use convert, for example to WebP or AVIF.`,
  "crop-centre-outside": ({ degrees }: { degrees: number }) =>
    `The centre of the crop lies outside the image straightened by ${degrees} degrees.`,
  "crop-outside": ({ left, top, width, height }: { left: number; top: number; width: number; height: number }) =>
    `The crop starts at ${left}, ${top}; the image has ${width} x ${height} pixels.`,
  "no-subject": "No subject stands out from the background of this image.",
  "nothing-to-crop-to": "There is nothing left of the subject to crop to.",
  "size-of-cut-out-differs": ({
    part,
    width,
    height,
    cutOut,
  }: {
    part: "original" | "matte";
    width: number;
    height: number;
    cutOut: { width: number; height: number };
  }) => `The ${part} has ${width} x ${height} pixels; the cut-out has ${cutOut.width} x ${cutOut.height}.`,
  "preview-of-icon": "Icons have no preview of a part.",
  "preview-of-smart-crop": "A crop by the gravity smart has no preview.",
  "losses-forbidden": ({ lost }: { lost: readonly Loss[] }) =>
    `Nothing was made, since forbid rules this out: ${lost.map((loss) => losses[loss]).join("; ")}.`,
  "watermark-missing": "A watermark is either a text or a logo. Send one of them.",
  "watermark-character": ({ character }: { character: string }) =>
    `The fonts have no “${character}”. Leave it out, or send the text as a logo.`,
  "no-room-in-padding": "The padding leaves no room for the image.",
  "preview-of-animation": "Animated images have no preview of a part.",
  "preview-of-gif": "A compressed GIF has no preview of a part.",
  "preview-of-svg": "A compressed SVG looks the same, so it has no preview.",
  "preview-parts-seen": text.previewPartsSeen,

  // Addresses.
  "url-invalid": "This is not a URL. Enter one that starts with https://.",
  "url-with-password": "Enter a URL without user name and password.",
  "url-scheme": ({ scheme }: { scheme: string }) => `Enter a URL that starts with https, not with ${scheme}.`,
  "url-port": ({ port }: { port: string }) => `URLs can use the ports 443 and 80, not ${port}.`,
  "url-redirects": ({ limit }: { limit: number }) => `The URL redirects more than ${limit} times.`,
  "url-without-image": ({ status }: { status: number }) => `The URL returned status ${status} without an image.`,
  "url-image-too-large": ({ megabytes }: { megabytes: number }) =>
    `An image is larger than the ${megabytes} MB that ${whoAllows()} allows.`,
  "url-cut-off": "The URL stopped sending in the middle of the image. Please try again.",
  "output-status": ({ status }: { status: number }) => `The URL returned status ${status}.`,
  "output-not-sent":
    "The result could not be sent to this address. It must be public, start with https and accept a PUT.",

  // Ended by the caller.
  "file-cancelled": "The file was cancelled.",
} as const;

/** A reason that contains another one. */
type OuterReason =
  | { code: "step-failed"; place: number; operation: string; reason: Reason }
  /** A file beside the picture, by its role in the operation. */
  | { code: "auxiliary-file-failed"; operation: TaskName; role: string; reason: Reason }
  /** The address received bytes of the result. */
  | { code: "output-not-taken"; jobId: string; reason?: Reason | undefined };

/** Why a file failed or is unchanged, as it is stored and sent: a code with the parameters of its sentence. */
export type Reason = CodedSentence<typeof sentences> | OuterReason | { code: ErrorCode };

export function reasonText(reason: Reason): string {
  switch (reason.code) {
    case "step-failed":
      return `Step ${reason.place} (${reason.operation}): ${reasonText(reason.reason)}`;
    case "auxiliary-file-failed": {
      const file = auxiliaryFilesOf(reason.operation).find(({ role }) => role === reason.role);
      return `${file?.label ?? reason.role}: ${reasonText(reason.reason)}`;
    }
    case "output-not-taken":
      return `The result was sent to this address, which did not accept it. ${reason.reason ? `${reasonText(reason.reason)} ` : ""}It can be fetched from /api/jobs/${reason.jobId}/result for 12 minutes.`;
    default:
      return isOfCatalogue(reason) ? errors[reason.code].detail : writeSentence(sentences, reason);
  }
}

const isOfCatalogue = (reason: Reason): reason is { code: ErrorCode } => isErrorCode(reason.code);

const outerCodes: readonly string[] = [
  "step-failed",
  "auxiliary-file-failed",
  "output-not-taken",
] satisfies OuterReason["code"][];

export const isReasonCode = (code: string): code is Reason["code"] =>
  Object.hasOwn(sentences, code) || outerCodes.includes(code) || isErrorCode(code);

const unreadJpeg = (what: string) =>
  `This JPEG ${what}, which is not supported. Save it as a baseline or progressive JPEG with 8 bits, or as PNG or TIFF.`;
const unreadJp2 = (what: string) => `This JPEG 2000 ${what} Export it as PNG or TIFF.`;
const unreadTiff = (why: string) => `This TIFF cannot be processed. ${why}`;
const tiffAdvice = "Save it uncompressed, or with LZW or Deflate.";
