import { toLight } from "../colour/srgb.ts";
import type { Raster } from "../raster/raster.ts";

/** Three planes of one picture in raster order; the function that fills them documents their values. */
export type Planes = { width: number; height: number; planes: [Float32Array, Float32Array, Float32Array] };

/** The sRGB transfer function (IEC 61966-2-1), 0..1 to linear light. */

/** Planes of linear light, 0..1, with alpha composited over the grey `background` (0..1, an sRGB value). */
export function linearPlanes({ width, height, channels, data }: Raster<Uint8Array>, background: number): Planes {
  const size = width * height;
  const planes = [0, 1, 2].map(() => new Float32Array(size)) as Planes["planes"];
  const linear = Float32Array.from({ length: 256 }, (_, byte) => toLight(byte / 255));
  const hasAlpha = channels === 2 || channels === 4;
  for (let channel = 0; channel < 3; channel++) {
    const plane = planes[channel] as Float32Array;
    let at = channels > 2 ? channel : 0;
    if (!hasAlpha) {
      for (let i = 0; i < size; i++, at += channels) plane[i] = linear[data[at] as number] as number;
      continue;
    }
    for (let i = 0; i < size; i++, at += channels) {
      const byte = data[at] as number;
      const alpha = data[i * channels + channels - 1] as number;
      plane[i] =
        alpha === 255
          ? (linear[byte] as number)
          : toLight((alpha / 255) * (byte / 255) + (1 - alpha / 255) * background);
    }
  }
  return { width, height, planes };
}

/** Half the size in linear light, by 2x2 averages; an odd edge counts twice. */
export function halve({ width, height, planes }: Planes): Planes {
  const [halfWidth, halfHeight] = [(width + 1) >> 1, (height + 1) >> 1];
  const smaller = planes.map((plane) => {
    const half = new Float32Array(halfWidth * halfHeight);
    for (let y = 0; y < halfHeight; y++) {
      const upper = 2 * y * width;
      const lower = Math.min(2 * y + 1, height - 1) * width;
      for (let x = 0, left = 0; x < halfWidth; x++, left += 2) {
        const right = left + 1 < width ? left + 1 : left;
        half[y * halfWidth + x] =
          ((plane[upper + left] as number) +
            (plane[upper + right] as number) +
            (plane[lower + left] as number) +
            (plane[lower + right] as number)) /
          4;
      }
    }
    return half;
  }) as Planes["planes"];
  return { width: halfWidth, height: halfHeight, planes: smaller };
}

// The opsin absorbance matrix and bias of JPEG XL (ISO/IEC 18181-1, annex on XYB), for the three kinds of cones.
const long = [0.3, 0.622, 0.078] as const;
const medium = [0.23, 0.692, 0.078] as const;
const short = [0.24342268924547819, 0.20476744424496821, 0.55180986650955] as const;
const bias = 0.0037930732552754493;

const rootSteps = 1 << 16;
/** Cube roots of bias..bias+1, interpolated: `Math.cbrt` is ten times slower; the error is below 1e-6. */
const roots = new Float32Array(rootSteps + 2);
for (let i = 0; i < roots.length; i++) roots[i] = Math.cbrt(bias + i / rootSteps);

/**
 * Planes X, Y, B in about 0..1, from linear light: XYB with B - Y in place of B, shifted and scaled as SSIMULACRA 2
 * expects.
 */
export function positiveXyb({ width, height, planes: [red, green, blue] }: Planes): Planes {
  const size = width * height;
  const planes = [0, 1, 2].map(() => new Float32Array(size)) as Planes["planes"];
  const [xs, ys, bs] = planes;
  const root = (mixed: number) => {
    const at = mixed * rootSteps;
    const index = at | 0;
    const lower = roots[index] as number;
    return lower + ((roots[index + 1] as number) - lower) * (at - index);
  };
  const biasRoot = Math.cbrt(bias);
  for (let i = 0; i < size; i++) {
    const r = red[i] as number;
    const g = green[i] as number;
    const b = blue[i] as number;
    // Flat areas repeat their colour: a drawing takes half the time.
    if (i > 0 && r === red[i - 1] && g === green[i - 1] && b === blue[i - 1]) {
      xs[i] = xs[i - 1] as number;
      ys[i] = ys[i - 1] as number;
      bs[i] = bs[i - 1] as number;
      continue;
    }
    const l = root(long[0] * r + long[1] * g + long[2] * b) - biasRoot;
    const m = root(medium[0] * r + medium[1] * g + medium[2] * b) - biasRoot;
    const s = root(short[0] * r + short[1] * g + short[2] * b) - biasRoot;
    const y = (l + m) / 2;
    xs[i] = ((l - m) / 2) * 14 + 0.42;
    ys[i] = y + 0.01;
    bs[i] = s - y + 0.55;
  }
  return { width, height, planes };
}
