import type { Raster } from "../../packages/codecs/src/raster/raster.ts";

/**
 * Lanczos-3 by its definition in double precision and linear light, written independently of the product's code,
 * which it verifies. `samples`: rows of `channels` values 0..255; the result is 0..255, not rounded.
 */
export function referenceShrink(picture: Picture, target: { width: number; height: number }): Float64Array {
  const light = Float64Array.from(picture.data, (value) => toLight(value / 255));
  const { width, height, channels } = picture;
  const across = resampleAxis(light, { outer: height, size: width, inner: channels, target: target.width });
  const both = resampleAxis(across, { outer: 1, size: height, inner: target.width * channels, target: target.height });
  return both.map((value) => 255 * fromLight(Math.min(Math.max(value, 0), 1)));
}

export type Picture = Raster<Uint8Array>;

const toLight = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const fromLight = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);
const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
const lanczos = (x: number) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0);

type Axis = { outer: number; size: number; inner: number; target: number };

/** Values are laid out as [outer][size][inner]; the middle axis is resampled. */
function resampleAxis(values: Float64Array, { outer, size, inner, target }: Axis): Float64Array {
  const result = new Float64Array(outer * target * inner);
  const ratio = size / target;
  const wide = Math.max(1, ratio);
  for (let to = 0; to < target; to++) {
    const centre = (to + 0.5) * ratio - 0.5;
    const from = Math.ceil(centre - 3 * wide);
    const weights = Array.from({ length: Math.floor(6 * wide) + 1 }, (_, k) => lanczos((from + k - centre) / wide));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [k, weight] of weights.entries()) {
      const at = Math.min(Math.max(from + k, 0), size - 1);
      for (let o = 0; o < outer; o++)
        for (let i = 0; i < inner; i++) {
          const index = (o * target + to) * inner + i;
          result[index] = (result[index] ?? 0) + ((values[(o * size + at) * inner + i] ?? 0) * weight) / total;
        }
    }
  }
  return result;
}
