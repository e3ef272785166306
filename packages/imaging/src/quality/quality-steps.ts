/** The steps of one kind of loss, from the coarsest to the finest. */
export type QualitySteps<Step> = readonly [Step, ...Step[]];

/**
 * The coarsest step that scores at least `target`, or undefined if none does. A binary search: it assumes that scores
 * rise with the steps. If a few steps are out of order the answer may be a step off, and a higher target still never
 * gives a coarser step. The search ends without one where a step scores too little and is hopeless.
 */
export function coarsestStep<Step>(
  steps: QualitySteps<Step>,
  {
    target,
    score,
    isHopeless = () => false,
  }: { target: number; score: (step: Step) => number; isHopeless?: ((step: Step) => boolean) | undefined },
): Step | undefined {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const step = steps[middle] as Step;
    if (score(step) >= target) high = middle;
    else if (isHopeless(step)) return undefined;
    else low = middle + 1;
  }
  return steps[low];
}
