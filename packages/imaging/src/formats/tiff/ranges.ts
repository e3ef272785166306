import type { Note } from "@tintype/contract";
import { coloursOf, type TiffPicture } from "./layout.ts";
import { sampleFormats, sampleReader } from "./samples.ts";
import { readSegments } from "./segments.ts";

/** By channel: the sample value of black or zero alpha, and that of white or full alpha. */
export type Ranges = { low: number; high: number }[];

const tags = { minSampleValue: 280, maxSampleValue: 281, sMinSampleValue: 340, sMaxSampleValue: 341 } as const;

/**
 * The sample values of black and white. Unsigned samples of up to 16 bits use their full range. For other formats,
 * SMinSampleValue and SMaxSampleValue (TIFF 6.0, 19) define them, or MinSampleValue and MaxSampleValue (8) for integers
 * of more than 16 bits. Without them the samples are surveyed: the default is 0 to 1 in floating point and the full
 * range of integers, unless the samples contradict it. `notes` describe the interpretation.
 */
export async function sampleRanges(
  file: Uint8Array,
  picture: TiffPicture,
): Promise<{ ranges: Ranges; sampleFormat: number; notes: Note[] }> {
  const { bits, sampleFormat, channels } = picture;
  const isFloat = sampleFormat === sampleFormats.floatingPoint;
  const all = (range: Ranges[number]): Ranges => Array.from({ length: channels }, () => range);
  const alphaRange = isFloat ? { low: 0, high: 1 } : fullRange(picture);
  const colours = coloursOf(picture);
  const withAlpha = (ranges: Ranges): Ranges => ranges.map((range, i) => (i < colours ? range : alphaRange));
  if (!isFloat && sampleFormat !== sampleFormats.signed && bits <= 16)
    return { ranges: all(fullRange(picture)), sampleFormat, notes: [] };
  const named = namedRanges(picture);
  if (named) return { ranges: withAlpha(named), sampleFormat, notes: isFloat ? [reducedNote] : [] };
  const survey = await surveySamples(file, picture);
  if (sampleFormat === sampleFormats.signed && survey.unsignedSteps < survey.signedSteps) {
    // Some writers mark unsigned samples as signed: as unsigned, neighbouring samples then differ less.
    const unsigned = { ...picture, sampleFormat: sampleFormats.unsigned };
    return { ranges: all(fullRange(unsigned)), sampleFormat: unsigned.sampleFormat, notes: [] };
  }
  const { range, notes } = isFloat ? floatRange(survey) : { range: integerRange(survey, picture), notes: [] };
  return { ranges: withAlpha(all(range)), sampleFormat, notes };
}

const reducedNote: Note = { code: "float-reduced-to-16" };

function fullRange({ bits, sampleFormat }: TiffPicture): Ranges[number] {
  if (sampleFormat === sampleFormats.signed) return { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 };
  return { low: 0, high: 2 ** bits - 1 };
}

function namedRanges({ numbers, channels, bits, sampleFormat }: TiffPicture): Ranges | undefined {
  const isLargeInteger = bits > 16 && sampleFormat !== sampleFormats.floatingPoint;
  const find = (tag: number, general: number) => {
    const values = numbers(tag);
    return values.length > 0 || !isLargeInteger ? values : numbers(general);
  };
  const [lows, highs] = [
    find(tags.sMinSampleValue, tags.minSampleValue),
    find(tags.sMaxSampleValue, tags.maxSampleValue),
  ];
  if (highs.length === 0) return undefined;
  const ranges = Array.from({ length: channels }, (_, i) => ({
    low: lows[i] ?? lows[0] ?? 0,
    high: highs[i] ?? highs[0] ?? 0,
  }));
  return ranges.every(({ low, high }) => high > low) ? ranges : undefined;
}

type Survey = {
  min: number;
  max: number;
  samples: number;
  aboveOne: number;
  /** Sum of absolute differences of horizontal neighbours, and the same with the samples reinterpreted as unsigned. */
  signedSteps: number;
  unsignedSteps: number;
};

/** Surveys the colour channels. Extremes and counts ignore NaN and infinities. */
async function surveySamples(file: Uint8Array, picture: TiffPicture): Promise<Survey> {
  const read = sampleReader(picture);
  const colours = coloursOf(picture);
  const survey: Survey = {
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    samples: 0,
    aboveOne: 0,
    signedSteps: 0,
    unsignedSteps: 0,
  };
  const modulus = 2 ** picture.bits;
  const unsigned = (value: number) => (value < 0 ? value + modulus : value);
  for await (const { bytes, rowBytes, width, height, channels, plane } of readSegments(file, picture)) {
    if (plane !== undefined && plane >= colours) continue;
    const used = plane === undefined ? Math.min(colours, channels) : 1;
    for (let y = 0; y < height; y++) {
      const row = new DataView(bytes.buffer, bytes.byteOffset + y * rowBytes, rowBytes);
      for (let channel = 0; channel < used; channel++) {
        let left = read(row, channel);
        for (let x = 0; x < width; x++) {
          const value = read(row, x * channels + channel);
          survey.signedSteps += Math.abs(value - left);
          survey.unsignedSteps += Math.abs(unsigned(value) - unsigned(left));
          left = value;
          if (!Number.isFinite(value)) continue;
          survey.samples += 1;
          if (value > 1) survey.aboveOne += 1;
          if (value < survey.min) survey.min = value;
          if (value > survey.max) survey.max = value;
        }
      }
    }
  }
  return survey;
}

/** Resampling and rounding can lift white slightly above 1. */
const white = 1.001;

function floatRange({ min, max, samples, aboveOne }: Survey): { range: Ranges[number]; notes: Note[] } {
  const usual = { low: 0, high: 1 };
  if (!(max > white)) return { range: usual, notes: [reducedNote] };
  // A minority of samples above 1 means HDR highlights; a majority means another unit.
  if (aboveOne <= samples / 2) return { range: usual, notes: [reducedNote, { code: "bright-values-clipped" }] };
  if (min >= 0 && max <= 255) return { range: { low: 0, high: 255 }, notes: [reducedNote] };
  if (min >= 0 && max <= 65_535 && max > 4096) return { range: { low: 0, high: 65_535 }, notes: [reducedNote] };
  return { range: { low: min, high: max }, notes: [reducedNote, stretchedNote(min, max)] };
}

const stretchedNote = (min: number, max: number): Note => ({
  code: "range-stretched",
  min: Number(min.toPrecision(4)),
  max: Number(max.toPrecision(4)),
});

/**
 * Integers of more than 16 bits often hold 8-bit or 16-bit values. Signed samples without a negative value start at
 * black.
 */
function integerRange({ min, max }: Survey, picture: TiffPicture): Ranges[number] {
  const full = fullRange(picture);
  if (!(min >= 0)) return full;
  const fitting = picture.bits > 16 ? [255, 65_535].find((most) => max > 0 && max <= most) : undefined;
  return { low: 0, high: fitting ?? full.high };
}
