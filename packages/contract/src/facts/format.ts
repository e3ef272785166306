/** Picture formats, as detected from content. `heic` covers HEIC and HEIF that contain HEVC. */
export const inputFormats = [
  "jpeg",
  "png",
  "webp",
  "gif",
  "tiff",
  "bmp",
  "avif",
  "heic",
  "svg",
  "ico",
  "jxl",
  "psd",
  "jp2",
  "pdf",
] as const;
export type InputFormat = (typeof inputFormats)[number];

/** Formats that can be written. */
export const outputFormats = ["jpeg", "png", "webp", "bmp", "gif", "tiff", "avif", "ico"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** What a result can be: a picture, or a ZIP of several. */
export const resultFormats = [...inputFormats, "zip"] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** Default quality, 1 to 100: `compress` also applies to web sets, `others` to all other operations. */
export const defaultQualities = { compress: 75, others: 85 } as const;

/** Longest side of a resized picture, px. */
export const maxSidePx = 16_384;

type FormatFacts = {
  /** Display name. */
  label: string;
  mediaType: string;
  /** The first one is used for new files. */
  extensions: readonly [string, ...string[]];
  /** Features that the format supports. */
  holds: { alpha: boolean; animation: boolean; depth16: boolean; profile: boolean };
  /** Whether current browsers render it in an <img>. */
  browserDraws: boolean;
};

export const formats = {
  jpeg: {
    label: "JPEG",
    mediaType: "image/jpeg",
    extensions: ["jpg", "jpeg", "jpe", "jfif"],
    holds: { alpha: false, animation: false, depth16: false, profile: true },
    browserDraws: true,
  },
  png: {
    label: "PNG",
    mediaType: "image/png",
    extensions: ["png"],
    holds: { alpha: true, animation: true, depth16: true, profile: true },
    browserDraws: true,
  },
  webp: {
    label: "WebP",
    mediaType: "image/webp",
    extensions: ["webp"],
    holds: { alpha: true, animation: true, depth16: false, profile: true },
    browserDraws: true,
  },
  gif: {
    label: "GIF",
    mediaType: "image/gif",
    extensions: ["gif"],
    holds: { alpha: true, animation: true, depth16: false, profile: false },
    browserDraws: true,
  },
  tiff: {
    label: "TIFF",
    mediaType: "image/tiff",
    extensions: ["tiff", "tif"],
    holds: { alpha: true, animation: false, depth16: true, profile: true },
    browserDraws: false,
  },
  bmp: {
    label: "BMP",
    mediaType: "image/bmp",
    extensions: ["bmp", "dib"],
    holds: { alpha: true, animation: false, depth16: false, profile: false },
    browserDraws: true,
  },
  avif: {
    label: "AVIF",
    mediaType: "image/avif",
    extensions: ["avif"],
    holds: { alpha: true, animation: false, depth16: false, profile: true },
    browserDraws: true,
  },
  heic: {
    label: "HEIC",
    mediaType: "image/heic",
    extensions: ["heic", "heif"],
    holds: { alpha: true, animation: false, depth16: false, profile: true },
    browserDraws: false,
  },
  svg: {
    label: "SVG",
    mediaType: "image/svg+xml",
    extensions: ["svg"],
    holds: { alpha: true, animation: false, depth16: false, profile: false },
    browserDraws: true,
  },
  ico: {
    label: "ICO",
    mediaType: "image/x-icon",
    extensions: ["ico"],
    holds: { alpha: true, animation: false, depth16: false, profile: false },
    browserDraws: true,
  },
  jxl: {
    label: "JPEG XL",
    mediaType: "image/jxl",
    extensions: ["jxl"],
    holds: { alpha: true, animation: true, depth16: true, profile: true },
    browserDraws: false,
  },
  psd: {
    label: "PSD",
    mediaType: "image/vnd.adobe.photoshop",
    extensions: ["psd", "psb"],
    holds: { alpha: true, animation: false, depth16: true, profile: true },
    browserDraws: false,
  },
  jp2: {
    label: "JPEG 2000",
    mediaType: "image/jp2",
    extensions: ["jp2", "j2k", "jpx", "jpf", "j2c", "jpc", "jph"],
    holds: { alpha: true, animation: false, depth16: true, profile: true },
    browserDraws: false,
  },
  pdf: {
    label: "PDF",
    mediaType: "application/pdf",
    extensions: ["pdf"],
    holds: { alpha: false, animation: false, depth16: false, profile: false },
    browserDraws: false,
  },
} as const satisfies Record<InputFormat, FormatFacts>;

export const mediaTypeOf = (format: ResultFormat): string =>
  format === "zip" ? "application/zip" : formats[format].mediaType;
/** The extension of new files, without the dot. */
export const extensionOf = (format: ResultFormat): string =>
  format === "zip" ? format : formats[format].extensions[0];

/** The format that a common name for it means (`jpg`, `.TIF`, `image/png`), or undefined. */
export function formatNamed(name: string): InputFormat | undefined {
  const word = name.trim().toLowerCase().replace(/^[.]/, "");
  return inputFormats.find((format) => {
    const { extensions, mediaType } = formats[format];
    return format === word || mediaType === word || (extensions as readonly string[]).includes(word);
  });
}
