/** The settings of one kind of loss, from coarsest to finest. */
export type QualitySteps<Step> = readonly [Step, ...Step[]];

type Search<Step> = {
  target: number;
  score: (step: Step) => number;
  isHopeless?: ((step: Step) => boolean) | undefined;
  /** The approximate gain in score per step, from which the search predicts the next step to try. */
  pointsPerStep?: number;
};

/**
 * The coarsest step that scores at least `target`, or undefined if none does. A binary search, which assumes that
 * scores rise with the steps. If a few steps are out of order the result may be off by one step, but a higher target
 * never gives a coarser step. The search ends without a result at a step that scores too low and is hopeless.
 */
export function coarsestStep<Step>(
  steps: QualitySteps<Step>,
  { target, score, isHopeless = () => false, pointsPerStep }: Search<Step>,
): Step | undefined {
  let [low, high] = [0, steps.length];
  let guess: number | undefined;
  for (let tries = 0; low < high; tries++) {
    const at = guess === undefined || tries > maxGuesses ? (low + high) >> 1 : clamp(guess, low, high - 1);
    const step = steps[at] as Step;
    const found = score(step);
    if (found >= target) high = at;
    else if (isHopeless(step)) return undefined;
    else low = at + 1;
    if (pointsPerStep) guess = Math.ceil(at + (target - found) / pointsPerStep);
  }
  return steps[low];
}

/** After this many predictions, bisection. */
const maxGuesses = 3;
const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value));
