import { climb, type Ladder } from "../../quality/quality-steps.ts";
import { bendSamples, type Prediction } from "../quantize-samples.ts";
import { writePng } from "./assemble.ts";
import type { Judged, LossyPicture, Way } from "./candidate.ts";

/** Between the differences that may occur: 2 is next to no loss, at 48 hardly a face is left. */
const steps: Ladder<number> = [
  48, 40, 36, 32, 28, 25, 23, 21, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
];

const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

/** The largest step that scores at least `target`, undefined where none does. */
export function bendingStep(
  { sample, likeness }: Judged,
  { target, prediction }: { target: number; prediction: Prediction },
): number | undefined {
  const score = (step: number) => likeness({ ...sample, data: bendSamples(sample, { step, prediction }) });
  return climb(steps, { target, score });
}

/** Suits photographs: it goes without a break from hardly any loss to next to nothing left. */
export const bentWay =
  (judged: Judged): Way =>
  (picture, target) => {
    const step = bendingStep(judged, { target, prediction: "average" });
    return step === undefined ? undefined : write(picture, step);
  };

const write = ({ samples, profile, level }: LossyPicture, step: number): Buffer =>
  writePng({
    width: samples.width,
    height: samples.height,
    depth: 8,
    colourType: colourTypes[samples.channels],
    rows: bendSamples(samples, { step, prediction: "average" }),
    profile,
    filter: "average",
    level,
  });
