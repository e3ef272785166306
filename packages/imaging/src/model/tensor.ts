import { fullScale, type IntegerSamples } from "../raster/raster.ts";
import type { ModelRow } from "./row.ts";

/**
 * A model's input for an RGB picture.
 * @param samples `channels` samples a pixel; the first three are red, green, blue, and a single one is grey
 * @returns float32 [1, 3, height, width], normalised as the row says
 */
export function planesOf(
  samples: IntegerSamples,
  { channels, input }: { channels: 1 | 2 | 3 | 4; input: Pick<ModelRow["input"], "mean" | "deviation"> },
): Float32Array {
  const area = samples.length / channels;
  const planes = new Float32Array(3 * area);
  const to255 = 255 / fullScale(samples);
  for (let channel = 0; channel < 3; channel += 1) {
    const mean = input.mean[channel] ?? 0;
    const factor = 1 / (input.deviation[channel] ?? 1);
    const plane = planes.subarray(channel * area, (channel + 1) * area);
    const first = channels < 3 ? 0 : channel;
    for (let i = 0, at = first; i < area; i += 1, at += channels)
      plane[i] = ((samples[at] ?? 0) * to255 - mean) * factor;
  }
  return planes;
}
