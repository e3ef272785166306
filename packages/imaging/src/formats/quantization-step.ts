import { type Prediction, quantizeSamples } from "@tintype/codecs/entropy";
import { coarsestStep, type QualitySteps } from "../quality/quality-steps.ts";
import type { SampleScorer } from "../quality/sample.ts";

/** 1 is nearly lossless; at 48 faces are barely recognizable. */
const quantizationSteps: QualitySteps<number> = [
  48, 40, 36, 32, 28, 25, 23, 21, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1,
];

/** A step and all finer ones, the coarsest first. */
export const stepsUpTo = (step: number): readonly number[] => quantizationSteps.filter((one) => one <= step);

type WantedStep = {
  /** SSIMULACRA 2. */
  target: number;
  prediction: Prediction;
  /** Whether to end the search at a step that scores too low, because finer steps would cost too much. */
  isHopeless?: (step: number) => boolean;
};

/** The largest step that scores at least `target`; undefined if none does. */
export function quantizationStep(
  { sample, likeness }: SampleScorer,
  { target, prediction, isHopeless }: WantedStep,
): number | undefined {
  const score = (step: number) => likeness({ ...sample, data: quantizeSamples(sample, { step, prediction }) });
  return coarsestStep(quantizationSteps, { target, score, isHopeless });
}
