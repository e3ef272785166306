import type { MatteFinding } from "./find-matte.ts";

/**
 * The certainty of the result, 0..1: the overlap (IoU) to expect with a careful person's cut-out.
 *
 * A network that is certain answers 0 or 1. The overlap of its matte with the same matte cut at 0.5 measures how far it
 * is from that. On the 20 pairs of `npm run bench:cutout` this correlates with the true overlap (rank correlation
 * 0.72), and the factor makes both equal on average. When two looks contradict each other, their agreement is the upper
 * bound. A network that is certain and wrong is recognised on people alone, by networks that know them
 * (`person-prior.ts`): the overlap with theirs then counts as much as the matte's own certainty, and a matte that differs
 * much is marked down.
 */
export function confidenceOf({ matte, agreement = 1, personOverlap }: Omit<MatteFinding, "views">): number {
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

/** Mean of (1 - IoU) over the pairs, divided by the mean of the matte's own distance: 0.0424 / 0.0255. */
const distanceFactor = 1.66;
/** The prior is coarse: a faultless matte differs from it by about a tenth. */
const personFactor = 0.6;
