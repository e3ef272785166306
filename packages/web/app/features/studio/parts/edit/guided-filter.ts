import { dilate } from "./mask.ts";

/** RGBA, 8 bits, straight alpha. */
export type Pixels = { width: number; height: number; data: Uint8ClampedArray };

/** Window radius, cells. */
const windowCells = 3;
/** Regularisation of the guided filter for colours of 0..1: windows with a variance far below it count as flat. */
const epsilon = 1e-4;
/** Filtered alpha below this counts as 0, and above 1 minus this as 1: a haze would be visible on a plain background. */
const hazeAlpha = 0.1;

/** Alpha, 0..1, at a position in the search picture (cells, the first one's centre is 0) for the full-resolution colour at `pixels[at]`. */
export type Fit = (x: number, y: number, pixels: Uint8ClampedArray, at: number) => number;

/**
 * Fits `target` to the colours of the search picture, in windows around the band: alpha = a R + b G + c B + d, of colours 0..1
 * (He, Sun and Tang, "Guided image filtering", TPAMI 2013, with the colour guide of its section 3.5).
 */
export function guideCoefficients(search: Pixels, target: Float32Array, band: Uint8Array): Fit {
  const { width, height } = search;
  const fits = new Float32Array(band.length * 4);
  const means = new Float32Array(band.length * 4);
  const interpolated = dilate(band, width); // the cells that are interpolated
  let windows = interpolated;
  for (let step = 0; step < windowCells; step += 1) windows = dilate(windows, width);
  for (let i = 0; i < windows.length; i += 1) if (windows[i]) fits.set(fitWindow(search, target, i), i * 4);
  for (let i = 0; i < interpolated.length; i += 1) if (interpolated[i]) means.set(meanFit(fits, i, width), i * 4);
  return (x, y, pixels, at) => {
    const left = Math.max(0, Math.floor(x));
    const top = Math.max(0, Math.floor(y));
    const tx = Math.max(0, x - left);
    const ty = Math.max(0, y - top);
    const i = (top * width + left) * 4;
    const right = left < width - 1 ? i + 4 : i;
    const below = top < height - 1 ? width * 4 : 0;
    let alpha = 0;
    for (let k = 0; k < 4; k += 1) {
      const upper = (1 - tx) * (means[i + k] as number) + tx * (means[right + k] as number);
      const lower = (1 - tx) * (means[i + below + k] as number) + tx * (means[right + below + k] as number);
      const factor = k < 3 ? (pixels[at + k] as number) / 255 : 1;
      alpha += factor * ((1 - ty) * upper + ty * lower);
    }
    return Math.min(1, Math.max(0, (alpha - hazeAlpha) / (1 - 2 * hazeAlpha)));
  };
}

/** The window around a cell, clipped to the picture: first and last column, first and last row. */
function windowAround(
  i: number,
  { width, height }: { width: number; height: number },
): [number, number, number, number] {
  const [x, y] = [i % width, Math.floor(i / width)];
  return [
    Math.max(0, x - windowCells),
    Math.min(width - 1, x + windowCells),
    Math.max(0, y - windowCells),
    Math.min(height - 1, y + windowCells),
  ];
}

/** Ridge regression of the target on the colours of one window: equations (19) and (20) of the same paper. */
function fitWindow(search: Pixels, target: Float32Array, at: number): [number, number, number, number] {
  const { data, width } = search;
  const [left, right, top, bottom] = windowAround(at, search);
  let [mr, mg, mb, mt] = [0, 0, 0, 0];
  let [rr, rg, rb, gg, gb, bb] = [0, 0, 0, 0, 0, 0];
  let [rt, gt, bt] = [0, 0, 0];
  for (let y = top; y <= bottom; y += 1)
    for (let x = left; x <= right; x += 1) {
      const i = y * width + x;
      const r = (data[i * 4] as number) / 255;
      const g = (data[i * 4 + 1] as number) / 255;
      const b = (data[i * 4 + 2] as number) / 255;
      const t = target[i] as number;
      mr += r;
      mg += g;
      mb += b;
      mt += t;
      rr += r * r;
      rg += r * g;
      rb += r * b;
      gg += g * g;
      gb += g * b;
      bb += b * b;
      rt += r * t;
      gt += g * t;
      bt += b * t;
    }
  const count = (right - left + 1) * (bottom - top + 1);
  mr /= count;
  mg /= count;
  mb /= count;
  mt /= count;
  // The symmetric covariance matrix of the colours, inverted by cofactors.
  const [c00, c01, c02] = [rr / count - mr * mr + epsilon, rg / count - mr * mg, rb / count - mr * mb];
  const [c11, c12, c22] = [gg / count - mg * mg + epsilon, gb / count - mg * mb, bb / count - mb * mb + epsilon];
  const [v0, v1, v2] = [rt / count - mr * mt, gt / count - mg * mt, bt / count - mb * mt];
  const [k00, k01, k02] = [c11 * c22 - c12 * c12, c02 * c12 - c01 * c22, c01 * c12 - c02 * c11];
  const [k11, k12, k22] = [c00 * c22 - c02 * c02, c01 * c02 - c00 * c12, c00 * c11 - c01 * c01];
  const determinant = c00 * k00 + c01 * k01 + c02 * k02;
  const r = (k00 * v0 + k01 * v1 + k02 * v2) / determinant;
  const g = (k01 * v0 + k11 * v1 + k12 * v2) / determinant;
  const b = (k02 * v0 + k12 * v1 + k22 * v2) / determinant;
  return [r, g, b, mt - r * mr - g * mg - b * mb];
}

/** The mean of the coefficients of all windows that contain the cell. */
function meanFit(fits: Float32Array, at: number, width: number): [number, number, number, number] {
  const [left, right, top, bottom] = windowAround(at, { width, height: fits.length / 4 / width });
  let [r, g, b, d] = [0, 0, 0, 0];
  for (let y = top; y <= bottom; y += 1)
    for (let i = (y * width + left) * 4; i <= (y * width + right) * 4; i += 4) {
      r += fits[i] as number;
      g += fits[i + 1] as number;
      b += fits[i + 2] as number;
      d += fits[i + 3] as number;
    }
  const count = (right - left + 1) * (bottom - top + 1);
  return [r / count, g / count, b / count, d / count];
}
