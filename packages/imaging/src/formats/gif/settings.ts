import type { Tolerance } from "./tolerant-choices.ts";

/**
 * The loss that a quality of 1 to 99 allows. 75 is where `npm run bench:gif` finds no animation larger than gifsicle's
 * --lossy=80 makes it; a photograph then keeps a SSIMULACRA 2 score of 66, and 46 with gifsicle. The exponent makes 90
 * keep 80, and leaves the subject recognisable at 1.
 */
export function toleranceFor(quality: number): Tolerance {
  const loss = 1.35 * ((100 - quality) / 25) ** 0.8;
  return { distancePerBit: 28 * loss ** 1.6, limit: 400 * loss ** 1.2 };
}
