import { applyPalette, colourHistogram, wholeHistogram } from "@tintype/codecs/palette";
import type { Raster } from "@tintype/codecs/raster";
import type { Sharp } from "sharp";
import { losesColourInWebp } from "../../quality/chroma.ts";
import { detailOf } from "../../quality/detail.ts";
import { encodings } from "../../quality/encodings.ts";
import { looksComputed } from "../../quality/looks-computed.ts";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { createSampleScorer, isTiny } from "../../quality/sample.ts";
import { encoderSetting, targetScore } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { chooseLossyOrLossless } from "../choose-lossy-or-lossless.ts";
import type { Encoded, EncodeOptions, Encoder } from "../encoder.ts";
import { canUsePalette, paletteFor } from "../palette-for.ts";
import { reduceDepth, type Shallow } from "../reduce-depth.ts";
import { withTiming } from "./timing.ts";

/** Above this many pixels, over all frames, halving the time is worth 1 to 2 % of the bytes. */
const thoroughPixels = 8e6;
/** Lossy: 1.6 times the time of 5, and 1 to 3 % fewer bytes at the same SSIMULACRA 2. */
const fewestBytesEffort = 6;
/**
 * Lossy WebP is 4:2:0 and scores 90 at most, averaged over photographs (quality 98 requires 90.8). From this quality on
 * the encoder uses near-lossless mode: 94, with 40 % more bytes.
 */
const nearLosslessFrom = 99;

/**
 * The level of libwebp's near-lossless mode for a drawing. It keeps flat areas, and rounds other samples to multiples
 * of 16 or 8: 15 interfaces and drawings then scored at least 87 and 92. Multiples of 32 score 78, but tint grey
 * letters. A picture of at most 256 colours loses nothing.
 */
const levelFor = (quality: number) => (quality <= 93 ? 20 : 40);

/** At most a third of the time of effort 5, for 2 to 6 % more bytes. */
const hastyEffort = 2;

/**
 * WebP, animated if the picture is, with its delays and its loop count. A still drawing may be written lossless,
 * near-lossless or with a palette, which is often smaller for drawings. From quality 99 on any picture is
 * near-lossless, at 100 lossless.
 */
export const encodeWebp: Encoder = async (image, options) => {
  const { bytes, ...encoded } = await encode(image, options);
  return { bytes: options.timing ? withTiming(bytes, options.timing) : bytes, ...encoded };
};

const encode: Encoder = async (image, options) => {
  const { quality, signal, hasHalvedColour = false, minimizeBytes = false, decoded: known } = options;
  const { width, height, pages = 1 } = await image.metadata(); // the frames of an animation are one tall strip
  const effort = width * height > thoroughPixels ? 4 : 5;
  if (quality >= nearLosslessFrom) {
    const lossless = await write(image.clone().webp({ lossless: true, exact: quality === 100, effort }));
    if (quality === 100) return lossless;
    // Near-lossless mode breaks repetitions: some drawings are smaller lossless.
    const nearLossless = await write(image.webp({ nearLossless: true, quality: 60, effort }));
    return smallest([lossless, nearLossless]);
  }
  const lossyEffort = minimizeBytes && effort === 5 ? fewestBytesEffort : effort;
  const encodeLossy = (from: Sharp, encoding: LossyWebp, detail?: number) =>
    write(encodings[encoding](from, encoderSetting(encoding, quality, detail), lossyEffort));
  if (pages > 1) return encodeLossy(image, "webp-sharp");
  const { shallow: picture } = await reduceDepth(known ?? (await decodePicture(image)), 0);
  signal?.throwIfAborted();
  const isSharp = !picture || (!hasHalvedColour && losesColourInWebp(picture, quality));
  const detail = "detailOfWhole" in options ? options.detailOfWhole : picture && detailOf(picture);
  const lossy = () => encodeLossy(picture?.open() ?? image, isSharp ? "webp-sharp" : "webp-plain", detail);
  if (!picture || !(looksDrawn(picture) || looksComputed(picture) || hasFewColours(picture))) return lossy();
  return encodeDrawing(picture, { ...options, effort, lossy });
};

type LossyWebp = "webp-sharp" | "webp-plain";
type DrawingOptions = EncodeOptions & { effort: number; lossy: () => Promise<Encoded> };
type Candidate = { sampleBytes: number; isExact?: true; encode: () => Promise<Encoded> };

/**
 * The smallest of four candidates for a drawing. A sample of the picture shows which ones to try on the whole: a
 * lossless one at full effort takes five times the time of lossy WebP.
 */
async function encodeDrawing(picture: Shallow, { quality, effort, isUrgent, signal, lossy }: DrawingOptions) {
  const scorer = createSampleScorer(picture);
  const sample = asDecodedPicture(scorer.sample);
  const fullEffort = isUrgent ? hastyEffort : effort;
  const writeLossless = (from: DecodedPicture, at: number) => write(from.open().webp({ lossless: true, effort: at }));
  const writeNear = (from: DecodedPicture, at: number) =>
    write(from.open().webp({ nearLossless: true, quality: levelFor(quality), effort: at }));
  const lossyBytes = sizeOf(
    await write(encodings["webp-plain"](sample.open(), encoderSetting("webp-plain", quality), 4)),
  );
  const losslessBytes = sizeOf(await writeLossless(sample, hastyEffort));
  signal?.throwIfAborted();
  if (losslessBytes > lossyBytes * hopeless.inFewColours) return lossy();

  const candidates: Candidate[] = [];
  const canTryColours = canUsePalette(picture) && !isTiny(picture);
  const palette = canTryColours && paletteFor(colourHistogram(picture), scorer, targetScore(quality));
  if (palette) {
    const writePainted = (raster: Raster<Uint8Array>) =>
      writeLossless(asDecodedPicture(applyPalette(raster, palette)), hastyEffort);
    candidates.push({ sampleBytes: sizeOf(await writePainted(scorer.sample)), encode: () => writePainted(picture) });
    signal?.throwIfAborted();
  }
  const [painted] = candidates;
  const isClear = painted !== undefined && painted.sampleBytes < losslessBytes * clearWin;
  if (!isClear && losslessBytes <= lossyBytes * hopeless.inAllColours) {
    candidates.push({ sampleBytes: losslessBytes, isExact: true, encode: () => writeLossless(picture, fullEffort) });
    // Smooth gradients drawn by software are smaller lossless.
    const nearBytes = sizeOf(await writeNear(sample, hastyEffort));
    candidates.push({ sampleBytes: nearBytes, encode: () => writeNear(picture, fullEffort) });
  }
  const minBytes = Math.min(...candidates.map(({ sampleBytes }) => sampleBytes));
  const chosen = candidates.filter(({ sampleBytes }) => sampleBytes <= minBytes * closeCall);
  // Whole drawings repeat more than their samples, and lossy gains less from repetition: in none of 84 results did it
  // catch up.
  if (lossyBytes < minBytes) chosen.push({ sampleBytes: lossyBytes, encode: lossy });

  const [exact, lossyOnes]: [Encoded[], Encoded[]] = [[], []];
  for (const { isExact, encode } of chosen) {
    signal?.throwIfAborted();
    (isExact ? exact : lossyOnes).push(await encode());
  }
  return chooseLossyOrLossless({ exact, lossy: lossyOnes }, sizeOf);
}

/**
 * If lossless exceeds this many times the lossy bytes of the sample, lossy is smaller for the whole picture. Samples of
 * tiles repeat less than whole pictures: for three interfaces their ratio was 1.1 to 1.75 times that of the whole.
 */
const hopeless = { inAllColours: 2.8, inFewColours: 5 };
/** A candidate below this share of another's bytes on the sample is smaller on the whole picture, too. */
const clearWin = 0.8;
/** Candidates whose samples are this close are all tried on the whole picture. */
const closeCall = 1.5;

const sizeOf = ({ bytes }: Encoded): number => bytes.length;

/**
 * Pixel art at its own size does not look drawn: few of its pixels equal their neighbours. Greyscale has no chroma to
 * lose.
 */
function hasFewColours({ data, ...shape }: DecodedPicture): boolean {
  const { width, height, channels } = shape;
  if (!(data instanceof Uint8Array) || channels < 3 || width * height > maxArtPixels) return false;
  const histogram = wholeHistogram({ ...shape, data });
  return histogram !== undefined && histogram.count <= maxPaletteColours;
}

const maxArtPixels = 1e6;
/** libwebp uses a palette for up to this many colours. */
const maxPaletteColours = 256;

/** The smallest; the first of equal ones. */
const smallest = (results: readonly [Encoded, ...Encoded[]]): Encoded =>
  results.reduce((best, one) => (one.bytes.length < best.bytes.length ? one : best));

async function write(image: Sharp): Promise<Encoded> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const { width, height, pageHeight } = info;
  return { bytes: data, width, height: pageHeight ?? height, notes: [] };
}
