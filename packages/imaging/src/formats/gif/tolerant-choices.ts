import type { ColourTables } from "./colour-costs.ts";

/** The row of a pixel at which no colour may be drawn. */
export const leaveOnly = 0xffff;

/** A frame's wanted colours, and the permitted alternatives. */
export type TolerantChoices = {
  /** px of a row. */
  width: number;
  /** Row of `costs` for each pixel; `leaveOnly` where no colour may be drawn. [pixelCount] */
  rows: Uint16Array;
  colours: ColourTables;
  /** Squared distance of leaving the canvas as it is; Infinity if that is not allowed. [pixelCount] */
  leaveCosts: Float32Array;
  /** Packed: the wanted colour, and the canvas' colour. [pixelCount] */
  wantedColours: Uint32Array;
  shownColours: Uint32Array;
  transparentIndex: number;
  /** Index into `weights`: the picture's activity around each pixel. [pixelCount] */
  activity: Uint8Array;
  /** Weight of an error at each activity. */
  weights: Float32Array;
  tolerance: Tolerance;
};

/** The trade-off between bits and distortion. */
export type Tolerance = {
  /** Weighted squared distance worth a bit. */
  distancePerBit: number;
  /** Weighted squared distance that no pixel may pass. */
  limit: number;
};

/**
 * The loss that a quality of 1 to 99 allows. 75 is where `npm run bench:gif` finds no animation larger than gifsicle's
 * --lossy=80 makes it; a photograph then keeps a SSIMULACRA 2 score of 66, and 46 with gifsicle. The exponent makes 90
 * keep 80, and leaves the subject recognisable at 1.
 */
export function toleranceFor(quality: number): Tolerance {
  const loss = 1.35 * ((100 - quality) / 25) ** 0.8;
  return { distancePerBit: 28 * loss ** 1.6, limit: 400 * loss ** 1.2 };
}
