import { looksDrawn } from "../../quality/looks-drawn.ts";
import { judgeFor } from "../../quality/sample.ts";
import { targetScore } from "../../quality/scale.ts";
import type { Raster } from "../../raster/raster.ts";
import { canUsePalette, paletteScore } from "../palette/apply-palette.ts";
import { findPalette } from "../palette/find-palette.ts";
import { colourHistogram, type Histogram, wholeHistogram } from "../palette/histogram.ts";
import type { Palette } from "../palette/quantize-colours.ts";
import { quantizeSamples } from "../quantize-samples.ts";
import type { PngCandidate } from "./candidate.ts";
import { hasFewColours, lossyCandidates } from "./candidates.ts";
import { palettePng } from "./palette.ts";
import { quantizedPng } from "./quantize.ts";

/** A lossy PNG encoding with one parameter, its fineness of 1 to 100. */
export type PngStrategy = {
  candidateAt(fineness: number): PngCandidate;
  /** SSIMULACRA 2, judged on a sample of the picture. */
  scoreAt(fineness: number): number;
  /** The next lower fineness that makes another file. */
  coarser(fineness: number): number;
  /** Quick packings that a search may take. Each takes a tenth of an encoding's time for differences, and a fifteenth for a palette. */
  quickPackings: number;
  /** Thorough packings that a search may take. Each takes 7/10 for differences, and 3/10 for a palette. */
  thoroughPackings: number;
  /** How fast the logarithm of the bytes rises with fineness. */
  growth: number;
  /** The share of a quick packing's bytes that a thorough one takes, measured where that costs little. */
  packing(fineness: number): Promise<number>;
};

/** The strategy that takes fewer bytes at this quality is chosen. */
const comparedQuality = 60;

/** Quantized differences for a photograph, a palette for a drawing. The picture must not be tiny. */
export function strategyFor(picture: Raster<Uint8Array>): PngStrategy {
  if (!canUsePalette(picture)) return quantizedStrategy(picture);
  const whole = wholeHistogram(picture);
  if (whole && (hasFewColours(whole) || looksDrawn(picture))) return paletteStrategy(picture, whole);
  if (!looksDrawn(picture)) return quantizedStrategy(picture);
  // A portrait before an even wall looks drawn, and a screen may show photographs.
  const histogram = colourHistogram(picture);
  const wanted = { judge: judgeFor(picture), target: targetScore(comparedQuality) };
  const { painted, quantized } = lossyCandidates(picture, histogram, wanted);
  const bytesOf = (candidate: PngCandidate | undefined) => candidate?.quickly().length ?? Number.POSITIVE_INFINITY;
  return bytesOf(painted) < bytesOf(quantized) ? paletteStrategy(picture, histogram) : quantizedStrategy(picture);
}

/** A geometric series from the coarsest number to the finest. */
const between = ([coarsest, finest]: readonly [number, number], fineness: number) =>
  coarsest * (finest / coarsest) ** ((fineness - 1) / 99);

function quantizedStrategy(picture: Raster<Uint8Array>): PngStrategy {
  const stepAt = (fineness: number) => between([48, 1], fineness);
  const judge = judgeFor(picture);
  return {
    growth: 0.025,
    quickPackings: 4,
    thoroughPackings: 3,
    coarser: (fineness) => fineness - 0.2,
    candidateAt: (fineness) => quantizedPng(picture, stepAt(fineness)),
    scoreAt: (fineness) =>
      judge.likeness({
        ...judge.sample,
        data: quantizeSamples(judge.sample, { step: stepAt(fineness), prediction: "average" }),
      }),
    async packing(fineness) {
      const bands = quantizedPng(bandsOf(picture), stepAt(fineness));
      return (await bands.thoroughly()).length / bands.quickly().length;
    },
  };
}

function paletteStrategy(picture: Raster<Uint8Array>, histogram: Histogram): PngStrategy {
  const judge = judgeFor(picture);
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
    scoreAt: (fineness) => paletteScore(judge, paletteAt(fineness)),
    packing: async () => 0.857,
  };
}

const bandCount = 6;
/** The share of rows in the bands: enough to estimate how much a thorough packing saves. */
const bandShare = 1 / 16;

/** Bands of whole rows from all over the picture, so that matches reach as far back as in the picture. */
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
