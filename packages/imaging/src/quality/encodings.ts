import type { Sharp } from "sharp";

/**
 * The encodings that take one setting, 1 to 100 of the encoder's own. `npm run bench:quality` measured the score of
 * each setting with exactly these options: change one, and measure again.
 */
export const encodings = {
  "jpeg-420": (image, setting, effort: JpegEffort = "thorough") =>
    image.jpeg({ ...mozjpeg[effort], quality: setting, chromaSubsampling: "4:2:0" }),
  // Sharp-YUV, for pictures whose colours need it (`losesColourInWebp`), and without. "mixed" is for moving pictures: each frame is
  // coded without loss where that is smaller, as it is for most drawings.
  "webp-sharp": (image, setting, effort = 5) =>
    image.webp({ quality: setting, smartSubsample: true, mixed: true, effort }),
  "webp-plain": (image, setting, effort = 5) => image.webp({ quality: setting, mixed: true, effort }),
  "avif-420": (image, setting, effort = 3) => image.avif({ quality: setting, chromaSubsampling: "4:2:0", effort }),
  "avif-444": (image, setting, effort = 3) => image.avif({ quality: setting, chromaSubsampling: "4:4:4", effort }),
} as const satisfies Record<string, (image: Sharp, setting: number) => Sharp>;

/** Encodings of our own JPEG encoder, by how it stores colour: formats/jpeg has it, and its settings are 1 to 100 too. */
export const ownEncodings = ["own-jpeg-420", "own-jpeg-444"] as const;

export type Encoding = keyof typeof encodings | (typeof ownEncodings)[number];

/**
 * Table 5 (Klein, Silverstein and Carney, 1992) costs 5 to 10 % fewer bytes at the same score than mozjpeg's own choice.
 * "plain" is for a person who waits: no trellis, one scan, and the standard's own Huffman tables. For an enlarged photograph
 * it takes a twentieth of "thorough"'s time, a seventh more bytes, and keeps a likeness that is rather higher.
 */
const mozjpeg = {
  thorough: { mozjpeg: true, quantisationTable: 5 },
  plain: { optimiseCoding: false, quantisationTable: 5 },
} as const;

type JpegEffort = keyof typeof mozjpeg;
