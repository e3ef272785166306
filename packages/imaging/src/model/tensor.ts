import { fullScale, type IntegerSamples } from "@tintype/codecs/raster";
import type { ModelRow } from "./row.ts";

type Picture = {
  channels: 1 | 2 | 3 | 4;
  input: Pick<ModelRow["input"], "mean" | "deviation">;
  exponent?: number;
};

/**
 * A model's input tensor for an RGB picture.
 * @param exponent of each channel's 0..1, applied first: above 1 it darkens
 * @param samples `channels` samples per pixel; the first three are red, green and blue, a single one is grey
 * @returns float32 [1, 3, height, width], normalised as specified by the row
 */
export function planesOf(samples: IntegerSamples, { channels, input, exponent = 1 }: Picture): Float32Array {
  const area = samples.length / channels;
  const planes = new Float32Array(3 * area);
  const full = fullScale(samples);
  const levels = Float32Array.from({ length: full + 1 }, (_, level) => 255 * (level / full) ** exponent);
  for (let channel = 0; channel < 3; channel += 1) {
    const mean = input.mean[channel] ?? 0;
    const factor = 1 / (input.deviation[channel] ?? 1);
    const plane = planes.subarray(channel * area, (channel + 1) * area);
    const first = channels < 3 ? 0 : channel;
    for (let i = 0, at = first; i < area; i += 1, at += channels)
      plane[i] = ((levels[samples[at] ?? 0] ?? 0) - mean) * factor;
  }
  return planes;
}
