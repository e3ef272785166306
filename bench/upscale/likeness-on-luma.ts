import type { Raster } from "../../packages/codecs/src/raster/raster.ts";

/** The scores that super-resolution papers report. */
export type Scores = { psnr: number; ssim: number };

type Plane = { data: Float64Array; width: number; height: number };

/** PSNR in dB and SSIM on BT.601 luma, not rounded, without a border of `border` px on each side. */
export function scoreOnLuma(result: Raster<Uint8Array>, original: Raster<Uint8Array>, border: number): Scores {
  const size = { width: Math.min(result.width, original.width), height: Math.min(result.height, original.height) };
  const [a, b] = [luma(result, size, border), luma(original, size, border)];
  const error = a.data.reduce((sum, value, i) => sum + (value - (b.data[i] ?? 0)) ** 2, 0) / a.data.length;
  return { psnr: 10 * Math.log10(255 ** 2 / error), ssim: ssim(a, b) };
}

/** BT.601 luma in studio range, 16..235, like MATLAB's rgb2ycbcr, without the border. */
export function luma(picture: Raster<Uint8Array>, size: { width: number; height: number }, border: number): Plane {
  const { data, width, channels } = picture;
  const plane = {
    data: new Float64Array((size.width - 2 * border) * (size.height - 2 * border)),
    width: size.width - 2 * border,
    height: size.height - 2 * border,
  };
  for (let y = 0, out = 0; y < plane.height; y += 1)
    for (let x = 0; x < plane.width; x += 1, out += 1) {
      const at = ((y + border) * width + x + border) * channels;
      const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]];
      plane.data[out] = 16 + (65.481 * r + 128.553 * g + 24.966 * b) / 255;
    }
  return plane;
}

/** Wang et al. 2004 as in MATLAB: an 11 x 11 Gaussian with sigma 1.5, K of 0.01 and 0.03, only where the window fits. */
function ssim(a: Plane, b: Plane): number {
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  const [meanA, meanB] = [soften(a), soften(b)];
  const [squareA, squareB, product] = [soften(times(a, a)), soften(times(b, b)), soften(times(a, b))];
  let sum = 0;
  for (let i = 0; i < meanA.data.length; i += 1) {
    const [ma, mb] = [meanA.data[i] ?? 0, meanB.data[i] ?? 0];
    const [va, vb] = [(squareA.data[i] ?? 0) - ma * ma, (squareB.data[i] ?? 0) - mb * mb];
    const together = (product.data[i] ?? 0) - ma * mb;
    sum += ((2 * ma * mb + c1) * (2 * together + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
  }
  return sum / meanA.data.length;
}

const times = (a: Plane, b: Plane): Plane => ({ ...a, data: a.data.map((value, i) => value * (b.data[i] ?? 0)) });

function soften(plane: Plane): Plane {
  const raw = Array.from({ length: 11 }, (_, i) => Math.exp(-0.5 * ((i - 5) / 1.5) ** 2));
  const kernel = raw.map((weight) => weight / raw.reduce((sum, one) => sum + one, 0));
  return transposed(acrossRows(transposed(acrossRows(plane, kernel)), kernel));
}

function acrossRows({ data, width, height }: Plane, kernel: number[]): Plane {
  const to = { data: new Float64Array((width - 10) * height), width: width - 10, height };
  for (let y = 0, out = 0; y < height; y += 1)
    for (let x = 0; x < to.width; x += 1, out += 1)
      to.data[out] = kernel.reduce((sum, weight, k) => sum + weight * (data[y * width + x + k] ?? 0), 0);
  return to;
}

function transposed({ data, width, height }: Plane): Plane {
  const turned = data.map((_, i) => data[(i % height) * width + Math.floor(i / height)] ?? 0);
  return { data: turned, width: height, height: width };
}
