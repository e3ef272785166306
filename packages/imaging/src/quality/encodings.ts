import type { Sharp } from "sharp";

/**
 * The encodings with one setting, the encoder's own 1 to 100. `npm run bench:quality` measured the score of each
 * setting with exactly these options: after a change, measure again.
 */
export const encodings = {
  "jpeg-420": (image, setting, effort: JpegEffort = "thorough") =>
    image.jpeg({ ...mozjpeg[effort], quality: setting, chromaSubsampling: "4:2:0" }),
  // With sharp YUV, for pictures that need it (`losesColourInWebp`), and without. "mixed" applies to animations: each
  // frame is coded losslessly where that is smaller, as for most drawings.
  "webp-sharp": (image, setting, effort = 5) =>
    image.webp({ quality: setting, smartSubsample: true, mixed: true, effort }),
  "webp-plain": (image, setting, effort = 5) => image.webp({ quality: setting, mixed: true, effort }),
  "avif-420": (image, setting, effort = 3) => image.avif({ quality: setting, chromaSubsampling: "4:2:0", effort }),
  "avif-444": (image, setting, effort = 3) => image.avif({ quality: setting, chromaSubsampling: "4:4:4", effort }),
} as const satisfies Record<string, (image: Sharp, setting: number) => Sharp>;

/** Encodings of our own JPEG encoder (formats/jpeg), by chroma subsampling; its settings are 1 to 100 too. */
export const ownEncodings = ["own-jpeg-420", "own-jpeg-444"] as const;

export type Encoding = keyof typeof encodings | (typeof ownEncodings)[number];

/**
 * Quantisation table 5 (Klein, Silverstein and Carney, 1992) takes 5 to 10 % fewer bytes at the same score than
 * mozjpeg's default. "plain" is for interactive use: no trellis quantisation, one scan, and the standard Huffman
 * tables. For an enlarged photograph it takes a twentieth of the time of "thorough" and a seventh more bytes, at a
 * slightly higher score.
 */
const mozjpeg = {
  thorough: { mozjpeg: true, quantisationTable: 5 },
  plain: { optimiseCoding: false, quantisationTable: 5 },
} as const;

type JpegEffort = keyof typeof mozjpeg;
