/** One way to lose bytes, in rungs from the coarsest to the finest. */
export type Ladder<Rung> = readonly [Rung, ...Rung[]];

/**
 * The coarsest rung that scores at least `target`, or undefined where none does. By halving: what scores higher is taken
 * to stand higher. Where a rung or two are out of order the answer may be a rung off, but it never comes lower for a higher
 * target.
 */
export function climb<Rung>(
  ladder: Ladder<Rung>,
  { target, score }: { target: number; score: (rung: Rung) => number },
): Rung | undefined {
  let [low, high] = [0, ladder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (score(ladder[middle] as Rung) >= target) high = middle;
    else low = middle + 1;
  }
  return ladder[low];
}
