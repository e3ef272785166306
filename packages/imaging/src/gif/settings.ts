import type { Tolerance } from "./tolerant-search.ts";

/**
 * What a quality of 1 to 99 allows. Measured on the frames of `npm run bench:gif`: 75 looks better than gifsicle's
 * --lossy=80 by PSNR and SSIM, and is smaller.
 */
export function toleranceFor(quality: number): Tolerance {
  const loss = (100 - quality) / 25;
  return { distancePerBit: 28 * loss ** 1.6, limit: 400 * loss ** 1.2 };
}
