import type { ModelRow } from "./row.ts";

/** Samples of a picture, rows from the top, channels side by side: 8 bit 0..255, or 16 bit 0..65535. */
export type Samples = Uint8Array | Uint16Array;

/** What stands for all of a channel. */
export const fullOf = (samples: Samples): number => (samples instanceof Uint16Array ? 65_535 : 255);

/**
 * What a model is given of an RGB picture.
 * @param samples `channels` samples a pixel, of which the first three are read as red, green, blue; one: grey
 * @returns float32 [1, 3, height, width], normalised as the row says
 */
export function planesOf(
  samples: Samples,
  { channels, input }: { channels: 1 | 2 | 3 | 4; input: Pick<ModelRow["input"], "mean" | "deviation"> },
): Float32Array {
  const area = samples.length / channels;
  const planes = new Float32Array(3 * area);
  const to255 = 255 / fullOf(samples);
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
