import { quantizeSamples } from "@tintype/codecs/entropy";
import type { Palette } from "@tintype/codecs/palette";
import { colourHistogram, findPalette, type Histogram, wholeHistogram } from "@tintype/codecs/palette";
import type { Raster } from "@tintype/codecs/raster";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { createSampleScorer } from "../../quality/sample.ts";
import { targetScore } from "../../quality/scale.ts";
import { canUsePalette, paletteScore } from "../palette-for.ts";
import type { PngCandidate } from "./candidate.ts";
import { hasFewColours, lossyCandidates } from "./candidates.ts";
import { palettePng } from "./palette.ts";
import { quantizedPng } from "./quantize.ts";

/** A lossy PNG encoding with one parameter, its fineness from 1 to 100. */
export type PngStrategy = {
  candidateAt(fineness: number): PngCandidate;
  /** SSIMULACRA 2, measured on a sample of the picture. */
  scoreAt(fineness: number): number;
  /** The next lower fineness that gives a different file. */
  coarser(fineness: number): number;
  /**
   * The most quick packings in a search. Each takes a tenth of the time of one encoding for quantized differences, and
   * a fifteenth for a palette.
   */
  quickPackings: number;
  /**
   * The most thorough packings in a search. Each takes 7/10 of that time for quantized differences, and 3/10 for a
   * palette.
   */
  thoroughPackings: number;
  /** The slope of ln(bytes) over fineness. */
  growth: number;
  /** The ratio of thorough to quick bytes: measured on bands for quantized differences, a constant for a palette. */
  packing(fineness: number): Promise<number>;
};

/** The quality at which the two strategies' bytes are compared. */
const comparedQuality = 60;

/**
 * Chooses quantized differences for a photograph, a palette for a drawing. The picture must not be tiny (see `isTiny`).
 */
export function strategyFor(picture: Raster<Uint8Array>): PngStrategy {
  if (!canUsePalette(picture)) return quantizedStrategy(picture);
  const whole = wholeHistogram(picture);
  if (whole && (hasFewColours(whole) || looksDrawn(picture))) return paletteStrategy(picture, whole);
  if (!looksDrawn(picture)) return quantizedStrategy(picture);
  // `looksDrawn` is not conclusive: a portrait before a plain wall looks drawn, and screenshots contain photographs.
  const histogram = colourHistogram(picture);
  const wanted = { scorer: createSampleScorer(picture), target: targetScore(comparedQuality) };
  const { painted, quantized } = lossyCandidates(picture, histogram, wanted);
  const bytesOf = (candidate: PngCandidate | undefined) => candidate?.quickly().length ?? Number.POSITIVE_INFINITY;
  return bytesOf(painted) < bytesOf(quantized) ? paletteStrategy(picture, histogram) : quantizedStrategy(picture);
}

/** Geometric interpolation from coarsest (fineness 1) to finest (100). */
const between = ([coarsest, finest]: readonly [number, number], fineness: number) =>
  coarsest * (finest / coarsest) ** ((fineness - 1) / 99);

function quantizedStrategy(picture: Raster<Uint8Array>): PngStrategy {
  const stepAt = (fineness: number) => between([48, 1], fineness);
  const scorer = createSampleScorer(picture);
  return {
    growth: 0.025,
    quickPackings: 4,
    thoroughPackings: 3,
    coarser: (fineness) => fineness - 0.2,
    candidateAt: (fineness) => quantizedPng(picture, stepAt(fineness)),
    scoreAt: (fineness) =>
      scorer.likeness({
        ...scorer.sample,
        data: quantizeSamples(scorer.sample, { step: stepAt(fineness), prediction: "average" }),
      }),
    async packing(fineness) {
      const bands = quantizedPng(bandsOf(picture), stepAt(fineness));
      return (await bands.thoroughly()).length / bands.quickly().length;
    },
  };
}

function paletteStrategy(picture: Raster<Uint8Array>, histogram: Histogram): PngStrategy {
  const scorer = createSampleScorer(picture);
  const most = Math.min(256, histogram.count);
  const counts = [Math.min(2, most), most] as const;
  const palettes = new Map<number, Palette>();
  const paletteAt = (fineness: number) => {
    const count = Math.round(between(counts, fineness));
    const palette = palettes.get(count) ?? findPalette(histogram, count);
    palettes.set(count, palette);
    return palette;
  };
  return {
    growth: 0.018,
    quickPackings: 8,
    thoroughPackings: 5,
    coarser(fineness) {
      const count = Math.max(1, Math.round(between(counts, fineness)) - 1);
      return 1 + (99 * Math.log(count / counts[0])) / Math.max(Number.EPSILON, Math.log(counts[1] / counts[0]));
    },
    candidateAt: (fineness) => palettePng(picture, paletteAt(fineness)),
    scoreAt: (fineness) => paletteScore(scorer, paletteAt(fineness)),
    packing: async () => 0.857,
  };
}

const bandCount = 6;
/** The share of rows in the bands: enough to estimate the savings of a thorough packing. */
const bandShare = 1 / 16;

/** Evenly spaced bands of whole rows, so that match distances are those of the picture. */
function bandsOf(picture: Raster<Uint8Array>): Raster<Uint8Array> {
  const { width, height, channels, data } = picture;
  const rows = Math.ceil((height * bandShare) / bandCount);
  if (rows * bandCount > height) return picture;
  const bandBytes = rows * width * channels;
  const bands = new Uint8Array(bandBytes * bandCount);
  for (let band = 0; band < bandCount; band++) {
    const from = Math.floor(((band + 0.5) * height) / bandCount - rows / 2) * width * channels;
    bands.set(data.subarray(from, from + bandBytes), band * bandBytes);
  }
  return { ...picture, height: rows * bandCount, data: bands };
}
