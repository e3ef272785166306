import type { Sharp } from "sharp";
import { encodings } from "../../quality/encodings.ts";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { isTiny, judgeFor } from "../../quality/sample.ts";
import { encoderSetting, targetScore } from "../../quality/scale.ts";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import type { Encoded, Encoder } from "../encoder.ts";
import { colourHistogram, wholeHistogram } from "../palette/histogram.ts";
import { canBePainted, paint, paletteFor } from "../palette/paint.ts";
import { worthLosing } from "../worth-losing.ts";

/** Above this many pixels, of all frames, half the time is worth 1 to 2 % of the bytes. */
const thoroughPixels = 8e6;
/** With loss: 1.6 times the time of 5, and 1 to 3 % fewer bytes at the same SSIMULACRA 2. */
const fewestBytesEffort = 6;
/**
 * Lossy WebP halves colour and scores 90 at most, in the mean of photographs (quality 98 asks for 90.8). From this quality
 * on the encoder uses its near-lossless mode: 94, with 40 % more bytes.
 */
const nearLosslessFrom = 99;

/**
 * The level of libwebp's near-lossless mode for a drawing. It keeps even areas, and rounds other samples to multiples of
 * 16 or 8: 15 interfaces and drawings then scored at least 87 and 92. Multiples of 32 score 78, but give grey letters a
 * tint. A picture of at most 256 colours loses nothing.
 */
const levelFor = (quality: number) => (quality <= 93 ? 20 : 40);

/** Takes a third of the time of 5 at most, and 2 to 6 % more bytes. */
const hastyEffort = 2;
/** Times the bytes with loss: where a hasty trial without loss takes so many, no other one takes fewer than with loss. */
const hopeless = { inAllColours: 1.6, inFewColours: 4 };
/** Lossless and near-lossless encodings at full effort take at least this share of the bytes at low effort. */
const leastOfHasty = 0.55;

/**
 * WebP, moving where the picture moves, with its delays and its loop count. A still drawing is also tried without loss
 * and with next to none, which for drawings is often smaller. From quality 99 on next to nothing is lost of any picture, at 100 nothing.
 */
export const encodeWebp: Encoder = async (image, { quality, signal, isUrgent, decoded: known, minimizeBytes }) => {
  const { width, height } = await image.metadata(); // all frames of a moving picture are one tall strip
  const effort = width * height > thoroughPixels ? 4 : 5;
  if (quality >= nearLosslessFrom) {
    const lossless = (await write(image.clone().webp({ lossless: true, exact: quality === 100, effort }))).encoded;
    if (quality === 100) return lossless;
    // Near-lossless mode breaks repetitions: some drawings are smaller without loss.
    const nearLossless = (await write(image.webp({ nearLossless: true, quality: 60, effort }))).encoded;
    return smallest([lossless, nearLossless]);
  }
  const setting = encoderSetting("webp", quality);
  const lossyEffort = minimizeBytes && effort === 5 ? fewestBytesEffort : effort;
  const { encoded: lossy, isMoving } = await write(encodings.webp(image.clone(), setting, lossyEffort));
  if (isMoving) return lossy;
  signal?.throwIfAborted();
  const picture = known ?? (await decodePicture(image));
  if (!looksDrawn(picture) && !hasFewColours(picture)) return lossy;
  const withoutLoss = async (way: number) =>
    (await write(picture.open().webp({ lossless: true, effort: way }))).encoded;
  const hasty = await withoutLoss(hastyEffort);
  signal?.throwIfAborted();
  const isFlat = hasty.bytes.length <= lossy.bytes.length * hopeless.inFewColours;
  const best = smallest([lossy, ...(isFlat ? await inFewColours(picture, quality) : [])]);
  const isHopeless = hasty.bytes.length > lossy.bytes.length * hopeless.inAllColours;
  if (isHopeless || hasty.bytes.length * leastOfHasty > best.bytes.length) return best;
  signal?.throwIfAborted();
  const lossless = isUrgent ? hasty : await withoutLoss(effort);
  signal?.throwIfAborted();
  // Smooth slopes that a program drew are smaller without loss.
  const near = picture
    .open()
    .webp({ nearLossless: true, quality: levelFor(quality), effort: isUrgent ? hastyEffort : effort });
  const lossyOnes = [best, (await write(near)).encoded];
  return worthLosing({ exact: [lossless], lossy: lossyOnes }, ({ bytes }) => bytes.length);
};

/** Pixel art at its own size does not look drawn: few of its pixels equal their neighbours. Grey has no colour to be halved. */
function hasFewColours({ data, ...shape }: DecodedPicture): boolean {
  const { width, height, channels } = shape;
  if (!(data instanceof Uint8Array) || channels < 3 || width * height > mostArtPixels) return false;
  const histogram = wholeHistogram({ ...shape, data });
  return histogram !== undefined && histogram.count <= mostPaletteColours;
}

const mostArtPixels = 1e6;
/** libwebp writes up to so many colours as a palette. */
const mostPaletteColours = 256;

/**
 * Without loss in the fewest colours that keep the likeness: of interfaces and diagrams 0.3 to 0.75 of the bytes that libwebp's own
 * modes take. None where 256 colours do not keep it.
 */
async function inFewColours(picture: DecodedPicture, quality: number): Promise<Encoded[]> {
  const { data } = picture;
  if (!(data instanceof Uint8Array) || !canBePainted(picture) || isTiny(picture)) return [];
  const samples = { ...picture, data };
  const palette = paletteFor(colourHistogram(samples), judgeFor(samples), targetScore(quality));
  if (!palette) return [];
  const painted = asDecodedPicture(paint(samples, palette)).open();
  return [(await write(painted.webp({ lossless: true, effort: hastyEffort }))).encoded];
}

/** The first of those that take the fewest bytes. */
const smallest = (results: readonly [Encoded, ...Encoded[]]): Encoded =>
  results.reduce((best, one) => (one.bytes.length < best.bytes.length ? one : best));

async function write(image: Sharp): Promise<{ encoded: Encoded; isMoving: boolean }> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const { width, height, pageHeight } = info;
  return {
    encoded: { bytes: data, width, height: pageHeight ?? height, notes: [] },
    isMoving: pageHeight !== undefined && pageHeight < height,
  };
}
