/** The settings of one kind of loss, from coarsest to finest. */
export type QualitySteps<Step> = readonly [Step, ...Step[]];

/**
 * The coarsest step that scores at least `target`, or undefined if none does. A binary search, which assumes that
 * scores rise with the steps. If a few steps are out of order the result may be off by one step, but a higher target
 * never gives a coarser step. The search ends without a result at a step that scores too low and is hopeless.
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
