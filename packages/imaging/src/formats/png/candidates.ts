import { judgeFor } from "../../quality/sample.ts";
import type { LossyPicture } from "./candidate.ts";
import { colourHistogram, type Histogram } from "./palette/histogram.ts";
import { exactPaletteCandidate, paletteCandidate } from "./palette.ts";
import { quantizedCandidate } from "./quantize.ts";

/** Below these the score says nothing: it looks at areas of 8 px and up. */
const smallest = { sidePx: 16, pixels: 1024 };
const mostPaletteColours = 256;

type Wanted = {
  /** The score to keep (SSIMULACRA 2, judged on a sample of the picture); undefined: lose nothing. */
  target: number | undefined;
  isDrawn: boolean;
};

/**
 * PNGs that look like the picture to the score wanted, of which the smallest is to be taken; none where only the picture
 * itself, written plainly, will do.
 *
 * Bent differences suit photographs, a palette suits drawings. That a way is tried at all depends on the picture alone, so
 * that a higher target gives no smaller file, but for what the sample does not show.
 */
export function pngCandidates(picture: LossyPicture, { target, isDrawn }: Wanted): Buffer[] {
  const { samples } = picture;
  const histogram = colourHistogram(samples);
  // A palette has one colour for all that is not seen; without loss those colours stay what they are.
  const exact =
    hasFewColours(histogram) && !(target === undefined && hidesColours(samples))
      ? [exactPaletteCandidate(histogram, picture)]
      : [];
  const isTiny =
    Math.min(samples.width, samples.height) < smallest.sidePx || samples.width * samples.height < smallest.pixels;
  if (target === undefined || isTiny) return exact;
  const judge = judgeFor(samples);
  const searches = [
    ...(hasFewColours(histogram) ? [] : [quantizedCandidate(judge)]),
    ...(isDrawn || histogram.isWhole ? [paletteCandidate(histogram, judge)] : []),
  ];
  return [...exact, ...searches.map((find) => find(picture, target)).filter((candidate) => candidate !== undefined)];
}

const hasFewColours = ({ isWhole, count }: Histogram) => isWhole && count <= mostPaletteColours;

function hidesColours({ channels, data }: LossyPicture["samples"]): boolean {
  if (channels !== 2 && channels !== 4) return false;
  for (let at = 0; at < data.length; at += channels)
    if (data[at + channels - 1] === 0)
      for (let colour = at; colour < at + channels - 1; colour++) if (data[colour] !== 0) return true;
  return false;
}
