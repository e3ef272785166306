import { deflateSync } from "node:zlib";
import { coarsestStep, type QualitySteps } from "../../quality/quality-steps.ts";
import type { SampleScorer } from "../../quality/sample.ts";
import { hasAlpha, type Raster } from "../../raster/raster.ts";
import { type DitherOptions, ditherToPalette } from "./dither.ts";
import { findPalette } from "./find-palette.ts";
import type { Histogram } from "./histogram.ts";
import { depthFor, packIndices } from "./pack-indices.ts";
import type { Palette } from "./quantize-colours.ts";

/** A palette is RGB: a grey ICC profile does not apply to it. */
export const canUsePalette = ({ channels, profile }: Raster): boolean => channels >= 3 || !profile;

/** Colours in a palette; each step costs 4 to 10 % more bytes than the one before. */
const counts: QualitySteps<number> = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256];

/** The gain in score per step of `counts` for a drawing: 5 to 10 near the target, measured on two interfaces. */
const pointsPerStep = 8;

/**
 * Half of an error is diffused: without diffusion every shadow shows bands, and full diffusion costs a quarter more
 * bytes at the same score (measured on two interfaces). At most 24 of 255 is diffused: larger errors are edges. Errors
 * below 0.5 are dropped, which halves the time for flat areas. Dropping those below 2.5 would save 5 % more at the same
 * score, but bands show in smooth gradients.
 */
const dithering: DitherOptions = { strength: 0.5, max: 24, min: 0.25 };

/**
 * The palette with the fewest colours that scores at least `target`, or with more colours if these take fewer bytes:
 * with less error, pixels repeat more often. Undefined if 256 colours do not reach the target. Drawings
 * need few.
 */
export function paletteFor(histogram: Histogram, scorer: SampleScorer, target: number): Palette | undefined {
  const found = new Map<number, Palette>();
  const paletteOf = (count: number) => {
    const palette = found.get(count) ?? findPalette(histogram, count);
    found.set(count, palette);
    return palette;
  };
  const score = (count: number) => paletteScore(scorer, paletteOf(count));
  const fewest = coarsestStep(counts, { target, score, pointsPerStep });
  if (fewest === undefined) return undefined;
  const packedBytes = (palette: Palette) => {
    const depth = depthFor(palette.places.length / 4);
    const { width } = scorer.sample;
    return deflateSync(packIndices(indexPixels(scorer.sample, palette), { width, depth })).length;
  };
  let best = paletteOf(fewest);
  let bestBytes = packedBytes(best);
  for (const count of counts.slice(counts.indexOf(fewest) + 1)) {
    const palette = paletteOf(count);
    const bytes = packedBytes(palette);
    if (bytes >= bestBytes) break;
    [best, bestBytes] = [palette, bytes];
  }
  return best;
}

/** The score of the scorer's sample mapped to a palette. */
export const paletteScore = ({ sample, likeness }: SampleScorer, palette: Palette): number =>
  likeness(applyPalette(sample, palette));

/** The palette index of each pixel, one byte each. */
export const indexPixels = (picture: Raster<Uint8Array>, palette: Palette): Uint8Array =>
  ditherToPalette(picture, palette, dithering);

/** The picture mapped to a palette, with alpha only if the picture has alpha. */
export function applyPalette(picture: Raster<Uint8Array>, palette: Palette): Raster<Uint8Array> {
  const indices = indexPixels(picture, palette);
  const { width, height, profile } = picture;
  const channels = hasAlpha(picture.channels) ? 4 : 3;
  const data = new Uint8Array(indices.length * channels);
  if (channels === 4) paint(new Uint32Array(data.buffer), indices, new Uint32Array(palette.colours.slice().buffer));
  else paintOpaque(data, indices, palette.colours);
  return { width, height, channels, data, profile };
}

function paint(pixels: Uint32Array, indices: Uint8Array, colours: Uint32Array): void {
  for (let pixel = 0; pixel < indices.length; pixel++) pixels[pixel] = colours[indices[pixel] as number] as number;
}

function paintOpaque(pixels: Uint8Array, indices: Uint8Array, colours: Uint8Array): void {
  for (let pixel = 0, to = 0; pixel < indices.length; pixel++, to += 3) {
    const from = (indices[pixel] as number) * 4;
    pixels[to] = colours[from] as number;
    pixels[to + 1] = colours[from + 1] as number;
    pixels[to + 2] = colours[from + 2] as number;
  }
}
