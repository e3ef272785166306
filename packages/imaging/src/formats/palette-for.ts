import { deflateSync } from "node:zlib";
import {
  applyPalette,
  depthFor,
  findPalette,
  type Histogram,
  indexPixels,
  type Palette,
  packIndices,
} from "@tintype/codecs/palette";
import type { Raster } from "@tintype/codecs/raster";
import { coarsestStep, type QualitySteps } from "../quality/quality-steps.ts";
import type { SampleScorer } from "../quality/sample.ts";

/** A palette is RGB: a grey ICC profile does not apply to it. */
export const canUsePalette = ({ channels, profile }: Raster): boolean => channels >= 3 || !profile;

/** Colours in a palette; each step costs 4 to 10 % more bytes than the one before. */
const counts: QualitySteps<number> = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256];

/** The gain in score per step of `counts` for a drawing: 5 to 10 near the target, measured on two interfaces. */
const pointsPerStep = 8;

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
