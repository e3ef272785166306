import { deflateSync } from "node:zlib";
import { coarsestStep, type QualitySteps } from "../../quality/quality-steps.ts";
import type { Judge } from "../../quality/sample.ts";
import { hasAlpha, type Raster } from "../../raster/raster.ts";
import { type Dithering, ditherToPalette } from "./dither.ts";
import { findPalette } from "./find-palette.ts";
import type { Histogram } from "./histogram.ts";
import { depthFor, packIndices } from "./pack-indices.ts";
import type { Palette } from "./quantize-colours.ts";

/** A palette's colours are RGB, to which a profile for grey does not apply. */
export const canUsePalette = ({ channels, profile }: Raster): boolean => channels >= 3 || !profile;

/** Colours in a palette; each step costs 4 to 10 % more bytes than the one before. */
const counts: QualitySteps<number> = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256];

/**
 * Half of an error is diffused: without it every shadow shows bands, and diffusing all of it costs a quarter more bytes at the same score
 * (measured on two interfaces). An error of more than 24 of 255 is an edge, and is not diffused whole.
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
    return deflateSync(packIndices(indexPixels(judge.sample, palette), { width, depth })).length;
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
export const paletteScore = ({ sample, likeness }: Judge, palette: Palette): number =>
  likeness(applyPalette(sample, palette));

/** The palette index of each pixel, one byte each. */
export const indexPixels = (picture: Raster<Uint8Array>, palette: Palette): Uint8Array =>
  ditherToPalette(picture, palette, dithering);

/** The picture in the colours of a palette: with alpha only where the picture has it. */
export function applyPalette(picture: Raster<Uint8Array>, palette: Palette): Raster<Uint8Array> {
  const indices = indexPixels(picture, palette);
  const { width, height, profile } = picture;
  const { colours } = palette;
  const channels = hasAlpha(picture.channels) ? 4 : 3;
  const data = new Uint8Array(indices.length * channels);
  for (let pixel = 0, to = 0; pixel < indices.length; pixel++) {
    const from = (indices[pixel] as number) * 4;
    for (let channel = 0; channel < channels; channel++) data[to++] = colours[from + channel] as number;
  }
  return { width, height, channels, data, profile };
}
