import type { Judge } from "../../quality/sample.ts";
import { quantizationStep, quantizeSamples } from "../quantize-samples.ts";
import { writePng } from "./assemble.ts";
import type { FindCandidate, LossyPicture } from "./candidate.ts";

const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

/** Suits photographs: it goes without a break from hardly any loss to next to nothing left. */
export const quantizedCandidate =
  (judge: Judge): FindCandidate =>
  (picture, target) => {
    const step = quantizationStep(judge, { target, prediction: "average" });
    return step === undefined ? undefined : write(picture, step);
  };

const write = ({ samples, level }: LossyPicture, step: number): Buffer =>
  writePng({
    width: samples.width,
    height: samples.height,
    depth: 8,
    colourType: colourTypes[samples.channels],
    rows: quantizeSamples(samples, { step, prediction: "average" }),
    profile: samples.profile,
    filter: "average",
    level,
  });
