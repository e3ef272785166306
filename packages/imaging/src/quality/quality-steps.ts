/** The steps of one kind of loss, from the coarsest to the finest. */
export type QualitySteps<Step> = readonly [Step, ...Step[]];

/**
 * The coarsest step that scores at least `target`, or undefined if none does. A binary search: it assumes that scores
 * rise with the steps. If a few steps are out of order the answer may be a step off, and a higher target still never
 * gives a coarser step.
 */
export function coarsestStep<Step>(
  steps: QualitySteps<Step>,
  { target, score }: { target: number; score: (step: Step) => number },
): Step | undefined {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (score(steps[middle] as Step) >= target) high = middle;
    else low = middle + 1;
  }
  return steps[low];
}
