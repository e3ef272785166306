import type { Matte } from "./matte.ts";

/** A matte, and what else is known of it: see `FoundMatte`. */
type Judged = { matte: Matte; agreement?: number; personOverlap?: number };

/**
 * The confidence in the result, 0..1: the overlap (IoU) to expect with a careful manual cut-out.
 *
 * A network that is certain outputs 0 or 1. The overlap of its matte with the same matte thresholded at 0.5 measures
 * how far it is from that. On the 20 pairs of `npm run bench:cutout` this correlates with the true IoU (rank
 * correlation 0.72), and the factor makes their means equal. If two inferences contradict each other, their agreement
 * is the upper bound. A network that is certain but wrong is detected on people only, by networks trained on people
 * (`person-prior.ts`): the overlap with them then weighs as much as the matte's own certainty, and a large difference
 * caps the confidence.
 */
export function confidenceOf({ matte, agreement = 1, personOverlap }: Judged): number {
  let [both, either] = [0, 0];
  for (const value of matte.values) {
    const cut = value > 0.5 ? 1 : 0;
    both += Math.min(value, cut);
    either += Math.max(value, cut);
  }
  if (either === 0) return 0;
  const expected = 1 - distanceFactor * (1 - both / either);
  const certainty =
    personOverlap === undefined
      ? expected
      : Math.min((expected + personOverlap) / 2, 1 - personFactor * (1 - personOverlap));
  return Math.max(0, Math.min(certainty, agreement));
}

/**
 * Mean of (1 - IoU) over the pairs, divided by the mean distance of the mattes from their thresholded form: 0.0424 /
 * 0.0255.
 */
const distanceFactor = 1.66;
/** The prior is coarse: even a perfect matte differs from it by about a tenth. */
const personFactor = 0.6;
