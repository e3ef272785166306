import { deflateSync } from "node:zlib";
import { coarsestStep, type QualitySteps } from "../../quality/quality-steps.ts";
import type { Judge } from "../../quality/sample.ts";
import { hasAlpha, type Raster } from "../../raster/raster.ts";
import { type Dithering, ditherToPalette } from "./dither.ts";
import { findPalette } from "./find-palette.ts";
import type { Histogram } from "./histogram.ts";
import { depthFor, packNumbers } from "./pack-numbers.ts";
import type { Palette } from "./quantize-colours.ts";

/** A palette's colours are RGB, to which a profile for grey does not apply. */
export const canBePainted = ({ channels, profile }: Raster): boolean => channels >= 3 || !profile;

/** Colours in a palette; each step costs 4 to 10 % more bytes than the one before. */
const counts: QualitySteps<number> = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256];

/**
 * Half of an error is handed on: none leaves bands in every shadow, all of it costs a quarter more bytes at the same score
 * (measured on two interfaces). An error of more than 24 of 255 is the edge of something, and not handed on whole.
 * Errors below half of one are dropped: even areas take half the time. Dropping those below 2.5 would save 5 % more at the same
 * score, and rings show in soft shades.
 */
const dithering: Dithering = { strength: 0.5, most: 24, least: 0.25 };

/**
 * The fewest colours that score at least `target`, or more as long as these take fewer bytes: with less error, pixels repeat more.
 * Undefined where 256 colours do not reach the target. Drawings need few.
 */
export function paletteFor(histogram: Histogram, judge: Judge, target: number): Palette | undefined {
  const score = (count: number) => paletteScore(judge, findPalette(histogram, count));
  const fewest = coarsestStep(counts, { target, score });
  if (fewest === undefined) return undefined;
  const packedBytes = (palette: Palette) => {
    const depth = depthFor(palette.places.length / 4);
    const { width } = judge.sample;
    return deflateSync(packNumbers(numberPixels(judge.sample, palette), { width, depth })).length;
  };
  let best = findPalette(histogram, fewest);
  let bestBytes = packedBytes(best);
  for (const count of counts.slice(counts.indexOf(fewest) + 1)) {
    const palette = findPalette(histogram, count);
    const bytes = packedBytes(palette);
    if (bytes >= bestBytes) break;
    [best, bestBytes] = [palette, bytes];
  }
  return best;
}

/** The score of the judge's sample in the colours of a palette. */
export const paletteScore = ({ sample, likeness }: Judge, palette: Palette): number => likeness(paint(sample, palette));

/** The number of each pixel's colour, one byte each. */
export const numberPixels = (picture: Raster<Uint8Array>, palette: Palette): Uint8Array =>
  ditherToPalette(picture, palette, dithering);

/** The picture in the colours of a palette: with alpha only where the picture has it. */
export function paint(picture: Raster<Uint8Array>, palette: Palette): Raster<Uint8Array> {
  const numbers = numberPixels(picture, palette);
  const { width, height, profile } = picture;
  const { colours } = palette;
  const channels = hasAlpha(picture.channels) ? 4 : 3;
  const data = new Uint8Array(numbers.length * channels);
  for (let pixel = 0, to = 0; pixel < numbers.length; pixel++) {
    const from = (numbers[pixel] as number) * 4;
    for (let channel = 0; channel < channels; channel++) data[to++] = colours[from + channel] as number;
  }
  return { width, height, channels, data, profile };
}
