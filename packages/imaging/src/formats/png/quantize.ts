import type { Judge } from "../../quality/sample.ts";
import type { Raster } from "../../raster/raster.ts";
import { quantizationStep, quantizeSamples } from "../quantize-samples.ts";
import { writePng } from "./assemble.ts";
import type { Candidate, FindCandidate } from "./candidate.ts";
import { withoutIdleChannels } from "./idle-channels.ts";
import { parseEffort } from "./optimal-deflate.ts";

const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

/** Suits photographs: it goes without a break from hardly any loss to next to nothing left. */
export const quantizedCandidate =
  (judge: Judge): FindCandidate =>
  (picture, target) => {
    const step = quantizationStep(judge, { target, prediction: "average" });
    return step === undefined ? undefined : quantizedPng(picture, step);
  };

/** The picture with differences of `step`, whole or not. */
export function quantizedPng(picture: Raster<Uint8Array>, step: number): Candidate {
  const samples: Raster<Uint8Array> = withoutIdleChannels(picture);
  const png = {
    width: samples.width,
    height: samples.height,
    depth: 8,
    colourType: colourTypes[samples.channels],
    rows: quantizeSamples(samples, { step, prediction: "average" }),
    profile: samples.profile,
    filter: "average",
  } as const;
  const quickly = () => writePng({ ...png, effort: "quick" });
  const effort = parseEffort(samples.data.byteLength);
  return { quickly, thoroughly: async () => (effort ? writePng({ ...png, effort }) : quickly()) };
}
