import type { Judge } from "../../quality/sample.ts";
import type { Raster } from "../../raster/raster.ts";
import { quantizationStep, quantizeSamples } from "../quantize-samples.ts";
import { writePng } from "./assemble.ts";
import { type Candidate, closeBy } from "./candidate.ts";
import { withoutIdleChannels } from "./idle-channels.ts";
import { parseEffort } from "./optimal-deflate.ts";

const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

type Wanted = {
  /** SSIMULACRA 2. */
  target: number;
  /** Bytes of the judge's sample in a rival encoding: the search ends once this one clearly needs more. */
  rivalBytes: number;
};

/**
 * The picture with the coarsest step that scores at least `target`; undefined where none does. It suits photographs: loss grows
 * continuously with the step.
 */
export function quantizedCandidate(
  picture: Raster<Uint8Array>,
  judge: Judge,
  { target, rivalBytes }: Wanted,
): Candidate | undefined {
  const bytesAt = (step: number) => quantizedPng(judge.sample, step).quickly().length;
  const step = quantizationStep(judge, {
    target,
    prediction: "average",
    isHopeless: (step) => rivalBytes < Number.POSITIVE_INFINITY && bytesAt(step) > rivalBytes * closeBy,
  });
  if (step === undefined) return undefined;
  const { sample } = judge;
  return { ...quantizedPng(picture, step), onSample: () => ({ sample, bytes: quantizedPng(sample, step).quickly() }) };
}

/** The picture with differences quantized to `step`, which need not be whole. */
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
