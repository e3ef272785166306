import { colourHistogram, type Histogram, wholeHistogram } from "@tintype/codecs/palette";
import type { Raster } from "@tintype/codecs/raster";
import { createSampleScorer, isTiny, type SampleScorer } from "../../quality/sample.ts";
import { isSmallPicture } from "../ordered-encoder.ts";
import { canUsePalette, paletteFor } from "../palette-for.ts";
import type { PngCandidate } from "./candidate.ts";
import { exactPaletteCandidate, palettePng } from "./palette.ts";
import { quantizedCandidate } from "./quantize.ts";

const maxPaletteColours = 256;

type CandidateOptions = {
  /** The least SSIMULACRA 2 score, on a sample of the picture; undefined for lossless. */
  target: number | undefined;
  isDrawn: boolean;
};

/**
 * PNG encodings that reach the target score, of which the caller takes the smallest. Empty if only a truecolour
 * lossless PNG qualifies.
 *
 * Quantized differences suit photographs, a palette suits drawings. The choice of what to try depends on the picture
 * and not on the target: a higher target then never gives a smaller file, except for details that the sample does not
 * contain.
 */
export function pngCandidates(samples: Raster<Uint8Array>, { target, isDrawn }: CandidateOptions): PngCandidate[] {
  const histogram = canUsePalette(samples) ? (isDrawn ? colourHistogram(samples) : wholeHistogram(samples)) : undefined;
  // A palette has one entry for all fully transparent pixels; lossless output keeps their colours.
  const exact =
    histogram && hasFewColours(histogram) && !(target === undefined && hidesColours(samples))
      ? [exactPaletteCandidate(histogram, samples)]
      : [];
  if (target === undefined || isTiny(samples)) return exact;
  const { painted, quantized } = lossyCandidates(samples, histogram, { scorer: createSampleScorer(samples), target });
  return [...exact, painted, quantized].filter((candidate) => candidate !== undefined);
}

/**
 * The smallest encoding of each kind that scores at least `target` on the scorer's sample: indexed, given a histogram;
 * and with quantized differences, unless the picture has at most 256 colours or that encoding clearly takes more bytes.
 */
export function lossyCandidates(
  samples: Raster<Uint8Array>,
  histogram: Histogram | undefined,
  { scorer, target }: { scorer: SampleScorer; target: number },
): { painted?: PngCandidate | undefined; quantized?: PngCandidate | undefined } {
  const palette = histogram && paletteFor(histogram, scorer, target);
  const { sample } = scorer;
  const paintedSample = palette && palettePng(sample, palette).quickly();
  const painted = palette &&
    paintedSample && { ...palettePng(samples, palette), onSample: () => ({ sample, bytes: paintedSample }) };
  if (histogram && hasFewColours(histogram)) return { painted };
  // For a small picture the search goes on: where it ends depends on the target, and a lower one might take more bytes.
  const rival = isSmallPicture(samples) ? undefined : paintedSample;
  const rivalBytes = rival?.length ?? Number.POSITIVE_INFINITY;
  return { painted, quantized: quantizedCandidate(samples, scorer, { target, rivalBytes }) };
}

/** Whether one palette holds all colours. */
export const hasFewColours = ({ isWhole, count }: Histogram): boolean => isWhole && count <= maxPaletteColours;

function hidesColours({ channels, data }: Raster): boolean {
  if (channels !== 2 && channels !== 4) return false;
  for (let at = 0; at < data.length; at += channels)
    if (data[at + channels - 1] === 0)
      for (let colour = at; colour < at + channels - 1; colour++) if (data[colour] !== 0) return true;
  return false;
}
