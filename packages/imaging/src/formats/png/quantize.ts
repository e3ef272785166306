import { parseEffort, quantizeSamples } from "@tintype/codecs/entropy";
import type { Channels, Raster } from "@tintype/codecs/raster";
import type { SampleScorer } from "../../quality/sample.ts";
import { quantizationStep } from "../quantization-step.ts";
import { candidateOf, closeBy, type PngCandidate } from "./candidate.ts";
import { directColourTypes } from "./container.ts";

type QuantizeOptions = {
  /** SSIMULACRA 2. */
  target: number;
  /** Bytes of the scorer's sample in another encoding: the search ends once this one clearly needs more. */
  rivalBytes: number;
};

/**
 * The encoding with the coarsest quantization step that scores at least `target`; undefined if none does. It suits
 * photographs, because loss grows continuously with the step.
 */
export function quantizedCandidate(
  picture: Raster<Uint8Array>,
  scorer: SampleScorer,
  { target, rivalBytes }: QuantizeOptions,
): PngCandidate | undefined {
  const bytesAt = (step: number) => quantizedPng(scorer.sample, step).quickly().length;
  const step = quantizationStep(scorer, {
    target,
    prediction: "average",
    isHopeless: (step) => rivalBytes < Number.POSITIVE_INFINITY && bytesAt(step) > rivalBytes * closeBy,
  });
  if (step === undefined) return undefined;
  const { sample } = scorer;
  return { ...quantizedPng(picture, step), onSample: () => ({ sample, bytes: quantizedPng(sample, step).quickly() }) };
}

/** The picture with its Average-filter differences quantized to `step`, which need not be an integer. */
export function quantizedPng(picture: Raster<Uint8Array>, step: number): PngCandidate {
  const samples: Raster<Uint8Array> = withoutIdleChannels(picture);
  const png = {
    width: samples.width,
    height: samples.height,
    depth: 8,
    colourType: directColourTypes[samples.channels],
    rows: quantizeSamples(samples, { step, prediction: "average" }),
    profile: samples.profile,
    filter: "average",
  } as const;
  return candidateOf(png, parseEffort(samples.data.byteLength));
}

/**
 * Drops alpha if every pixel is opaque, and reduces RGB to grey if R = G = B throughout and there is no RGB profile.
 */
function withoutIdleChannels(picture: Raster<Uint8Array>): Raster<Uint8Array> {
  const { channels, data, profile } = picture;
  const hasAlpha = channels === 2 || channels === 4;
  const isOpaque = hasAlpha && every(data, channels, (at) => data[at + channels - 1] === 255);
  const isGrey =
    channels > 2 && !profile && every(data, channels, (at) => data[at] === data[at + 1] && data[at] === data[at + 2]);
  if (!isOpaque && !isGrey) return picture;
  const colours = isGrey || channels < 3 ? 1 : 3;
  const kept = (colours + (hasAlpha && !isOpaque ? 1 : 0)) as Channels; // 1 to 4
  const left = new Uint8Array((data.length / channels) * kept);
  for (let from = 0, to = 0; from < data.length; from += channels, to += kept) {
    for (let colour = 0; colour < colours; colour++) left[to + colour] = data[from + colour] as number;
    if (kept > colours) left[to + colours] = data[from + channels - 1] as number;
  }
  return { ...picture, channels: kept, data: left };
}

function every(data: Uint8Array, channels: number, holds: (at: number) => boolean): boolean {
  for (let at = 0; at < data.length; at += channels) if (!holds(at)) return false;
  return true;
}
