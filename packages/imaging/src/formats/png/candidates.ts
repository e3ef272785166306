import { judgeFor } from "../../quality/sample.ts";
import type { Raster } from "../../raster/raster.ts";
import type { Candidate } from "./candidate.ts";
import { colourHistogram, type Histogram, wholeHistogram } from "./palette/histogram.ts";
import { exactPaletteCandidate, paletteCandidate } from "./palette.ts";
import { quantizedCandidate } from "./quantize.ts";

/** Below these sizes the score means nothing: it compares areas of 8 px and up. */
const smallest = { sidePx: 16, pixels: 1024 };
const mostPaletteColours = 256;

type Wanted = {
  /** The score to keep (SSIMULACRA 2, judged on a sample of the picture); undefined: lose nothing. */
  target: number | undefined;
  isDrawn: boolean;
};

/**
 * PNGs that keep the wanted score, of which the caller takes the smallest; none if only a plain lossless PNG will do.
 *
 * Quantised differences suit photographs, a palette suits drawings. The picture alone decides which are tried: a higher
 * target then gives no smaller file, except for details that the sample does not contain.
 */
export function pngCandidates(samples: Raster<Uint8Array>, { target, isDrawn }: Wanted): Candidate[] {
  const histogram = isDrawn ? colourHistogram(samples) : wholeHistogram(samples);
  // A palette has one colour for all invisible pixels; lossless output keeps their colours.
  const exact =
    histogram && hasFewColours(histogram) && !(target === undefined && hidesColours(samples))
      ? [exactPaletteCandidate(histogram, samples)]
      : [];
  if (target === undefined || isTiny(samples)) return exact;
  const judge = judgeFor(samples);
  const searches = [
    ...(histogram && hasFewColours(histogram) ? [] : [quantizedCandidate(judge)]),
    ...(histogram ? [paletteCandidate(histogram, judge)] : []),
  ];
  return [...exact, ...searches.map((find) => find(samples, target)).filter((candidate) => candidate !== undefined)];
}

/** Too small for its score to mean anything. */
export const isTiny = ({ width, height }: Raster): boolean =>
  Math.min(width, height) < smallest.sidePx || width * height < smallest.pixels;

/** A palette holds all of them. */
export const hasFewColours = ({ isWhole, count }: Histogram): boolean => isWhole && count <= mostPaletteColours;

function hidesColours({ channels, data }: Raster): boolean {
  if (channels !== 2 && channels !== 4) return false;
  for (let at = 0; at < data.length; at += channels)
    if (data[at + channels - 1] === 0)
      for (let colour = at; colour < at + channels - 1; colour++) if (data[colour] !== 0) return true;
  return false;
}
